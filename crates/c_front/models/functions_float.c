/* functions.c for float. */

static float between(float result, float low, float high)
{
    __heddle_assume(result >= low && result <= high);
    return result;
}

float sinf(float x)
{
    return x == 0 ? x : x - x != 0 ? x - x : between(__heddle_machine_float("sinf", x), -1, 1);
}

float cosf(float x)
{
    return x == 0 ? 1 : x - x != 0 ? x - x : between(__heddle_machine_float("cosf", x), -1, 1);
}

float tanf(float x)
{
    return x == 0 ? x : x - x != 0 ? x - x : __heddle_machine_float("tanf", x);
}

float asinf(float x)
{
    return x == 0 ? x : x >= -1 && x <= 1 ? between(__heddle_machine_float("asinf", x), -1.5708f, 1.5708f) : __builtin_nanf("");
}

float acosf(float x)
{
    return x == 1 ? 0 : x >= -1 && x <= 1 ? between(__heddle_machine_float("acosf", x), 0, 3.1416f) : __builtin_nanf("");
}

float atanf(float x)
{
    return x == 0 || x != x ? x : between(__heddle_machine_float("atanf", x), -1.5708f, 1.5708f);
}

float expf(float x)
{
    return x == 0 ? 1 : x != x ? x : between(__heddle_machine_float("expf", x), 0, __builtin_inff());
}

float exp2f(float x)
{
    return x == 0 ? 1 : x != x ? x : between(__heddle_machine_float("exp2f", x), 0, __builtin_inff());
}

float logf(float x)
{
    return !(x >= 0) ? __builtin_nanf("") : x == 0 ? -__builtin_inff() : x == 1 ? 0 : __heddle_machine_float("logf", x);
}

float log2f(float x)
{
    return !(x >= 0) ? __builtin_nanf("") : x == 0 ? -__builtin_inff() : x == 1 ? 0 : __heddle_machine_float("log2f", x);
}

float log10f(float x)
{
    return !(x >= 0) ? __builtin_nanf("") : x == 0 ? -__builtin_inff() : x == 1 ? 0 : __heddle_machine_float("log10f", x);
}

float cbrtf(float x)
{
    return x == 0 || x - x != 0 ? x : __heddle_machine_float("cbrtf", x);
}

float atan2f(float y, float x)
{
    return y != y ? y : x != x ? x : between(__heddle_machine_float("atan2f", y, x), -3.1416f, 3.1416f);
}

float powf(float x, float y)
{
    return y == 0 || x == 1 ? 1 : x != x ? x : y != y ? y : __heddle_machine_float("powf", x, y);
}

float hypotf(float x, float y)
{
    return x - x != 0 || y - y != 0 ? __heddle_machine_float("hypotf", x, y)
                                    : between(__heddle_machine_float("hypotf", x, y), 0, __builtin_inff());
}
