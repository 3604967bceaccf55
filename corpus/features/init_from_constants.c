// What never changes may be read in the initialiser of a static variable, as with gcc.
static const int five = 5;
static const int table[4] = {1, 2, 3};
static const struct { char c; short s[2]; unsigned b : 3; } record = {'r', {7, -8}, 5};
static const double half = 0.5;
static char letter = "abc"[1], end = "abc"[3], turned = 2["abc"] + 1;
static int six = five + 1, second = table[1], minus = record.s[1], bits = record.b;
static double one = half * 2;
char list[] = {"ab"[0], "cd"[1]};

int main(void)
{
	static int inner = "q"[0];
	const char *address = &"abc"[1];
	return *address + inner + letter + end + turned + six + second + minus + bits + (int)one + list[0];
}
