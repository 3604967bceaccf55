int a, b;

int main(void)
{
	int i;
	while (a)
		b++;
	while (1) {
		if (a)
			break;
		if (b)
			continue;
		b = 1;
	}
	do
		b--;
	while (b > 0);
	do {
		if (a)
			continue;
		if (b)
			break;
	} while (a);
	for (i = 0; i < 10; i++)
		a += i;
	for (int j = 0, k = 5; j < k; j++) {
		if (j == 2)
			continue;
		if (j == 3)
			break;
		b += j;
	}
	for (;;) {
		for (;;)
			break;
		if (a)
			break;
	}
	while (a)
		;
	do ; while (0);
	for (; a;)
		a--;
	while (0)
		a = 1;
	return 0;
}
