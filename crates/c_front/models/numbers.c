/* Numbers from text, absolute values, division with remainder. */

int *__errno_location(void);

/* The value of a digit, 36 if it is none. */
static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 36;
}

/* Reads a number as strtol does: white space, sign, prefix of the base, digits. The magnitude is cut to `most` (for a
   minus sign to `least`), with ERANGE. */
static unsigned long long number(const char *s, char **end, int base, unsigned long long most, unsigned long long least)
{
    const char *start = s;
    unsigned long long value = 0;
    int negative = 0, overflow = 0, any = 0;
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = 22; /* EINVAL */
        return 0;
    }
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    if (*s == '+' || *s == '-')
        negative = *s++ == '-';
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit(s[2]) < 16) {
        s += 2;
        base = 16;
    }
    if (base == 0)
        base = *s == '0' ? 8 : 10;
    unsigned long long limit = negative ? least : most;
    for (int d; (d = digit(*s)) < base; s++) {
        any = 1;
        if (value > (limit - d) / base || limit < d)
            overflow = 1;
        else
            value = value * base + d;
    }
    if (end)
        *end = (char *)(any ? s : start);
    if (overflow) {
        *__errno_location() = 34; /* ERANGE */
        /* For the unsigned types this is the result, whatever the sign. */
        if (most == least)
            return most;
        value = limit;
    }
    return negative ? -value : value;
}

long long strtoll(const char *s, char **end, int base)
{
    return number(s, end, base, 0x7fffffffffffffff, 0x8000000000000000);
}

long strtol(const char *s, char **end, int base)
{
    return number(s, end, base, ~0ul >> 1, (~0ul >> 1) + 1);
}

/* A minus sign negates what was read. */
unsigned long long strtoull(const char *s, char **end, int base)
{
    return number(s, end, base, ~0ull, ~0ull);
}

unsigned long strtoul(const char *s, char **end, int base)
{
    return number(s, end, base, ~0ul, ~0ul);
}

/* The names that glibc's headers give them for C23. */

long long __isoc23_strtoll(const char *s, char **end, int base)
{
    return strtoll(s, end, base);
}

long __isoc23_strtol(const char *s, char **end, int base)
{
    return strtol(s, end, base);
}

unsigned long long __isoc23_strtoull(const char *s, char **end, int base)
{
    return strtoull(s, end, base);
}

unsigned long __isoc23_strtoul(const char *s, char **end, int base)
{
    return strtoul(s, end, base);
}

long long atoll(const char *s)
{
    return strtoll(s, 0, 10);
}

long atol(const char *s)
{
    return strtol(s, 0, 10);
}

int atoi(const char *s)
{
    return (int)strtol(s, 0, 10);
}

int abs(int x)
{
    return x < 0 ? -x : x;
}

long labs(long x)
{
    return x < 0 ? -x : x;
}

long long llabs(long long x)
{
    return x < 0 ? -x : x;
}

long long imaxabs(long long x)
{
    return x < 0 ? -x : x;
}

struct division {
    int quotient, remainder;
};

struct division div(int a, int b)
{
    struct division result = { a / b, a % b };
    return result;
}

struct long_division {
    long quotient, remainder;
};

struct long_division ldiv(long a, long b)
{
    struct long_division result = { a / b, a % b };
    return result;
}

struct longer_division {
    long long quotient, remainder;
};

struct longer_division lldiv(long long a, long long b)
{
    struct longer_division result = { a / b, a % b };
    return result;
}
