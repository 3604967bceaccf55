extern int shared;
int f(int);
struct s { int x; };
extern struct s rec;
int main(void)
{
	return shared + f(1) + rec.x;
}
