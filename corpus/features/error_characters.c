int a = 1 @ 2;
int b = `3`;
int c = 0x;
int d = 09;
int e = 1.2.3;
int f = 12abc;
int g = 0b12;
int main(void)
{
	return a;
}
