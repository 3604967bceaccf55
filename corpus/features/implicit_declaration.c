int main(void)
{
	int x = undeclared_function(1, 'c', 2.0);
	x += undeclared_function(x);
	defined_later();
	long n = strlen("abc");
	char *p = malloc(10);
	return x + n + (p != 0);
}
defined_later() { return 1; }
