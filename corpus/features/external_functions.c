struct s { int x; };
int ext(int);
struct s ext_struct(void);
void ext_void(int *p);
double ext_double(const char *, ...);
extern int ext_var;
extern struct s ext_rec[2];
int (*fp)(int) = ext;

int main(void)
{
	int r = ext(1) + ext(2) + fp(3);
	struct s s = ext_struct();
	ext_void(&r);
	r += (int)ext_double("x", 1, 2.0f);
	return r + s.x + ext_var + ext_rec[1].x;
}
