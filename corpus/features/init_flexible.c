struct f { int n; int v[]; };
struct z { char c; short v[0]; };
struct f a = { 3, { 1, 2, 3 } };
struct f b = { 1 };
struct { int n; char s[]; } t = { 4, "abc" };
struct z z;
int n = sizeof(struct f) + sizeof a + sizeof(struct z);

int main(void)
{
	return a.v[2] + b.n + t.s[1] + n + z.c;
}
