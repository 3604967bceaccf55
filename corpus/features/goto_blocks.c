int a;
void use(int *p) { *p = 1; }

int main(void)
{
	int n = 0;
again:
	n++;
	{
		int x = 1;
		use(&x);
		if (x > 5)
			goto out;
		if (a)
			goto again;
		goto inside;
	}
	{
		int y;
inside:
		use(&y);
		{
			int z;
			use(&z);
			if (z)
				goto inside;
			if (a == 2)
				goto out;
		}
	}
	goto skip;
	int late;
skip:
	use(&late);
out:
	return n;
}
