int into(int n)
{
	goto in;
	{
		int a[n];
in:
		a[0] = 1;
	}
	return 0;
}

int by_switch(int n)
{
	switch (n) {
		int b[n];
	case 1:
		return b[0];
	default:
		return 1;
	}
}

int pointer(int n)
{
	goto in;
	int (*p)[n];
in:
	return 0;
}

int type(int n)
{
	goto in;
	typedef int row[n];
	{
		int deep[n];
in:
		return deep[0];
	}
}

int fine(int n)
{
again:;
	int a[n];
	a[0] = n--;
	if (n > 0)
		goto again;
	{
		int b[n + 1];
		b[0] = 1;
		if (n)
			goto out;
inner:
		b[0]--;
		if (b[0])
			goto inner;
	}
	switch (a[0])
	case 1: {
		int c[n];
		break;
	}
out:
	return 0;
}

int computed(int n)
{
	void *to = &&in;
	goto *to;
	{
		int a[n];
in:
		return a[0];
	}
}

int main(void)
{
	return into(1) + by_switch(1) + pointer(1) + type(1) + fine(1) + computed(1);
}
