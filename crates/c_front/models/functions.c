/* Functions of real numbers that no machine computes exactly. Where the result is known whatever the rounding (whole powers, the value at
   zero) it is that; elsewhere it is any number in the function's range, and in a program that is executed what the library computes. */

double trunc(double x);
double fabs(double x);

static double between(double result, double low, double high)
{
    __heddle_assume(result >= low && result <= high);
    return result;
}

/* x to the power of n where all steps are exact; NaN where they are not. */
static double whole_power(double x, int n)
{
    double result = 1;
    if (x != trunc(x))
        return __builtin_nan("");
    for (; n > 0; n--) {
        result *= x;
        if (fabs(result) > 9007199254740992.0)
            return __builtin_nan("");
    }
    return result;
}

double pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (y == 1 || x != x)
        return x;
    if (y != y)
        return y;
    if (y >= 0 && y <= 64 && y == trunc(y)) {
        double result = whole_power(x, (int)y);
        if (result == result)
            return result;
    }
    /* Odd powers of minus zero have a sign too. */
    return x > 0 ? between(__heddle_machine_double("pow", x, y), 0, __builtin_inf()) : __heddle_machine_double("pow", x, y);
}

/* An exponential whose value at x is `y` if it is not known. */
static double exponential(double x, double y)
{
    return x == 0 ? 1 : x > 0 ? between(y, 1, __builtin_inf()) : x < 0 ? between(y, 0, 1) : x;
}

double exp(double x)
{
    return x == 0 || x != x ? exponential(x, x) : exponential(x, __heddle_machine_double("exp", x));
}

double exp2(double x)
{
    return x == 0 || x != x ? exponential(x, x) : exponential(x, __heddle_machine_double("exp2", x));
}

/* A logarithm, likewise. */
static double logarithm(double x, double y)
{
    if (!(x >= 0))
        return __builtin_nan("");
    if (x == 0)
        return -__builtin_inf();
    return x == 1 ? 0 : x > 1 ? between(y, 0, __builtin_inf()) : between(y, -__builtin_inf(), 0);
}

double log(double x)
{
    return x > 0 && x != 1 ? logarithm(x, __heddle_machine_double("log", x)) : logarithm(x, 0);
}

double log2(double x)
{
    return x > 0 && x != 1 ? logarithm(x, __heddle_machine_double("log2", x)) : logarithm(x, 0);
}

double log10(double x)
{
    return x > 0 && x != 1 ? logarithm(x, __heddle_machine_double("log10", x)) : logarithm(x, 0);
}

double sin(double x)
{
    return x == 0 ? x : x - x != 0 ? x - x : between(__heddle_machine_double("sin", x), -1, 1);
}

double cos(double x)
{
    return x == 0 ? 1 : x - x != 0 ? x - x : between(__heddle_machine_double("cos", x), -1, 1);
}

double tan(double x)
{
    return x == 0 ? x : x - x != 0 ? x - x : __heddle_machine_double("tan", x);
}

double asin(double x)
{
    if (x == 0)
        return x;
    if (!(fabs(x) <= 1))
        return __builtin_nan("");
    return between(__heddle_machine_double("asin", x), -1.5707963267948968, 1.5707963267948968);
}

double acos(double x)
{
    if (x == 1)
        return 0;
    return fabs(x) <= 1 ? between(__heddle_machine_double("acos", x), 0, 3.1415926535897936) : __builtin_nan("");
}

double atan(double x)
{
    return x == 0 || x != x ? x : between(__heddle_machine_double("atan", x), -1.5707963267948968, 1.5707963267948968);
}

double atan2(double y, double x)
{
    if (y != y || (y == 0 && x > 0))
        return y;
    return x != x ? x : between(__heddle_machine_double("atan2", y, x), -3.1415926535897936, 3.1415926535897936);
}

double cbrt(double x)
{
    if (x == 0 || x - x != 0)
        return x;
    double root = __heddle_machine_double("cbrt", x);
    return x > 0 ? between(root, 0, __builtin_inf()) : between(root, -__builtin_inf(), 0);
}

double sinh(double x)
{
    if (x == 0 || x - x != 0)
        return x;
    double result = __heddle_machine_double("sinh", x);
    return x > 0 ? between(result, 0, __builtin_inf()) : between(result, -__builtin_inf(), 0);
}

double cosh(double x)
{
    return x != x ? x : between(__heddle_machine_double("cosh", x), 1, __builtin_inf());
}

double tanh(double x)
{
    return x == 0 || x != x ? x : between(__heddle_machine_double("tanh", x), -1, 1);
}

double expm1(double x)
{
    return x == 0 || x != x ? x : between(__heddle_machine_double("expm1", x), -1, __builtin_inf());
}

double log1p(double x)
{
    return x == 0 || x != x ? x : x < -1 ? __builtin_nan("") : __heddle_machine_double("log1p", x);
}

double hypot(double x, double y)
{
    /* What is infinite is so whatever the other is. */
    if (x != x || y != y)
        return fabs(x) == __builtin_inf() || fabs(y) == __builtin_inf() ? __builtin_inf() : __builtin_nan("");
    if (x == 0)
        return fabs(y);
    return y == 0 ? fabs(x) : between(__heddle_machine_double("hypot", x, y), 0, __builtin_inf());
}

/* Powers of two change the exponent alone, but where the result is too small to keep all digits. */

static double scale(double x, int n)
{
    for (; n > 0 && x - x == 0 && x != 0; n--)
        x *= 2;
    for (; n < 0 && x - x == 0 && x != 0; n++)
        x /= 2;
    return x;
}

double ldexp(double x, int n)
{
    /* A number below the normal ones is rounded at every step then, and may be rounded twice. */
    double result = scale(x, n);
    return n < 0 && x != 0 && fabs(result) < 1e-307 ? __heddle_machine_double("ldexp", x, n) : result;
}

double scalbn(double x, int n)
{
    return ldexp(x, n);
}

double frexp(double x, int *exponent)
{
    int e = 0;
    if (x != 0 && x - x == 0) {
        for (; fabs(x) >= 1; e++)
            x /= 2;
        for (; fabs(x) < 0.5; e--)
            x *= 2;
    }
    *exponent = e;
    return x;
}
