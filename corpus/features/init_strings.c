char a[] = "abc";
char b[3] = "abc";
char c[6] = "abc";
char d[] = { "brace" };
char e[2][4] = { "ab", "cd" };
char *p = "pointer";
const char *q[] = { "x", "y", "x" };
int w[] = L"wide";
unsigned short u16[] = u"hi";
unsigned u32[] = U"\u20ac";
char u8s[] = u8"\u00e9";
struct { char name[4]; int n; } s[] = { { "ab", 1 }, { "cde", 2 } };
char esc[] = "\a\b\t\x7f\0end" "joined";
char *mid = "pointer" + 3;
int n = sizeof "abc" + sizeof u16 + sizeof u32 + sizeof u8s + sizeof esc;

int main(void)
{
	char la[] = "local";
	char lb[8] = "pad";
	char lc[2] = "xy";
	struct { char name[4]; int n; } ls = { "ab", 3 };
	int lw[] = L"w";
	const char *f = __func__;
	return a[0] + b[0] + c[0] + d[0] + e[0][0] + p[0] + q[0][0] + w[0] + u16[0] + u32[0] + u8s[0] + s[0].n + esc[0] + mid[0] + n
		+ "lit"[1] + la[0] + f[0];
}
