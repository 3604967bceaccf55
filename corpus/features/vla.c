int n, m;
int sum(int n, int a[n]) { return a[n - 1]; }
int at(int r, int c, int a[r][c]) { return a[r - 1][c - 1]; }
int at2(int c, int (*a)[c]) { return a[1][2] + sizeof *a; }
int star(int c, int a[*][c]);
int star(int c, int a[][c]) { return a[1][0]; }
int stat(int a[static 3]) { return a[2]; }

int main(void)
{
	int k = n;
	int a[k];
	int b[k][m];
	int c[3][k];
	int (*p)[k] = c;
	typedef int T[k + 1];
	k = 100;
	T t;
	a[1] = 2;
	b[1][2] = 3;
	c[2][1] = 4;
	p[1][1] = 5;
	t[0] = 1;
	int s = sizeof a + sizeof b + sizeof b[0] + sizeof c + sizeof *p + sizeof(T) + sizeof(int[n++]) + sizeof(int[2][n]);
	s += sizeof(*(int (*)[n])p);
	typeof(int[n]) u;
	typeof(a) w;
	typeof(*(int (*)[n + 1])p) x;
	s += sizeof u + sizeof w + sizeof x;
	for (int i = 1; i < 3; i++) {
		char buf[i];
		buf[0] = 1;
		if (i == 2)
			break;
	}
	s += &b[1] - &b[0];
	return s + sum(3, a) + at(2, 2, b) + at2(m, b) + star(m, b) + stat(a) + u[0] + w[0] + x[0];
}
