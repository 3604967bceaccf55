typedef long jmp_buf[8];
int setjmp(jmp_buf);
void longjmp(jmp_buf, int);
int fork(void);
jmp_buf b;

int main(void)
{
	if (setjmp(b))
		longjmp(b, 1);
	return fork();
}
