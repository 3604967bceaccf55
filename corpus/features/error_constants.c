int n;
int arr[n];
int neg[-1];
int fl[1.5];
enum { A = 1.5, B = n };
struct s { int f : n; int g : 40; int h : -1; double d : 3; int : 3; int z : 0; };
_Static_assert(0, "message text");
_Static_assert(1 == 2);
_Static_assert(n, "not constant");
_Alignas(3) int al;

int main(void)
{
	switch (n) {
	case n:
		break;
	}
	return 0;
}
