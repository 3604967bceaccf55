/* Floating-point numbers from text. A decimal number of which the digits fit the type and the power of ten is one that fits too is the
   quotient or product of two exact numbers, so it is rounded once and right. Any other may be any number. */

/* Digits times a power of the base; or what `special` says. */
struct number {
    unsigned long long digits;
    int base, power, negative;
    int inexact; /* digits are missing */
    enum { ORDINARY, INFINITE, NOT_A_NUMBER } special;
};

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Whether the text begins with a word of small letters, in any case. */
static int begins(const char *s, const char *word)
{
    for (; *word; s++, word++)
        if (*s != *word && *s != *word - 'a' + 'A')
            return 0;
    return 1;
}

/* An exponent behind its letter, and where it ends; 0 and the start if there is none. */
static int exponent(const char *s, const char **end)
{
    const char *p = s + 1;
    int negative = *p == '-', value = 0;
    if (*p == '-' || *p == '+')
        p++;
    if (!is_digit(*p)) {
        *end = s;
        return 0;
    }
    for (; is_digit(*p); p++)
        if (value < 100000)
            value = value * 10 + (*p - '0');
    *end = p;
    return negative ? -value : value;
}

/* Reads as much as belongs to a number, and says where that ends: at the start if there is none. */
static const char *parse(const char *text, struct number *n)
{
    const char *s = text, *stop = text;
    *n = (struct number){ 0, 10, 0, 0, 0, ORDINARY };
    while (is_space(*s))
        s++;
    int negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    int hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X') &&
              (hex_digit(s[2]) >= 0 || (s[2] == '.' && hex_digit(s[3]) >= 0));
    if (begins(s, "inf")) {
        n->special = INFINITE;
        stop = s + (begins(s, "infinity") ? 8 : 3);
    } else if (begins(s, "nan")) {
        n->special = NOT_A_NUMBER;
        stop = s + 3;
    } else {
        int any = 0, point = 0, places = hex ? 4 : 1;
        if (hex)
            s += 2;
        for (;; s++) {
            int d = hex ? hex_digit(*s) : is_digit(*s) ? *s - '0' : -1;
            if (*s == '.' && !point) {
                point = 1;
                continue;
            }
            if (d < 0)
                break;
            any = 1;
            if (n->digits >> 59) {
                /* No room for more; zeros need none. */
                n->inexact |= d != 0;
                n->power += point ? 0 : places;
            } else {
                n->digits = n->digits * (hex ? 16 : 10) + d;
                n->power -= point ? places : 0;
            }
        }
        if (any) {
            stop = s;
            if (hex ? *s == 'p' || *s == 'P' : *s == 'e' || *s == 'E')
                n->power += exponent(s, &stop);
            /* Zeros at the end of the digits only make them longer. */
            for (; !hex && n->digits && n->digits % 10 == 0; n->power++)
                n->digits /= 10;
        }
        n->base = hex ? 2 : 10;
    }
    n->negative = negative && stop != text;
    return stop;
}

static int size_of_power(const struct number *n)
{
    return n->power < 0 ? -n->power : n->power;
}

double strtod(const char *text, char **end)
{
    struct number n;
    const char *stop = parse(text, &n);
    double result = 0, scale = 1;
    if (end)
        *end = (char *)stop;
    if (n.special == INFINITE) {
        result = __builtin_inf();
    } else if (n.special == NOT_A_NUMBER) {
        result = __builtin_nan("");
    } else if (n.inexact || n.digits >> 53 || (n.digits && size_of_power(&n) > (n.base == 10 ? 22 : 900))) {
        result = __heddle_machine_double("strtod", text, (long)(stop - text));
    } else if (n.digits) {
        for (int k = size_of_power(&n); k > 0; k--)
            scale *= n.base;
        result = n.power < 0 ? (double)n.digits / scale : (double)n.digits * scale;
    }
    return n.negative ? -result : result;
}

/* Rounded a second time, which matters where the first rounding has ended in the middle between two floats. */
float strtof(const char *text, char **end)
{
    char *stop;
    union {
        double value;
        unsigned long long bits;
    } number = { strtod(text, &stop) };
    if (end)
        *end = stop;
    double size = number.value < 0 ? -number.value : number.value;
    if ((number.bits & 0x1fffffff) == 0x10000000 || (size != 0 && size < 1e-37))
    {
        float size_of_float = __heddle_machine_float("strtof", text, (long)(stop - text));
        return __heddle_executing() && number.value < 0 ? -size_of_float : size_of_float;
    }
    return (float)number.value;
}

long double strtold(const char *text, char **end)
{
    struct number n;
    const char *stop = parse(text, &n);
    long double result = 0, scale = 1;
    if (end)
        *end = (char *)stop;
    if (n.special == INFINITE) {
        result = __builtin_inf();
    } else if (n.special == NOT_A_NUMBER) {
        result = __builtin_nan("");
    } else if (n.inexact || (n.digits && size_of_power(&n) > (n.base == 10 ? 27 : 900))) {
        result = __heddle_machine_double("strtold");
    } else if (n.digits) {
        for (int k = size_of_power(&n); k > 0; k--)
            scale *= n.base;
        result = n.power < 0 ? (long double)n.digits / scale : (long double)n.digits * scale;
    }
    return n.negative ? -result : result;
}

double atof(const char *text)
{
    return strtod(text, 0);
}
