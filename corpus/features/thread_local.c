__thread int a = 1;
_Thread_local int b;
static __thread int c = 3;
extern _Thread_local int d;
_Thread_local static int e;
__thread struct { int x, y; } s = { 1, 2 };
int *addr(void) { return &a; }

int main(void)
{
	static _Thread_local int f = 4;
	a++;
	s.y = b + c;
	*addr() = d;
	return a + e + f + s.x;
}
_Thread_local int d = 5;
