int x = 1;
typedef int T;
enum { E = 5 };
struct s { int a; };
int f(int x) { { int x = 2; x++; } return x; }

int main(void)
{
	int y = x;
	int x = x + 1;
	{
		int x = 3;
		y += x;
		{
			enum { E = 7 };
			y += E;
		}
	}
	y += E;
	for (int x = 0; x < 1; x++)
		y += x;
	T T = 4;
	y += T;
	struct s { char b; } v = { 1 };
	y += sizeof(struct s) + v.b;
	{
		struct s;
		struct s *p = 0;
		struct s { long c; };
		y += sizeof *p;
	}
	int s = 3;
s:
	if (s-- > 0)
		goto s;
	return f(y) + s;
}
