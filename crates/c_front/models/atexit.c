/* exit in a program that uses atexit; returning from main is a call of exit then. There is room for 64 handlers (C asks for 32).
   Other threads go on while handlers run. */

enum { MOST = 64 };

static void (*handlers[MOST])(void);
static int count;

int atexit(void (*handler)(void))
{
    __heddle_atomic_begin();
    int n = count;
    if (n < MOST) {
        handlers[n] = handler;
        count = n + 1;
    }
    __heddle_atomic_end();
    return n < MOST ? 0 : 1;
}

/* The handler that was registered last and not called yet; null if there is none. */
static void (*next_handler(void))(void)
{
    void (*handler)(void) = 0;
    __heddle_atomic_begin();
    int n = count;
    if (n > 0) {
        handler = handlers[n - 1];
        count = n - 1;
    }
    __heddle_atomic_end();
    return handler;
}

void exit(int status)
{
    void (*handler)(void);
    while ((handler = next_handler()))
        handler();
    __heddle_process_exit(status);
}
