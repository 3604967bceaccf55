int a, b;
struct s { int x, y; } g;
void use(int *p) { *p = 1; }

int main(void)
{
	int x = 1;
	int r = ({ int t = a; t + 1; });
	r = ({ x++; x; }) + ({ x++; x; });
	r = ({ int t; use(&t); t; });
	struct s s = ({ struct s t = g; t.x++; t; });
	r = ({ g; }).y;
	({ a = 1; });
	({ });
	r = ({ if (a) b = 1; 5; });
	r = a ? ({ b++; 1; }) : 2;
	while (({ a--; a > 0; }))
		b++;
	r = ({ lab: a++; });
	if (r < 10)
		goto lab;
	r = ({ return 7; 3; });
	return ({ s.x; });
}
