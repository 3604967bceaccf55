int log;
void drop(int *p) { log += *p; }
void drop2(char **p) { log += **p; }

int f(int a)
{
	__attribute__((cleanup(drop))) int x = 1;
	if (a == 1)
		return x;
	{
		int y __attribute__((cleanup(drop))) = 2;
		if (a == 2)
			return x + y;
	}
	while (a) {
		__attribute__((cleanup(drop))) int z = 3;
		if (a == 3)
			break;
		if (a == 4)
			continue;
		a--;
	}
	return 0;
}

int main(void)
{
	char *s __attribute__((cleanup(drop2))) = "x";
	return f(log);
}
