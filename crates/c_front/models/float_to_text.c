/* Floating-point numbers as text, for vsnprintf: %f, %e and %g, rounded as C asks (to nearest, ties to even).
 *
 * A number is m * 2^e with m below 2^53, so m * 10^k fits 128 bits for k up to 22, and the digits are those of a quotient by a power
 * of two or ten whose remainder is known. Numbers that need more (from 2^127 on, or more digits behind the point) are not done here.
 */

typedef unsigned __int128 wide;

enum { MOST_POWER = 22 };

struct decimal {
    wide digits;
    int count;    /* of the digits, at least 1 */
    int exponent; /* of the first digit */
};

static wide power_of_ten(int k)
{
    wide power = 1;
    for (; k > 0; k--)
        power *= 10;
    return power;
}

static int count_digits(wide value)
{
    int count = 1;
    for (; value >= 10; value /= 10)
        count++;
    return count;
}

/* value / by, rounded. */
static wide quotient(wide value, wide by)
{
    wide result = value / by, rest = value % by, half = by / 2;
    int odd_by = (int)(by & 1);
    /* For an odd divisor no remainder is exactly a half. */
    if (rest > half || (rest == half && !odd_by && (result & 1)))
        result++;
    return result;
}

/* m * 2^e * 10^k, rounded; what is asked for fits. `*fits` is cleared where it does not. */
static wide scaled(unsigned long long m, int e, int k, int *fits)
{
    if (k > MOST_POWER || k < -38 || e > 74) {
        *fits = 0;
        return 0;
    }
    wide value = m;
    if (e >= 0) {
        value <<= e;
        if (k < 0)
            return quotient(value, power_of_ten(-k));
        wide power = power_of_ten(k);
        if (value > ~(wide)0 / power)
            *fits = 0;
        return value * power;
    }
    if (k >= 0) {
        value *= power_of_ten(k);
        /* Below 2^127, so less than a half of such a power. */
        return e <= -128 ? 0 : e == -127 ? value > (wide)1 << 126 : quotient(value, (wide)1 << -e);
    }
    /* At least one, so the divisor is at most m. */
    return quotient(value, power_of_ten(-k) << -e);
}

/* The first `count` significant digits of m * 2^e, which is not zero. */
static struct decimal significant(unsigned long long m, int e, int count, int *fits)
{
    struct decimal result = { 0, count, 0 };
    if (e > 74) {
        *fits = 0;
        return result;
    }
    wide whole = e >= 0 ? (wide)m << e : e <= -64 ? 0 : m >> -e;
    if (whole) {
        result.exponent = count_digits(whole) - 1;
    } else {
        int k = 1;
        while (k <= MOST_POWER && (e <= -128 || ((wide)m * power_of_ten(k)) >> -e == 0))
            k++;
        result.exponent = -k;
    }
    result.digits = scaled(m, e, count - 1 - result.exponent, fits);
    if (*fits && count_digits(result.digits) > count) {
        result.digits /= 10;
        result.exponent++;
    }
    return result;
}

/* Writes `count` digits, with zeros in front. */
static char *write_digits(char *to, wide value, int count)
{
    for (int i = count - 1; i >= 0; i--, value /= 10)
        to[i] = (char)('0' + (int)(value % 10));
    return to + count;
}

static char *write_exponent(char *to, int exponent, int upper)
{
    *to++ = upper ? 'E' : 'e';
    *to++ = exponent < 0 ? '-' : '+';
    int size = exponent < 0 ? -exponent : exponent;
    return write_digits(to, size, size < 100 ? 2 : 3);
}

/* Writes the magnitude of `x` as the conversion `kind` has it; there is room for 128 characters. The result is their number, or -1 if
   they are not known. */
int __heddle_float_to_text(char *to, double x, char kind, int precision, int alternate)
{
    union {
        double value;
        unsigned long long bits;
    } number = { x };
    int upper = kind >= 'A' && kind <= 'Z', fits = 1;
    int exponent = (int)(number.bits >> 52 & 0x7ff);
    unsigned long long m = number.bits & 0xfffffffffffff;
    char lower = upper ? kind - 'A' + 'a' : kind, *start = to;
    if (exponent == 0x7ff) {
        const char *name = m ? upper ? "NAN" : "nan" : upper ? "INF" : "inf";
        for (int i = 0; i < 3; i++)
            to[i] = name[i];
        return 3;
    }
    if (precision < 0)
        precision = 6;
    if (lower == 'a' || precision > 60)
        return -1;
    if (exponent)
        m |= 1ull << 52;
    else
        exponent = 1;
    int e = exponent - 1075;
    if (lower == 'f') {
        wide digits = e >= 0 ? scaled(m, e, 0, &fits) : scaled(m, e, precision, &fits);
        if (!fits)
            return -1;
        int behind = e >= 0 ? 0 : precision, count = count_digits(digits);
        if (count <= behind)
            count = behind + 1;
        wide power = power_of_ten(behind);
        to = write_digits(to, digits / power, count - behind);
        if (precision > 0 || alternate)
            *to++ = '.';
        return (int)(write_digits(to, digits % power, precision) - start);
    }
    int count = lower == 'e' ? precision + 1 : precision ? precision : 1;
    struct decimal d = { 0, count, 0 };
    if (m)
        d = significant(m, e, count, &fits);
    if (!fits)
        return -1;
    int scientific = lower == 'e' || d.exponent < -4 || d.exponent >= count;
    if (lower == 'g' && !alternate)
        for (; d.count > 1 && (scientific || d.count > d.exponent + 1) && d.digits % 10 == 0; d.count--)
            d.digits /= 10;
    if (scientific) {
        wide power = power_of_ten(d.count - 1);
        to = write_digits(to, d.digits / power, 1);
        if (d.count > 1 || alternate)
            *to++ = '.';
        to = write_digits(to, d.digits % power, d.count - 1);
        return (int)(write_exponent(to, d.exponent, upper) - start);
    }
    if (d.exponent < 0) {
        to = write_digits(to, 0, 1);
        *to++ = '.';
        to = write_digits(to, 0, -d.exponent - 1);
        return (int)(write_digits(to, d.digits, d.count) - start);
    }
    int behind = d.count - d.exponent - 1;
    wide power = power_of_ten(behind);
    to = write_digits(to, d.digits / power, d.exponent + 1);
    if (behind > 0 || alternate)
        *to++ = '.';
    return (int)(write_digits(to, d.digits % power, behind) - start);
}
