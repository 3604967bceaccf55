static int s1;
int tentative;
int tentative;
int tentative = 4;
extern int ext;
extern int arr[];
int arr[3];
int unsized[];
int ext = 5;
__thread int tls = 1;
static _Thread_local int tls2;
extern __thread int tls;
const int ro = 7;
volatile int vol;
static int counter(void)
{
	static int n = 10, m;
	static __thread int t;
	{
		static int n = 20;
		n++;
	}
	return n++ + m + t++;
}

int main(void)
{
	register int r = counter();
	auto int a = 2;
	extern int ext;
	{
		extern int hidden;
		int ext = 3;
		a += ext + hidden;
		{
			extern int ext;
			a += ext;
		}
	}
	vol;
	vol = vol + 1;
	tls++;
	tls2 = 3;
	int *p = &tls;
	const int c = ro;
	return r + a + s1 + tentative + arr[1] + unsized[0] + ext + *p + c;
}
int hidden = 9;
