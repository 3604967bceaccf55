int main(void)
{
l:
	;
l:
	goto missing;
	{
		__label__ inner;
		goto inner;
	}
	void *p = &&nolabel;
	goto *p;
	goto *3.5;
	return 0;
}
int f(void)
{
	goto l;
	return 0;
}
