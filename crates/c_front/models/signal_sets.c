/* Sets of signals, and which of them a thread does not want. No signals arrive, so that makes no difference. */

struct set {
    unsigned long words[16];
};

static int bit(struct set *set, int number, int value)
{
    unsigned long word = 1ul << (number - 1) % (8 * sizeof(long));
    if (number < 1 || number > 64)
        return -1;
    unsigned long *at = &set->words[(number - 1) / (8 * sizeof(long))];
    *at = value ? *at | word : *at & ~word;
    return 0;
}

int sigemptyset(struct set *set)
{
    for (unsigned i = 0; i < 64 / (8 * sizeof(long)); i++)
        set->words[i] = 0;
    return 0;
}

int sigfillset(struct set *set)
{
    for (unsigned i = 0; i < 64 / (8 * sizeof(long)); i++)
        set->words[i] = ~0ul;
    return 0;
}

int sigaddset(struct set *set, int number)
{
    return bit(set, number, 1);
}

int sigdelset(struct set *set, int number)
{
    return bit(set, number, 0);
}

int sigismember(const struct set *set, int number)
{
    if (number < 1 || number > 64)
        return -1;
    return set->words[(number - 1) / (8 * sizeof(long))] >> (number - 1) % (8 * sizeof(long)) & 1;
}

int pthread_sigmask(int how, const struct set *set, struct set *old)
{
    return old ? sigemptyset(old) : 0;
}

int sigprocmask(int how, const struct set *set, struct set *old)
{
    return old ? sigemptyset(old) : 0;
}
