/* What pthread_cleanup_push and pthread_cleanup_pop expand to in musl's headers; lowering turns glibc's expansion into the same.
   The buffer is a local of the block between the two, so handlers are a stack. */

struct buffer {
    void (*routine)(void *);
    void *arg;
    struct buffer *outer;
};

static _Thread_local struct buffer *innermost;

void _pthread_cleanup_push(struct buffer *b, void (*routine)(void *), void *arg)
{
    b->routine = routine;
    b->arg = arg;
    b->outer = innermost;
    innermost = b;
}

void _pthread_cleanup_pop(struct buffer *b, int execute)
{
    innermost = b->outer;
    if (execute)
        b->routine(b->arg);
}

/* A handler is off the stack before it is called: it may end the thread itself. */
void __heddle_run_cleanup_handlers(void)
{
    struct buffer *b;
    while ((b = innermost)) {
        innermost = b->outer;
        b->routine(b->arg);
    }
}
