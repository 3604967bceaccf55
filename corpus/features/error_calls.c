int f(int a, int b) { return a + b; }
int v(char *s, ...) { return 0; }
struct s { int x; } s;
void nothing(void) { }
int take(struct s s) { return s.x; }

int main(void)
{
	f(1);
	f(1, 2, 3);
	v();
	f(s, 1);
	take(1);
	take(&s);
	f(nothing(), 1);
	return f(1, undeclared);
}
