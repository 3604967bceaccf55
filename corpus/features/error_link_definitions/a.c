int twice = 1;
int both(void) { return 1; }
static int mine(void) { return 2; }
int kind;
int main(void)
{
	return mine() + both();
}
