/* Formatted input from a string. All conversions are exact, those of floating-point numbers as far as strtod is. */

typedef __builtin_va_list arguments;

double strtod(const char *text, char **end);
float strtof(const char *text, char **end);
long double strtold(const char *text, char **end);

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

/* Stores an integer; the size is that of vsscanf. */
static void store(void *to, int size, long long value)
{
    if (size >= 2)
        *(long long *)to = value;
    else if (size == 1)
        *(long *)to = (long)value;
    else if (size == 0)
        *(int *)to = (int)value;
    else if (size == -1)
        *(short *)to = (short)value;
    else
        *(signed char *)to = (signed char)value;
}

/* The end of a number in `s` of at most `width` characters, and its value; null if there is none. */
static const char *number(const char *s, int width, int base, long long *result)
{
    const char *end = s + width;
    unsigned long long value = 0;
    int negative = 0, any = 0;
    if (s < end && (*s == '-' || *s == '+'))
        negative = *s++ == '-';
    if (s + 2 < end && (base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit(s[2]) < 16) {
        s += 2;
        base = 16;
    }
    if (base == 0)
        base = s < end && *s == '0' ? 8 : 10;
    while (s < end && digit(*s) < base) {
        value = value * base + digit(*s++);
        any = 1;
    }
    *result = negative ? -value : value;
    return any ? s : 0;
}

/* The end of what looks like a floating-point number; null if there is none. */
static const char *float_number(const char *s, int width)
{
    const char *end = s + width;
    int any = 0;
    if (s < end && (*s == '-' || *s == '+'))
        s++;
    while (s < end && digit(*s) < 10) {
        s++;
        any = 1;
    }
    if (s < end && *s == '.')
        s++;
    while (s < end && digit(*s) < 10) {
        s++;
        any = 1;
    }
    if (any && s + 1 < end && (*s == 'e' || *s == 'E')) {
        const char *exponent = s + 1;
        if (*exponent == '-' || *exponent == '+')
            exponent++;
        if (exponent < end && digit(*exponent) < 10)
            for (s = exponent; s < end && digit(*s) < 10;)
                s++;
    }
    return any ? s : 0;
}

/* Whether `c` is in the set that begins at `set`, behind `[` and `^`, and ends at `end`. */
static int in_set(char c, const char *set, const char *end)
{
    for (; set < end; set++) {
        if (set + 2 < end && set[1] == '-') {
            if (c >= set[0] && c <= set[2])
                return 1;
            set += 2;
        } else if (*set == c) {
            return 1;
        }
    }
    return 0;
}

/* Scans a text. place[0] is how much of it was used, place[1] whether the end was looked at. */
int __heddle_scan(const char *text, const char *format, arguments list, int *place)
{
    const char *s = text;
    int count = 0;
    place[0] = 0;
    place[1] = 0;
    for (; *format; format++) {
        place[0] = (int)(s - text);
        if (is_space(*format)) {
            while (is_space(*s))
                s++;
            place[1] |= !*s;
            continue;
        }
        /* All that follows looks at a character, but for %n. */
        place[1] |= !*s && !(*format == '%' && format[1] == 'n');
        if (*format != '%') {
            if (*s != *format)
                return count == 0 && !*s ? -1 : count;
            s++;
            continue;
        }
        /* size: -2 char, -1 short, 0 int, 1 long, 2 long long */
        int keep = 1, width = 0, size = 0;
        format++;
        if (*format == '*') {
            keep = 0;
            format++;
        }
        for (; *format >= '0' && *format <= '9'; format++)
            width = width * 10 + (*format - '0');
        for (int more = 1; more;) {
            switch (*format) {
            case 'h': size--; break;
            case 'l': size++; break;
            case 'z': case 't': size = 1; break;
            case 'j': case 'q': case 'L': size = 2; break;
            default: more = 0;
            }
            if (more)
                format++;
        }
        char kind = *format;
        if (kind != 'c' && kind != '[' && kind != 'n')
            while (is_space(*s))
                s++;
        place[0] = (int)(s - text);
        place[1] |= !*s && kind != 'n';
        if (kind == 'n') {
            if (keep)
                store(__builtin_va_arg(list, void *), size, s - text);
            continue;
        }
        if (kind == '%') {
            if (*s != '%')
                return count == 0 && !*s ? -1 : count;
            s++;
            continue;
        }
        if (!*s)
            return count == 0 ? -1 : count;
        /* Nothing is longer than the rest of the text. */
        int rest = 0;
        while (s[rest] && (width == 0 || rest < width))
            rest++;
        switch (kind) {
        case 'd': case 'u': case 'i': case 'x': case 'X': case 'o': case 'p': {
            long long value;
            int base = kind == 'i' ? 0 : kind == 'o' ? 8 : kind == 'd' || kind == 'u' ? 10 : 16;
            s = number(s, rest, base, &value);
            if (!s)
                return count;
            if (keep)
                store(__builtin_va_arg(list, void *), kind == 'p' ? 1 : size, value);
            break;
        }
        case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
        {
            const char *end = float_number(s, rest);
            if (!end)
                return count;
            /* The number that the width ends in its midst is shorter than the one that the text goes on with. */
            char whole[64], *number = (char *)s;
            if (end == s + rest && width && end - s < (long)sizeof(whole)) {
                for (number = whole; s < end;)
                    *number++ = *s++;
                *number = 0;
                number = whole;
            }
            if (keep && size >= 2)
                *__builtin_va_arg(list, long double *) = strtold(number, 0);
            else if (keep && size == 1)
                *__builtin_va_arg(list, double *) = strtod(number, 0);
            else if (keep)
                *__builtin_va_arg(list, float *) = strtof(number, 0);
            s = end;
            break;
        }
        case 'c': {
            char *to = keep ? __builtin_va_arg(list, char *) : 0;
            int wanted = width ? width : 1;
            if (rest < wanted && width)
                return count;
            for (int i = 0; i < wanted; i++, s++)
                if (keep)
                    to[i] = *s;
            break;
        }
        case 's': {
            char *to = keep ? __builtin_va_arg(list, char *) : 0;
            int i = 0;
            for (; i < rest && !is_space(s[i]); i++)
                if (keep)
                    to[i] = s[i];
            if (keep)
                to[i] = 0;
            s += i;
            break;
        }
        case '[': {
            int inverted = format[1] == '^';
            const char *set = format + 1 + inverted;
            /* A bracket that comes first belongs to the set. */
            const char *end = *set ? set + 1 : set;
            while (*end && *end != ']')
                end++;
            if (!*end || !in_set(*s, set, end) == !inverted)
                return count;
            char *to = keep ? __builtin_va_arg(list, char *) : 0;
            int i = 0;
            for (; i < rest && !in_set(s[i], set, end) == inverted; i++)
                if (keep)
                    to[i] = s[i];
            if (keep)
                to[i] = 0;
            s += i;
            format = end;
            break;
        }
        default:
            return count;
        }
        /* Characters and full widths are not looked behind. */
        place[1] |= !*s && kind != 'c' && !width;
        count += keep;
    }
    place[0] = (int)(s - text);
    return count;
}

int vsscanf(const char *text, const char *format, arguments list)
{
    int place[2];
    return __heddle_scan(text, format, list, place);
}

int sscanf(const char *text, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int count = vsscanf(text, format, list);
    __builtin_va_end(list);
    return count;
}

/* The names that glibc's headers give it for C99 and C23. */

int __isoc99_sscanf(const char *text, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int count = vsscanf(text, format, list);
    __builtin_va_end(list);
    return count;
}

int __isoc23_sscanf(const char *text, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int count = vsscanf(text, format, list);
    __builtin_va_end(list);
    return count;
}
