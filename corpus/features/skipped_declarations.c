// A jump past a declaration leaves the variable with any value, also where it held one before.
void reach_error(void);

int forward(void)
{
	goto in;
	{
		int x = 5;
		int in_memory = 6;
		int *p = &in_memory;
in:
		if (x == 0 && in_memory == 0)
			return 1;
	}
	return 0;
}

int by_case(int n)
{
	switch (n) {
		int y = 1, z;
	case 1:
		z = 2;
		return y + z;
	default:
		return 0;
	}
}

int around(int n)
{
	int kept = 3;
again:
	kept++;
	int fresh = 1;
	if (n-- > 0)
		goto again;
	if (n > 5)
		goto out;
	int late = 7;
	kept += late;
out:
	return kept + fresh;
}

int into_loop(int n)
{
	if (n)
		goto in;
	for (int i = 0; i < 3; i++) {
in:
		n += i;
	}
	return n;
}

int main(void)
{
	return forward() + by_case(1) + around(2) + into_loop(0);
}
