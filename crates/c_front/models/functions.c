/* Functions of real numbers that no machine computes exactly. Where the result is known whatever the rounding (whole powers, the value at
   zero) it is that; elsewhere it is any number in the function's range. */

double trunc(double x);
double fabs(double x);

static double any(void)
{
    return __VERIFIER_nondet_double();
}

static double any_between(double low, double high)
{
    double result = any();
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
    return x > 0 ? any_between(0, __builtin_inf()) : any();
}

static double exponential(double x)
{
    return x == 0 ? 1 : x > 0 ? any_between(1, __builtin_inf()) : x < 0 ? any_between(0, 1) : x;
}

double exp(double x)
{
    return exponential(x);
}

double exp2(double x)
{
    return exponential(x);
}

static double logarithm(double x)
{
    if (!(x >= 0))
        return __builtin_nan("");
    if (x == 0)
        return -__builtin_inf();
    return x == 1 ? 0 : x > 1 ? any_between(0, __builtin_inf()) : any_between(-__builtin_inf(), 0);
}

double log(double x)
{
    return logarithm(x);
}

double log2(double x)
{
    return logarithm(x);
}

double log10(double x)
{
    return logarithm(x);
}

double sin(double x)
{
    return x == 0 ? x : x - x != 0 ? x - x : any_between(-1, 1);
}

double cos(double x)
{
    return x == 0 ? 1 : x - x != 0 ? x - x : any_between(-1, 1);
}

double tan(double x)
{
    return x == 0 ? x : x - x != 0 ? x - x : any();
}

double asin(double x)
{
    return x == 0 ? x : fabs(x) <= 1 ? any_between(-1.5707963267948968, 1.5707963267948968) : __builtin_nan("");
}

double acos(double x)
{
    return x == 1 ? 0 : fabs(x) <= 1 ? any_between(0, 3.1415926535897936) : __builtin_nan("");
}

double atan(double x)
{
    return x == 0 || x != x ? x : any_between(-1.5707963267948968, 1.5707963267948968);
}

double atan2(double y, double x)
{
    return y != y ? y : x != x ? x : y == 0 && x > 0 ? y : any_between(-3.1415926535897936, 3.1415926535897936);
}

double cbrt(double x)
{
    return x == 0 || x - x != 0 ? x : x > 0 ? any_between(0, __builtin_inf()) : any_between(-__builtin_inf(), 0);
}

double hypot(double x, double y)
{
    /* What is infinite is so whatever the other is. */
    if (x != x || y != y)
        return fabs(x) == __builtin_inf() || fabs(y) == __builtin_inf() ? __builtin_inf() : __builtin_nan("");
    if (x == 0)
        return fabs(y);
    return y == 0 ? fabs(x) : any_between(0, __builtin_inf());
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
    return n < 0 && x != 0 && fabs(result) < 1e-307 ? any() : result;
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
