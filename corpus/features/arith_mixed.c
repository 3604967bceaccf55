int i;
unsigned u;
long l;
unsigned long ul;
long long ll;
unsigned long long ull;
long r;

int main(void)
{
	r = i + u;
	r = i + l;
	r = u + l;
	r = i + ul;
	r = l + ul;
	r = l + ll;
	r = ul + ll;
	r = i < u;
	r = i < ul;
	r = u < l;
	r = l / u;
	r = ll % i;
	r = i << l;
	r = l >> u;
	r = u << ull;
	r = 1 ? i : u;
	r = i ? i : ul;
	return 0;
}
