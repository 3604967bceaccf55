int printf(const char *, ...), puts(const char *), putchar(int);
struct file;
extern struct file *stderr;
int fprintf(struct file *, const char *, ...);
char c = 'x';
float f = 1.5f;
int n;

int main(void)
{
	printf("plain\n");
	printf("%d %c %f %s\n", n++, c, f, "text");
	int r = printf("");
	puts("line");
	putchar('a');
	fprintf(stderr, "%d\n", r);
	return r;
}
