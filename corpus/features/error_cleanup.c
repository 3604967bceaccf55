void drop(int *p);
int a;

int main(void)
{
	int x __attribute__((cleanup(drop))) = 1;
	if (a)
		goto out;
	int y __attribute__((cleanup(missing))) = 1;
out:
	return 0;
}
void drop(int *p) { a += *p; }
