struct s;
struct s v;
struct s *p;
struct t { struct s m; };
struct u { struct u u; };
int arr[];
struct s f(void);
void x;
int g(struct s a) { return 0; }
extern struct s e;
void av[3];
int fa[2](void);
int (*ok)[];

int main(void)
{
	struct s local;
	int l = sizeof(struct s) + sizeof *p + p->x;
	p++;
	f();
	void w;
	int un[];
	return sizeof *ok;
}
