/* Functions on strings, a character at a time: each access is one of the program's own, so it is checked and can race. */

void *malloc(unsigned long size);
void *memcpy(void *to, const void *from, unsigned long size);

static int lower(int c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

unsigned long strlen(const char *s)
{
    unsigned long n = 0;
    while (s[n])
        n++;
    return n;
}

unsigned long strnlen(const char *s, unsigned long most)
{
    unsigned long n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

char *stpcpy(char *to, const char *from)
{
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *strcpy(char *to, const char *from)
{
    stpcpy(to, from);
    return to;
}

char *stpncpy(char *to, const char *from, unsigned long size)
{
    unsigned long n = 0;
    while (n < size && from[n]) {
        to[n] = from[n];
        n++;
    }
    for (unsigned long i = n; i < size; i++)
        to[i] = 0;
    return to + n;
}

char *strncpy(char *to, const char *from, unsigned long size)
{
    stpncpy(to, from, size);
    return to;
}

char *strcat(char *to, const char *from)
{
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, unsigned long most)
{
    char *end = to + strlen(to);
    unsigned long n = 0;
    while (n < most && from[n]) {
        end[n] = from[n];
        n++;
    }
    end[n] = 0;
    return to;
}

unsigned long strlcpy(char *to, const char *from, unsigned long size)
{
    unsigned long n = 0;
    for (; from[n]; n++)
        if (n + 1 < size)
            to[n] = from[n];
    if (size > 0)
        to[n < size ? n : size - 1] = 0;
    return n;
}

unsigned long strlcat(char *to, const char *from, unsigned long size)
{
    unsigned long n = strnlen(to, size);
    return n + strlcpy(to + n, from, size - n);
}

int strncmp(const char *a, const char *b, unsigned long most)
{
    for (unsigned long i = 0; i < most; i++) {
        int x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (x != y)
            return x < y ? -1 : 1;
        if (x == 0)
            return 0;
    }
    return 0;
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, ~0ul);
}

int strcoll(const char *a, const char *b)
{
    return strcmp(a, b);
}

int strncasecmp(const char *a, const char *b, unsigned long most)
{
    for (unsigned long i = 0; i < most; i++) {
        int x = lower((unsigned char)a[i]), y = lower((unsigned char)b[i]);
        if (x != y)
            return x - y;
        if (x == 0)
            return 0;
    }
    return 0;
}

int strcasecmp(const char *a, const char *b)
{
    return strncasecmp(a, b, ~0ul);
}

char *strchrnul(const char *s, int c)
{
    char wanted = c;
    while (*s && *s != wanted)
        s++;
    return (char *)s;
}

char *strchr(const char *s, int c)
{
    s = strchrnul(s, c);
    return *s == (char)c ? (char *)s : 0;
}

char *index(const char *s, int c)
{
    return strchr(s, c);
}

char *strrchr(const char *s, int c)
{
    char wanted = c;
    const char *found = 0;
    for (;; s++) {
        char here = *s;
        if (here == wanted)
            found = s;
        if (!here)
            return (char *)found;
    }
}

char *rindex(const char *s, int c)
{
    return strrchr(s, c);
}

char *strstr(const char *s, const char *part)
{
    unsigned long n = strlen(part);
    for (;; s++) {
        if (strncmp(s, part, n) == 0)
            return (char *)s;
        if (!*s)
            return 0;
    }
}

char *strcasestr(const char *s, const char *part)
{
    unsigned long n = strlen(part);
    for (;; s++) {
        if (strncasecmp(s, part, n) == 0)
            return (char *)s;
        if (!*s)
            return 0;
    }
}

unsigned long strspn(const char *s, const char *set)
{
    unsigned long n = 0;
    while (s[n] && strchr(set, s[n]))
        n++;
    return n;
}

unsigned long strcspn(const char *s, const char *set)
{
    unsigned long n = 0;
    while (s[n] && !strchr(set, s[n]))
        n++;
    return n;
}

char *strpbrk(const char *s, const char *set)
{
    s += strcspn(s, set);
    return *s ? (char *)s : 0;
}

char *strtok_r(char *s, const char *set, char **rest)
{
    if (!s)
        s = *rest;
    s += strspn(s, set);
    if (!*s) {
        *rest = s;
        return 0;
    }
    char *end = s + strcspn(s, set);
    if (*end)
        *end++ = 0;
    *rest = end;
    return s;
}

char *__strtok_r(char *s, const char *set, char **rest)
{
    return strtok_r(s, set, rest);
}

/* One for all threads, as C has it: a race if two use it at once. */
static char *strtok_rest = "";

char *strtok(char *s, const char *set)
{
    return strtok_r(s, set, &strtok_rest);
}

char *strsep(char **rest, const char *set)
{
    char *s = *rest;
    if (!s)
        return 0;
    char *end = s + strcspn(s, set);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = 0;
    }
    return s;
}

char *strndup(const char *s, unsigned long most)
{
    unsigned long n = strnlen(s, most);
    char *copy = malloc(n + 1);
    if (copy) {
        memcpy(copy, s, n);
        copy[n] = 0;
    }
    return copy;
}

char *strdup(const char *s)
{
    return strndup(s, ~0ul);
}

char *__strdup(const char *s)
{
    return strndup(s, ~0ul);
}

char *__strcpy_chk(char *to, const char *from, unsigned long room)
{
    return strcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, unsigned long size, unsigned long room)
{
    return strncpy(to, from, size);
}

char *__strcat_chk(char *to, const char *from, unsigned long room)
{
    return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, unsigned long most, unsigned long room)
{
    return strncat(to, from, most);
}

char *strerror(int error)
{
    static char text[64];
    if (!__heddle_executing())
        return "error";
    int length = __heddle_machine("strerror", error);
    for (int i = 0; i < length && i < 63; i++)
        text[i] = (char)__heddle_machine("byte", i);
    text[length < 63 ? length : 63] = 0;
    return text;
}
