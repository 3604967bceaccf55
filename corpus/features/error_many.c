int main(void)
{
	a1 = 1;
	a2 = 2;
	int x = a3 + a4;
	x.y = 1;
	*x = 2;
	x();
	return a5;
}
int f(void)
{
	return b1;
}
int g(void)
{
	return g(1) + b2;
}
int g2(struct nope n);
