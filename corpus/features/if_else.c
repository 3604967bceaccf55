int a, b;

int main(void)
{
	if (a)
		b = 1;
	if (a)
		b = 1;
	else
		b = 2;
	if (a == 1)
		b = 1;
	else if (a == 2)
		b = 2;
	else if (a == 3)
		b = 3;
	else
		b = 4;
	if (a)
		if (b)
			a = 1;
		else
			a = 2;
	if (1)
		b = 5;
	if (0)
		b = 6;
	else
		b = 7;
	if (a) {
		return 1;
	} else {
		return 2;
	}
}
