typedef int I;
typedef I *PI;
typedef const I CI;
typedef int A[3];
typedef A B[2];
typedef int F(int);
typedef F *PF;
typedef struct node { struct node *next; I v; } Node, *List;
typedef struct { int x; } Anon;
typedef int I;
F twice;
PF fp = twice;
A a = { 1, 2, 3 };
B b = { { 1 }, { 4, 5 } };
const A ca = { 7 };
Node nodes[2] = { { nodes + 1, 1 }, { 0, 2 } };
Anon an = { 5 };
PI pi = a;
CI ci = 8;
const PI cpi = a + 1;

int main(void)
{
	int r = 0;
	for (List l = nodes; l; l = l->next)
		r += l->v;
	*cpi = 3;
	typedef long I;
	I big = 1;
	return r + fp(*pi) + b[1][1] + ca[0] + an.x + ci + sizeof big;
}
int twice(int x) { return 2 * x; }
