typedef int strange __attribute__((mode(ABC)));
struct __attribute__((ms_struct)) m { int a : 3; };
strange x;
int main(void)
{
	return x;
}
