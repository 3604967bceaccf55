float f;
double d;
long double ld;
int i;
double k[] = { __builtin_inf(), __builtin_huge_val(), __builtin_nan(""), __builtin_inff(), -__builtin_infl() };
double fabs(double);
float sqrtf(float);
double fmod(double, double), fmin(double, double);

int main(void)
{
	i = __builtin_isnan(f);
	i = __builtin_isinf(d);
	i = __builtin_isinf_sign(d);
	i = __builtin_isfinite(ld);
	i = __builtin_signbit(d);
	i = __builtin_signbitf(f);
	i = __builtin_isgreater(f, d);
	i = __builtin_isgreaterequal(d, d);
	i = __builtin_isless(f, 1);
	i = __builtin_islessequal(f, f);
	i = __builtin_islessgreater(f, d);
	i = __builtin_isunordered(f, d);
	d = __builtin_fabs(d);
	f = __builtin_fabsf(f);
	d = fabs(f);
	f = sqrtf(d);
	d = fmod(d, 2) + fmin(d, f);
	return k[0];
}
