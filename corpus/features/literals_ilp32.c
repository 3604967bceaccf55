// flags: --data-model ilp32
long v[] = {
	0, 1, 0x7fffffff, 0x80000000, 2147483648, 017, 0b101, 42u, 42l, 42ul, 42ll, 42ull, 0xffffffffffffffff,
	'a', '\n', '\0', '\x41', '\377', '\'', 'ab', L'a', L'\u00e9', u'x', U'\U0001f600', '\e',
};
unsigned long sizes[] = {
	sizeof 1, sizeof 2147483648, sizeof 0x80000000, sizeof 1u, sizeof 1l, sizeof 1ll, sizeof 'a', sizeof L'a', sizeof u'a',
	sizeof 1.0, sizeof 1.0f, sizeof 1.0L, sizeof "abc", sizeof L"abc", sizeof u"abc", sizeof U"abc", sizeof u8"abc", sizeof "a" "bc",
};
int negative_high = '\377' < 0;
int neg1 = -1 < 1u;
int neg2 = -2147483648 < 0;
int neg3 = 0x80000000 > 0;
double f[] = { 1.5, .5, 1e3, 0x1p-3, 1e400, 3., 1.0f, 0.1f };

int main(void)
{
	return v[0] + sizes[0] + negative_high + neg1 + neg2 + neg3 + (int)f[0];
}
