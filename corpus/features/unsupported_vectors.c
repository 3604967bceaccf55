typedef int v4 __attribute__((vector_size(16)));
v4 a, b, c;

int main(void)
{
	c = a + b;
	return a[0];
}
