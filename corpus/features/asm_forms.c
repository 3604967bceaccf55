__asm__(".globl something");
int a, b;
int renamed(int) __asm__("other_name");
int renamed(int x) { return x; }

int main(void)
{
	int x = a, y;
	__asm__ volatile ("" ::: "memory");
	asm("nop");
	__asm__ __volatile__ ("mfence" ::: "memory");
	__asm__ ("mov %1, %0" : "=r"(y) : "r"(x));
	__asm__ ("inc %0" : "+r"(x));
	__asm__ ("" : "+r"(x), "=m"(a) : "0"(b++) : "cc");
	__asm__ ("" : "+m"(b));
	__asm__ ("" : "=r"(y) : "0"(x + 1));
	__asm__ ("lock; incl %[v]" : [v] "+m"(b) : : "memory");
	__asm__ goto ("jmp %l0" :::: out);
	x++;
out:
	return x + y + renamed(3);
}
