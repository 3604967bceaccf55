// expect: nothing
// stderr: `elsewhere` is used by
// stderr: missing_function.c and defined nowhere
// A function of the project that no file defines is an error; one that is not reached is not.
int elsewhere(int);
int nobody(int);

int unused(void)
{
    return nobody(1);
}

int main(void)
{
    return elsewhere(2);
}
