int a = ;
int f(int x {
	return x
}
struct { int x int y; } s;
int main(void)
{
	int y = 1
	y = 2;
	if (y {
		y = 3;
	}
	return (y;
}
