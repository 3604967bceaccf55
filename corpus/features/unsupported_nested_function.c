int main(void)
{
	int inner(int x) { return x + 1; }
	return inner(2);
}
