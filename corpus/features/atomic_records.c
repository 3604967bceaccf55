// Atomic operations on structs and unions.
struct pair {
    int low;
    short high[2];
    unsigned bits : 3, more : 5;
};
union word {
    int whole;
    char bytes[4];
};
_Atomic struct pair shared;
_Atomic union word word;

int main(void)
{
    struct pair a = shared, b = { 1 };
    union word w = word;
    shared = b;
    word = w;
    _Atomic struct pair own = b;
    own = shared;
    __atomic_load(&shared, &a, 2);
    __atomic_store(&shared, &a, 3);
    __atomic_exchange(&shared, &a, &b, 5);
    return __atomic_compare_exchange(&shared, &a, &b, 0, 5, 0);
}
