int a, n;
void use(int *p) { *p = 1; }

int main(void)
{
	static void *const table[] = { &&add, &&sub, &&done };
	void *next = &&add;
	goto *next;
add:
	n++;
	goto *table[a];
sub: {
		int x = 0;
		use(&x);
		n--;
		goto *table[x];
	}
done:
	return n;
}
