int a = 1;
int a = 2;
int f(void) { return 1; }
int f(void) { return 2; }
struct s { int x; };
struct s { int y; };
union s *p;
enum e { A };
enum e { B };
enum { A };
typedef int T;
typedef long T;
int g(int x, int x) { return x; }

int main(void)
{
	int y;
	int y;
	{ int y; }
	return 0;
}
