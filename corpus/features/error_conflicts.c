int a;
long a;
int f(int);
long f(int);
int g(int);
int g(int, int);
int h;
int h(void);
static int s;
int k(void);
static int k(void) { return 1; }
extern int arr[3];
int arr[4];
int late(double);
int late(x) float x; { return 0; }

int main(void)
{
	int b;
	double b;
	extern long a;
	return 0;
}
