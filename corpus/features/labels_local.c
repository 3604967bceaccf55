int a;

int main(void)
{
	int r = 0;
	{
		__label__ l, m;
		if (a)
			goto l;
		r = 1;
l:
		r = 2;
		if (a == 5)
			goto m;
		r = 4;
m:		;
	}
	{
		__label__ l;
		if (a)
			goto l;
		r = 3;
l:		;
	}
	r += ({ __label__ here; int i = 0; here: i++; if (i < 3) goto here; i; });
	r += sizeof(({ __label__ x; x: 1; }));
l:
	if (r < 0)
		goto l;
	return r;
}
