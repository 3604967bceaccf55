/* The environment is empty. Random numbers are inputs whatever the seed, which is why seeding does nothing. */

char *getenv(const char *name)
{
    return 0;
}

char *secure_getenv(const char *name)
{
    return 0;
}

void srand(unsigned seed)
{
}

void srandom(unsigned seed)
{
}

void srand48(long seed)
{
}

int rand_r(unsigned *seed)
{
    *seed = *seed + 1;
    return __heddle_nondet("rand_r") & 0x7fffffff;
}

void *setlocale(int category, const char *locale)
{
    return "C";
}

double drand48(void)
{
    double result = __VERIFIER_nondet_double();
    __heddle_assume(result >= 0 && result < 1);
    return result;
}

double erand48(unsigned short *state)
{
    return drand48();
}
