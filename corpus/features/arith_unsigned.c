unsigned a, b, r;

int main(void)
{
	r = a / b;
	r = a % b;
	r = a >> b;
	r = a << 3;
	r = -a;
	r = a < b;
	r = a <= b;
	r = a > b;
	r = a >= b;
	r = a == b;
	r = a != b;
	return 0;
}
