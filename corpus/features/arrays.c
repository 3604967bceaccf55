int a[3], m[2][3], t[2][2][2];
int *p, (*row)[3], *ptrs[2];
char s[] = "abc";
int i, j;

int main(void)
{
	a[0] = 1;
	a[i] = a[i + 1];
	m[i][j] = m[1][2];
	t[1][0][i] = 3;
	p = a;
	p[2] = *(a + 1);
	2[a] = i[p];
	row = m;
	(*row)[1] = row[1][2];
	p = m[1];
	p = *m;
	p = &m[0][0] + 4;
	p = &a[2] - 1;
	ptrs[0] = a;
	*ptrs[0] = ptrs[1][2];
	s[1] = "xyz"[i];
	i = *s + *"q" + a[s[0]] + a[(unsigned char)i];
	i = &a[2] - a;
	return *(*(m + 1) + 2) + a[-1 + 1] + (&a)[0][1] + sizeof m[0];
}
