int f(void) __attribute__((alias("missing")));
extern int v __attribute__((alias("nowhere")));
int main(void)
{
	return f();
}
