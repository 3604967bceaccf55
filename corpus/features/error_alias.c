int f(void) __attribute__((alias("missing")));
int main(void)
{
	return f();
}
