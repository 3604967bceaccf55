int a, b, r;

int main(void)
{
	r = a + b;
	r = a - b;
	r = a * b;
	r = a / b;
	r = a % b;
	r = a & b;
	r = a | b;
	r = a ^ b;
	r = a << b;
	r = a >> b;
	r = -a;
	r = +a;
	r = ~a;
	r = !a;
	return 0;
}
