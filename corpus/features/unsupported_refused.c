// Functions that nothing here can express.
int pthread_cancel(unsigned long);
int pthread_mutexattr_setrobust(int *, int);
int pthread_kill(unsigned long, int);
int raise(int);
int pause(void);
long syscall(long, ...);
int printf(const char *, ...);
enum { GETTID = 186, GETPID = 39 };

int main(void)
{
    int n;
    pthread_cancel(0);
    pthread_mutexattr_setrobust(&n, 1);
    pthread_kill(0, 15);
    raise(15);
    pause();
    syscall(GETTID);
    syscall(GETPID);
    __CPROVER_havoc_object(&n);
    printf("abc%n", &n);
    printf("%5d%%n%s\n", n, "%n");
    printf("%d%-3ln\n", n, &n);
    return n;
}
