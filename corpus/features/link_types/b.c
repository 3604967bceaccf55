long shared = 1;
int f(double d)
{
	return d > 0;
}
struct s { long x; int y; };
struct s rec;
