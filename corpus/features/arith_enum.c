enum small { A, B = 5, C };
enum neg { N = -1, P = 1 };
enum big { BIG = 0x100000000, LITTLE = 1 };
enum half { H = 0x80000000 };
enum small e;
enum neg n;
enum big g;
int i;
unsigned long sizes[] = { sizeof(enum small), sizeof(enum neg), sizeof(enum big), sizeof BIG, sizeof LITTLE, sizeof H };

int main(void)
{
	e = C;
	e = i;
	i = e < -1;
	i = n < -1;
	i = A < -1;
	i = H < -1;
	g = LITTLE + BIG;
	i = g;
	e++;
	n += 2;
	i = e + n;
	switch (e) {
	case A:
		i = 1;
		break;
	case B ... C:
		i = 2;
	}
	return e == B + (int)sizes[0];
}
