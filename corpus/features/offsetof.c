struct in { int a[4]; char c; };
struct out { char x; struct in in[3]; union { int u; long v; }; struct { short s; } n; };
unsigned long v[] = {
	__builtin_offsetof(struct out, x), __builtin_offsetof(struct out, in), __builtin_offsetof(struct out, in[1]),
	__builtin_offsetof(struct out, in[2].a[3]), __builtin_offsetof(struct out, v), __builtin_offsetof(struct out, n.s),
	(unsigned long)&((struct out *)0)->in[1].c, sizeof(((struct out *)0)->in), (long)&((struct out *)16)->n,
};
int i;

int main(void)
{
	return v[0] + __builtin_offsetof(struct out, in[i].c);
}
