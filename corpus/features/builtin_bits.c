int a;
unsigned u;
unsigned long ul;
unsigned long long ull;
unsigned short us;
int k[] = {
	__builtin_clz(1), __builtin_ctz(8), __builtin_popcount(255), __builtin_parity(7), __builtin_ffs(0), __builtin_ffs(4),
	__builtin_clzl(1), __builtin_ctzll(16), __builtin_popcountll(-1), __builtin_clrsb(-1), __builtin_clrsb(1), __builtin_bswap16(0x1234),
	__builtin_bswap32(0x12345678) == 0x78563412, __builtin_bswap64(1) == 1ul << 56,
};

int main(void)
{
	a = __builtin_clz(u);
	a = __builtin_clzl(ul);
	a = __builtin_clzll(ull);
	a = __builtin_ctz(a);
	a = __builtin_ctzl(ul);
	a = __builtin_popcount(u);
	a = __builtin_popcountl(ul);
	a = __builtin_parity(u);
	a = __builtin_parityll(ull);
	a = __builtin_ffs(a);
	a = __builtin_ffsl(ul);
	a = __builtin_clrsb(a);
	us = __builtin_bswap16(us);
	u = __builtin_bswap32(u);
	ull = __builtin_bswap64(ull);
	a = __builtin_abs(a);
	return k[0];
}
