/* Formatted output to memory. (printf and fprintf are left to the machine: they have no effect on the program.)
 *
 * All conversions of integers, characters, strings and pointers are exact, and those of floating-point numbers that float_to_text.c
 * knows; of others the text is arbitrary: some digits.
 */

typedef __builtin_va_list arguments;

void *malloc(unsigned long size);
void free(void *p);
int printf(const char *format, ...);
int fprintf(void *stream, const char *format, ...);
int __heddle_float_to_text(char *to, double x, char kind, int precision, int alternate);

/* Where the text goes: only what fits before the terminator is stored, but everything is counted. */
struct sink {
    char *to;
    unsigned long room;
    unsigned long length;
};

struct conversion {
    int left, plus, space, alternate, zero;
    int width;
    int precision; /* -1: none */
};

static void put(struct sink *sink, char c)
{
    if (sink->length + 1 < sink->room)
        sink->to[sink->length] = c;
    sink->length++;
}

static void pad(struct sink *sink, char c, int count)
{
    for (; count > 0; count--)
        put(sink, c);
}

/* Text behind a prefix (a sign, 0x) and zeros, padded to the width. */
static void put_text(struct sink *sink, const struct conversion *how, const char *prefix, int zeros, const char *text,
                     int length)
{
    int prefix_length = prefix[0] == 0 ? 0 : prefix[1] == 0 ? 1 : 2;
    int fill = how->width - prefix_length - zeros - length;
    if (!how->left && !how->zero)
        pad(sink, ' ', fill);
    for (int i = 0; i < prefix_length; i++)
        put(sink, prefix[i]);
    if (!how->left && how->zero)
        pad(sink, '0', fill);
    pad(sink, '0', zeros);
    for (int i = 0; i < length; i++)
        put(sink, text[i]);
    if (how->left)
        pad(sink, ' ', fill);
}

static void put_number(struct sink *sink, struct conversion *how, const char *prefix, unsigned long long value, int base,
                       int upper)
{
    char digits[22]; /* 64 bits in octal */
    int start = 22, least = how->precision < 0 ? 1 : how->precision;
    for (; value != 0; value /= base) {
        int digit = (int)(value % base);
        digits[--start] = digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + digit - 10;
    }
    int length = 22 - start;
    if (how->alternate && base == 8 && length >= least)
        least = length + 1;
    if (how->precision >= 0)
        how->zero = 0;
    put_text(sink, how, prefix, length < least ? least - length : 0, digits + start, length);
}

/* Some digits, at least one, at most 24. */
static int some_digits(char *to)
{
    int length = 0;
    do {
        int digit = __heddle_nondet("digit");
        __heddle_assume(digit >= 0 && digit <= 9);
        to[length++] = '0' + digit;
    } while (length < 24 && __heddle_choose("more_digits"));
    return length;
}

static const char *sign_of(const struct conversion *how, double x)
{
    return __builtin_signbit(x) ? "-" : how->plus ? "+" : how->space ? " " : "";
}

/* A number of which the machine makes the text. */
static void put_computed_float(struct sink *sink, struct conversion *how, char kind, double x, long double value)
{
    /* The machine refuses what is no double. */
    int length = x == value ? __heddle_machine("float_text", x, kind, how->precision, how->alternate)
                            : __heddle_machine("long_double_text");
    char *text = malloc((unsigned long)length + 1);
    for (int i = 0; i < length; i++)
        text[i] = (char)__heddle_machine("byte", i);
    put_text(sink, how, sign_of(how, x), 0, text, length);
    free(text);
}

static void put_float(struct sink *sink, struct conversion *how, char kind, long double value)
{
    char text[128];
    double x = (double)value;
    int known = x == value || x != x, length = -1;
    if (known)
        length = __heddle_float_to_text(text, x, kind, how->precision, how->alternate);
    if (length < 0 && __heddle_executing()) {
        put_computed_float(sink, how, kind, x, value);
        return;
    }
    if (length < 0)
        length = some_digits(text);
    /* Infinities are not filled up with zeros. */
    if (x - x != 0)
        how->zero = 0;
    put_text(sink, how, sign_of(how, x), 0, text, length);
}

