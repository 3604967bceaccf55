int i;
char c;
const int ci = 1;
const int *cp;
float f;
int arr[3];
struct s { int x; } s;
int fn(int x) { return x; }

int main(void)
{
	int r = 0;
	r += _Generic(i, int: 1, default: 2);
	r += _Generic(c, int: 1, char: 3, default: 2);
	r += _Generic(ci, const int: 1, int: 4);
	r += _Generic(arr, int *: 5, default: 1);
	r += _Generic(cp, int *: 1, const int *: 6);
	r += _Generic('a', char: 1, int: 7);
	r += _Generic(f, double: 1, float: 8);
	r += _Generic(c + c, char: 1, int: 9);
	r += _Generic(1u, default: 1, unsigned: 10);
	r += _Generic(s, struct s: 11);
	r += _Generic(fn, int (*)(int): 12);
	r += _Generic(1L, long: fn, int: 3)(13);
	r += _Generic(i++, int: 14);
	r += _Generic("x", char *: 15);
	r += _Generic(&arr, int (*)[3]: 16);
	r += _Generic(i == i, int: 17, _Bool: 1);
	_Generic(i, int: i, default: c) = 18;
	return r;
}
