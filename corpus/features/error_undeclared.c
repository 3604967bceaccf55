int main(void)
{
	x = 1;
	int y = z + x;
	foo.bar = 3;
	goto nowhere;
	return sizeof(struct missing) + unknown[y];
}
