typedef int T;
typedef struct s { int x; } S;

int main(void)
{
	int i = T + 1;
	i = S.x;
	T();
	return sizeof(T) + sizeof i;
}
