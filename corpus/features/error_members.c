struct s { int x; char x; };
struct t { int a; struct { int a; }; };
union u { int b, b; };
struct v { int f(void); };
struct w { int n; int flex[]; int after; };
struct x { void v; };
enum e { A, B, A };

int main(void)
{
	return 0;
}
