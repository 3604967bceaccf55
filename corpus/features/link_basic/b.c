int counter = 5;
int common;
static int hidden = 2;
int table[3] = { 1, 2, 3 };
struct node { struct node *next; int v; };
struct node head = { &head, 7 };
static int helper(void) { static int n = 9; return n-- + hidden; }
int add(int a, int b) { return a + b + helper(); }
int old(int x) { return x; }