static int string_length(const char *s, int most)
{
    int n = 0;
    while ((most < 0 || n < most) && s[n])
        n++;
    return n;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int vsnprintf(char *to, unsigned long size, const char *format, arguments list)
{
    struct sink sink = { to, size, 0 };
    for (; *format; format++) {
        struct conversion how = { 0, 0, 0, 0, 0, 0, -1 };
        /* -2 char, -1 short, 0 int, 1 long, 2 long long */
        int size_of = 0, flag = 1;
        if (*format != '%') {
            put(&sink, *format);
            continue;
        }
        format++;
        while (flag) {
            switch (*format) {
            case '-': how.left = 1; break;
            case '+': how.plus = 1; break;
            case ' ': how.space = 1; break;
            case '#': how.alternate = 1; break;
            case '0': how.zero = 1; break;
            default: flag = 0;
            }
            if (flag)
                format++;
        }
        if (*format == '*') {
            how.width = __builtin_va_arg(list, int);
            format++;
            if (how.width < 0) {
                how.left = 1;
                how.width = -how.width;
            }
        } else {
            for (; is_digit(*format); format++)
                how.width = how.width * 10 + (*format - '0');
        }
        if (*format == '.') {
            format++;
            how.precision = 0;
            if (*format == '*') {
                how.precision = __builtin_va_arg(list, int);
                format++;
            } else {
                for (; is_digit(*format); format++)
                    how.precision = how.precision * 10 + (*format - '0');
            }
        }
        for (int more = 1; more;) {
            switch (*format) {
            case 'h': size_of--; break;
            case 'l': size_of++; break;
            case 'z': case 't': size_of = 1; break;
            case 'j': case 'q': case 'L': size_of = 2; break;
            default: more = 0;
            }
            if (more)
                format++;
        }
        switch (*format) {
        case 'd':
        case 'i': {
            long long value = size_of >= 2   ? __builtin_va_arg(list, long long)
                              : size_of == 1 ? __builtin_va_arg(list, long)
                                             : __builtin_va_arg(list, int);
            if (size_of == -1)
                value = (short)value;
            if (size_of <= -2)
                value = (signed char)value;
            unsigned long long magnitude = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
            put_number(&sink, &how, value < 0 ? "-" : how.plus ? "+" : how.space ? " " : "", magnitude, 10, 0);
            break;
        }
        case 'u':
        case 'x':
        case 'X':
        case 'o': {
            unsigned long long value = size_of >= 2   ? __builtin_va_arg(list, unsigned long long)
                                       : size_of == 1 ? __builtin_va_arg(list, unsigned long)
                                                      : __builtin_va_arg(list, unsigned);
            if (size_of == -1)
                value = (unsigned short)value;
            if (size_of <= -2)
                value = (unsigned char)value;
            char kind = *format;
            int base = kind == 'u' ? 10 : kind == 'o' ? 8 : 16;
            const char *prefix = how.alternate && value != 0 ? kind == 'x' ? "0x" : kind == 'X' ? "0X" : "" : "";
            put_number(&sink, &how, prefix, value, base, kind == 'X');
            break;
        }
        case 'p': {
            void *pointer = __builtin_va_arg(list, void *);
            how.zero = 0;
            if (pointer)
                put_number(&sink, &how, "0x", (unsigned long)pointer, 16, 0);
            else
                put_text(&sink, &how, "", 0, "(nil)", 5);
            break;
        }
        case 'c': {
            char c = (char)__builtin_va_arg(list, int);
            how.zero = 0;
            put_text(&sink, &how, "", 0, &c, 1);
            break;
        }
        case 's': {
            const char *s = __builtin_va_arg(list, const char *);
            how.zero = 0;
            if (!s)
                s = "(null)";
            put_text(&sink, &how, "", 0, s, string_length(s, how.precision));
            break;
        }
        case 'n':
            *__builtin_va_arg(list, int *) = (int)sink.length;
            break;
        case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
            if (size_of >= 2)
                put_float(&sink, &how, *format, __builtin_va_arg(list, long double));
            else
                put_float(&sink, &how, *format, __builtin_va_arg(list, double));
            break;
        case '%':
            put(&sink, '%');
            break;
        case 0:
            return -1;
        default:
            /* Not a conversion: C leaves it undefined, glibc prints it. */
            put(&sink, '%');
            put(&sink, *format);
        }
    }
    if (size > 0)
        to[sink.length < size ? sink.length : size - 1] = 0;
    return (int)sink.length;
}

int vsprintf(char *to, const char *format, arguments list)
{
    return vsnprintf(to, ~0ul, format, list);
}

int snprintf(char *to, unsigned long size, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int length = vsnprintf(to, size, format, list);
    __builtin_va_end(list);
    return length;
}

int sprintf(char *to, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int length = vsnprintf(to, ~0ul, format, list);
    __builtin_va_end(list);
    return length;
}

int vasprintf(char **to, const char *format, arguments list)
{
    arguments again;
    __builtin_va_copy(again, list);
    int length = vsnprintf(0, 0, format, again);
    __builtin_va_end(again);
    char *text = malloc((unsigned long)length + 1);
    if (!text)
        return -1;
    *to = text;
    return vsnprintf(text, (unsigned long)length + 1, format, list);
}

int asprintf(char **to, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int length = vasprintf(to, format, list);
    __builtin_va_end(list);
    return length;
}

/* The names that _FORTIFY_SOURCE gives them; bounds are checked anyway. */

int __vsnprintf_chk(char *to, unsigned long size, int flag, unsigned long room, const char *format, arguments list)
{
    return vsnprintf(to, size, format, list);
}

int __vsprintf_chk(char *to, int flag, unsigned long room, const char *format, arguments list)
{
    return vsnprintf(to, ~0ul, format, list);
}

int __snprintf_chk(char *to, unsigned long size, int flag, unsigned long room, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int length = vsnprintf(to, size, format, list);
    __builtin_va_end(list);
    return length;
}

int __sprintf_chk(char *to, int flag, unsigned long room, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    int length = vsnprintf(to, ~0ul, format, list);
    __builtin_va_end(list);
    return length;
}

/* Output by way of memory. */

int vfprintf(void *stream, const char *format, arguments list)
{
    char *text = 0;
    int length = vasprintf(&text, format, list);
    if (length >= 0)
        fprintf(stream, "%s", text);
    free(text);
    return length;
}

int vprintf(const char *format, arguments list)
{
    char *text = 0;
    int length = vasprintf(&text, format, list);
    if (length >= 0)
        printf("%s", text);
    free(text);
    return length;
}
