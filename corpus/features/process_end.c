void exit(int), _exit(int), abort(void);
int a;

void f(void)
{
	if (a == 1)
		abort();
	if (a == 2)
		_exit(3);
	a = 4;
}

int main(void)
{
	f();
	if (a)
		return 5;
	_exit(a);
}
