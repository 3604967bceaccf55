/* Input from streams. In a program that is verified it is arbitrary: any characters, any values, and it may end anywhere. In one that is
   executed the machine has it. */

typedef __builtin_va_list arguments;

void *malloc(unsigned long size);
void free(void *p);
int __heddle_scan(const char *text, const char *format, arguments list, int *place);

enum { STANDARD_INPUT = 3 };

int getc(void *stream)
{
    if (__heddle_executing())
        return __heddle_machine("fgetc", stream);
    int c = __heddle_nondet("character");
    __heddle_assume(c >= -1 && c <= 255);
    return c;
}

int getchar(void)
{
    return getc((void *)STANDARD_INPUT);
}

int fgetc(void *stream)
{
    return getc(stream);
}

char *fgets(char *to, int size, void *stream)
{
    int n = 0;
    if (size <= 0)
        return 0;
    while (n < size - 1) {
        int c = getc(stream);
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

/* The rest of the stream is text to scan; what was not used is read again. */
static int scan_stream(void *stream, const char *format, arguments list)
{
    int rest = __heddle_machine("rest", stream), place[2];
    char *text = malloc((unsigned long)rest + 1);
    for (int i = 0; i < rest; i++)
        text[i] = (char)__heddle_machine("fgetc", stream);
    text[rest] = 0;
    int count = __heddle_scan(text, format, list, place);
    free(text);
    __heddle_machine("fseek", stream, (long long)place[0] - rest, 1);
    /* Who has looked for more at the end knows that it is the end. */
    if (place[1] && place[0] == rest)
        __heddle_machine("fgetc", stream);
    return count;
}

/* Any number of conversions may succeed, from the first on. */
static int scan(void *stream, const char *format, arguments list)
{
    int count = 0;
    if (__heddle_executing())
        return scan_stream(stream, format, list);
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
    int count = scan((void *)STANDARD_INPUT, format, list);
    __builtin_va_end(list);
    return count;
}

int fscanf(void *stream, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int count = scan(stream, format, list);
    __builtin_va_end(list);
    return count;
}

int vscanf(const char *format, arguments list)
{
    return scan((void *)STANDARD_INPUT, format, list);
}

int vfscanf(void *stream, const char *format, arguments list)
{
    return scan(stream, format, list);
}

/* The names that glibc's headers give them for C99 and C23. */

int __isoc99_scanf(const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int count = scan((void *)STANDARD_INPUT, format, list);
    __builtin_va_end(list);
    return count;
}

int __isoc99_fscanf(void *stream, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int count = scan(stream, format, list);
    __builtin_va_end(list);
    return count;
}

int __isoc23_scanf(const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int count = scan((void *)STANDARD_INPUT, format, list);
    __builtin_va_end(list);
    return count;
}

int __isoc23_fscanf(void *stream, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int count = scan(stream, format, list);
    __builtin_va_end(list);
    return count;
}
