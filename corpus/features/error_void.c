void v(void) { }
void *p;

int main(void)
{
	int i = v();
	i = *p;
	v() + 1;
	(void)i + 1;
	if (v())
		i = 1;
	i = v() ? 1 : 2;
	i = i ? v() : 1;
	!v();
	return v();
}
