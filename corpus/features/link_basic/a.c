extern int counter;
int common;
static int hidden = 1;
extern int table[];
struct node { struct node *next; int v; };
extern struct node head;
int add(int, int);
static int helper(void) { static int n; return n++ + hidden; }
int old();
int main(void)
{
	common = 3;
	return add(counter, table[1]) + helper() + head.v + old(4) + common;
}
