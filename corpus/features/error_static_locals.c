int n;
int main(void)
{
	static int a[n];
	static int b = n + 1;
	__thread int t;
	extern int e = 3;
	int e2(void) = 1;
	auto int ok = 1;
	return ok;
}
