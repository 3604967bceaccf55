int add(int a, int b) { return a + b; }
int sub(int a, int b) { return a - b; }
typedef int (*op)(int, int);
typedef int fn(int, int);
op table[2] = { add, &sub };
fn *chosen;
struct { op f; } s = { add };
op get(int i) { return table[i]; }
int apply(int f(int, int), int a, int b) { return f(a, b); }
int (*get2(void))(int, int) { return sub; }
void nothing(void) { }

int main(void)
{
	op f = add;
	int r = f(1, 2) + (*f)(3, 4) + (**f)(5, 6);
	chosen = sub;
	r += chosen(1, 2) + table[r](1, 2) + s.f(1, 2) + (&s)->f(3, 4);
	r += get(0)(1, 2) + get2()(3, 4);
	r += apply(add, 1, 2) + apply(&sub, 3, 4) + apply(*add, 5, 6);
	r += (r ? add : sub)(7, 8);
	if (f == add && f != sub)
		r++;
	if (f)
		r++;
	if (!add)
		r--;
	void (*v)(void) = nothing;
	v();
	(*nothing)();
	int (*old)() = add;
	r += old(1, 2);
	r += ((int (*)(long))add)(3);
	return r;
}
