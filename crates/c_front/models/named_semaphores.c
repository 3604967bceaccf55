/* POSIX semaphores with names. No names exist when the program starts. A semaphore lives for ever: a name that is unlinked is free for a
   new one, and who has the old one open keeps it. There is room for 8 names (POSIX asks for none in particular). */

enum { MOST = 8, CREATE = 0100, EXCLUSIVE = 0200 };

struct named {
    char *name; /* null: a free entry */
    int *semaphore;
};

static struct named table[MOST];

int *__errno_location(void);
int strcmp(const char *a, const char *b);
unsigned long strlen(const char *s);

/* The entry of a name, or null. Inside an atomic section. */
static struct named *find(const char *name)
{
    for (int i = 0; i < MOST; i++)
        if (table[i].name && strcmp(table[i].name, name) == 0)
            return &table[i];
    return 0;
}

static int *open_named(const char *name, int flags, unsigned value, int *error)
{
    struct named *known = find(name);
    if (known) {
        if ((flags & CREATE) && (flags & EXCLUSIVE))
            *error = 17; /* EEXIST */
        return *error ? 0 : known->semaphore;
    }
    if (!(flags & CREATE))
        *error = 2; /* ENOENT */
    else if (value > 0x7fffffff)
        *error = 22; /* EINVAL */
    for (int i = 0; !*error && i < MOST; i++) {
        if (!table[i].name) {
            unsigned long size = strlen(name) + 1;
            char *copy = __heddle_new(size);
            for (unsigned long k = 0; k < size; k++)
                copy[k] = name[k];
            int *semaphore = __heddle_new(8 * sizeof(int));
            *semaphore = value;
            table[i].name = copy;
            table[i].semaphore = semaphore;
            return semaphore;
        }
    }
    if (!*error)
        *error = 28; /* ENOSPC */
    return 0;
}

int *sem_open(const char *name, int flags, ...)
{
    unsigned value = 0;
    int error = 0;
    if (flags & CREATE) {
        __builtin_va_list list;
        __builtin_va_start(list, flags);
        (void)__builtin_va_arg(list, unsigned);
        value = __builtin_va_arg(list, unsigned);
        __builtin_va_end(list);
    }
    __heddle_atomic_begin();
    int *semaphore = open_named(name, flags, value, &error);
    __heddle_sync("acquire", "other", table);
    __heddle_sync("release", "other", table);
    __heddle_atomic_end();
    if (error)
        *__errno_location() = error;
    return semaphore;
}

int sem_close(int *semaphore)
{
    return 0;
}

int sem_unlink(const char *name)
{
    __heddle_atomic_begin();
    struct named *known = find(name);
    if (known)
        known->name = 0;
    __heddle_sync("acquire", "other", table);
    __heddle_sync("release", "other", table);
    __heddle_atomic_end();
    if (known)
        return 0;
    *__errno_location() = 2; /* ENOENT */
    return -1;
}
