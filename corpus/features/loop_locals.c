void use(int *p) { *p = 1; }

int main(void)
{
	for (int i = 0; i < 3; i++) {
		int x;
		use(&x);
		if (x)
			continue;
		int y = 2;
		use(&y);
		if (y)
			break;
		{
			int z;
			use(&z);
			if (z)
				return 1;
		}
	}
	while (1) {
		int buf[2] = { 1, 2 };
		if (buf[0])
			break;
	}
	for (int k = 0, *p = &k; *p < 2; ++*p)
		;
	return 0;
}
