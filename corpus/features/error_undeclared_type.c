int f(size_t n);
struct s { uint32_t x; };
int main(void)
{
	foo_t y;
	return 0;
}
