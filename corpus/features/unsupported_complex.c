double _Complex z;
float _Complex w;

int main(void)
{
	double d = __real__ z;
	z = 1.0;
	d = __imag__ z + 2.0i;
	w = z;
	return d > 0;
}
