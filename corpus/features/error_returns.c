struct s { int x; } s;
void v(void) { return 1; }
int i(void) { return; }
int j(void) { return s; }
struct s k(void) { return 1; }
int *p(void) { return 1.5; }
int m(void) { return v(); }
int f(void)[3];
int g(void)(void);

int main(void)
{
	return 0;
}
