int a[10] = { 1 };
extern int b[10] __attribute__((alias("a")));
static int hidden = 2;
extern int shown __attribute__((alias("hidden")));
int f(int x) { return x + 1; }
int g(int x) __attribute__((alias("f")));
static int s(void) { return 3; }
extern int t(void) __attribute__((weak, alias("s")));

int main(void)
{
	b[1] = 4;
	shown++;
	return a[1] + hidden + g(1) + t();
}
