/* Rounding. All results are exact. Doubles from 2^52 on have no fraction, and all below fit a long long. */

double trunc(double x)
{
    if (!(x < 4503599627370496.0 && x > -4503599627370496.0))
        return x;
    double whole = (double)(long long)x;
    /* What is rounded to zero keeps its sign. */
    return whole == 0 && __builtin_signbit(x) ? -0.0 : whole;
}

double floor(double x)
{
    double whole = trunc(x);
    return whole > x ? whole - 1 : whole;
}

double ceil(double x)
{
    double whole = trunc(x);
    if (!(whole < x))
        return whole;
    return whole + 1 == 0 ? -0.0 : whole + 1;
}

double round(double x)
{
    double whole = trunc(x), rest = x - whole;
    if (rest >= 0.5)
        return whole + 1;
    if (rest <= -0.5)
        return whole - 1;
    return whole;
}

/* To the nearest, ties to even: the rounding direction cannot be changed here. */
double rint(double x)
{
    double low = floor(x), rest = x - low;
    if (!(rest > 0))
        return x;
    double result = rest < 0.5 ? low : rest > 0.5 ? low + 1 : floor(low / 2) * 2 == low ? low : low + 1;
    return result == 0 && __builtin_signbit(x) ? -0.0 : result;
}

double nearbyint(double x)
{
    return rint(x);
}

float truncf(float x)
{
    return (float)trunc(x);
}

float floorf(float x)
{
    return (float)floor(x);
}

float ceilf(float x)
{
    return (float)ceil(x);
}

float roundf(float x)
{
    return (float)round(x);
}

float rintf(float x)
{
    return (float)rint(x);
}

float nearbyintf(float x)
{
    return (float)rint(x);
}

long lround(double x)
{
    return (long)round(x);
}

long long llround(double x)
{
    return (long long)round(x);
}

long lrint(double x)
{
    return (long)rint(x);
}

long long llrint(double x)
{
    return (long long)rint(x);
}

double modf(double x, double *whole)
{
    double part = trunc(x);
    *whole = part;
    /* Infinity has no fraction. */
    double rest = part == x ? 0.0 : x - part;
    return rest == 0 && __builtin_signbit(x) ? -0.0 : rest;
}

double fdim(double x, double y)
{
    return x <= y ? 0.0 : x - y;
}

double copysign(double x, double y)
{
    return !__builtin_signbit(x) == !__builtin_signbit(y) ? x : -x;
}

float copysignf(float x, float y)
{
    return !__builtin_signbit(x) == !__builtin_signbit(y) ? x : -x;
}

/* What classification macros of older headers call. */

int isnan(double x)
{
    return x != x;
}

int __isnan(double x)
{
    return x != x;
}

int __isnanf(float x)
{
    return x != x;
}

int isinf(double x)
{
    return __builtin_isinf_sign(x);
}

int __isinf(double x)
{
    return __builtin_isinf_sign(x);
}

int __isinff(float x)
{
    return __builtin_isinf_sign(x);
}

int finite(double x)
{
    return x - x == 0;
}

int __finite(double x)
{
    return x - x == 0;
}

int __finitef(float x)
{
    return x - x == 0;
}

int __signbit(double x)
{
    return __builtin_signbit(x) != 0;
}

int __signbitf(float x)
{
    return __builtin_signbit(x) != 0;
}
