struct p { int x, y; };
struct n { char c; struct p p; int a[3]; };
int v[3] = { 1, 2, 3 };
int w[] = { 1, 2, 3, };
int z[4] = { 1 };
struct p p = { 1, 2 };
struct p r = { .y = 2 };
struct n n1 = { 'a', { 1, 2 }, { 3, 4, 5 } };
struct n n2 = { 'a', 1, 2, 3, 4 };
struct n n3 = { .a[1] = 7, 8, .c = 'b' };
struct n n5 = { .p.x = 9, .p = { .y = 1 } };
struct n n6 = { .p = { 1, 2 }, .p.y = 3 };
struct p arr[] = { 1, 2, { 3 }, [5].y = 6, 7 };
int m[2][3] = { { 1, 2 }, 3, 4 };
int rng[6] = { [1 ... 3] = 9, 10, [0] = 5 };
int last[3] = { 1, [0] = 2 };
_Bool t = 5;
unsigned char uc = 300;
short s = 65535;
float f = 1;
double d = 3 / 2;
long l = 3.9;
const struct p cp = { 4, 5 };
struct p copy = cp;
int used(void) { return sizeof w + sizeof arr; }

int main(void)
{
	return v[0] + w[0] + z[0] + p.x + r.x + n1.c + n2.c + n3.c + n5.c + n6.c + arr[0].x + m[0][0] + rng[0] + last[0] + t + uc + s
		+ (int)f + (int)d + l + copy.x + used();
}
