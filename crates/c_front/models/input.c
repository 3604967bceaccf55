/* Input from streams is arbitrary: any characters, any values, and it may end anywhere. */

typedef __builtin_va_list arguments;

int getchar(void)
{
    int c = __heddle_nondet("character");
    __heddle_assume(c >= -1 && c <= 255);
    return c;
}

int getc(void *stream)
{
    return getchar();
}

int fgetc(void *stream)
{
    return getchar();
}

char *fgets(char *to, int size, void *stream)
{
    int n = 0;
    if (size <= 0)
        return 0;
    while (n < size - 1) {
        int c = getchar();
        if (c == -1)
            break;
        to[n++] = (char)c;
        if (c == '\n')
            break;
    }
    if (n == 0 && size > 1)
        return 0;
    to[n] = 0;
    return to;
}

static void word(char *to, int width)
{
    int n = 0;
    do {
        int c = getchar();
        __heddle_assume(c > ' ');
        if (to)
            to[n] = (char)c;
        n++;
    } while ((width == 0 || n < width) && __heddle_choose("longer"));
    if (to)
        to[n] = 0;
}

static void value(void *to, int size)
{
    if (size >= 2)
        *(long long *)to = __VERIFIER_nondet_longlong();
    else if (size == 1)
        *(long *)to = __VERIFIER_nondet_long();
    else if (size == 0)
        *(int *)to = __VERIFIER_nondet_int();
    else if (size == -1)
        *(short *)to = __VERIFIER_nondet_short();
    else
        *(char *)to = __VERIFIER_nondet_char();
}

/* Any number of conversions may succeed, from the first on. */
static int scan(const char *format, arguments list)
{
    int count = 0;
    for (; *format; format++) {
        if (*format != '%')
            continue;
        int keep = 1, width = 0, size = 0;
        format++;
        if (*format == '%')
            continue;
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
        if (!__heddle_choose("input_matches"))
            return count == 0 && __heddle_choose("input_ends") ? -1 : count;
        switch (*format) {
        case 'd': case 'u': case 'i': case 'x': case 'X': case 'o':
            if (keep)
                value(__builtin_va_arg(list, void *), size);
            break;
        case 'n':
            if (keep)
                value(__builtin_va_arg(list, void *), size);
            keep = 0;
            break;
        case 'p':
            if (keep)
                value(__builtin_va_arg(list, void *), 1);
            break;
        case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
            if (keep && size >= 2)
                *__builtin_va_arg(list, long double *) = __VERIFIER_nondet_double();
            else if (keep && size == 1)
                *__builtin_va_arg(list, double *) = __VERIFIER_nondet_double();
            else if (keep)
                *__builtin_va_arg(list, float *) = __VERIFIER_nondet_float();
            break;
        case 'c': {
            char *to = keep ? __builtin_va_arg(list, char *) : 0;
            for (int i = 0; keep && i < (width ? width : 1); i++)
                to[i] = __VERIFIER_nondet_char();
            break;
        }
        case 's':
            word(keep ? __builtin_va_arg(list, char *) : 0, width);
            break;
        case '[':
            word(keep ? __builtin_va_arg(list, char *) : 0, width);
            /* A bracket that comes first belongs to the set. */
            format += format[1] == '^' ? 2 : 1;
            while (*format && *++format != ']') {
            }
            break;
        default:
            return count;
        }
        if (!*format)
            break;
        count += keep;
    }
    return count;
}

int scanf(const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int count = scan(format, list);
    __builtin_va_end(list);
    return count;
}

int fscanf(void *stream, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int count = scan(format, list);
    __builtin_va_end(list);
    return count;
}

int vscanf(const char *format, arguments list)
{
    return scan(format, list);
}

int vfscanf(void *stream, const char *format, arguments list)
{
    return scan(format, list);
}

/* The names that glibc's headers give them for C99 and C23. */

int __isoc99_scanf(const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int count = scan(format, list);
    __builtin_va_end(list);
    return count;
}

int __isoc99_fscanf(void *stream, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int count = scan(format, list);
    __builtin_va_end(list);
    return count;
}

int __isoc23_scanf(const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int count = scan(format, list);
    __builtin_va_end(list);
    return count;
}

int __isoc23_fscanf(void *stream, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int count = scan(format, list);
    __builtin_va_end(list);
    return count;
}
