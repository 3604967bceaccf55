long long long a;
signed unsigned b;
short double c;
unsigned float d;
struct s t;
int int e;
static extern int f;
inline int g;
_Bool unsigned h;

int main(void)
{
	return 0;
}
