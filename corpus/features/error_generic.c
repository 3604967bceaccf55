int main(void)
{
	int i = 1;
	i = _Generic(i, long: 1, char: 2);
	i = _Generic(i, int: 1, signed: 2);
	i = _Generic(i, default: 1, default: 2);
	return i;
}
