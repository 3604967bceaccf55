int a, b;
void use(int *p) { *p = 1; }

int main(void)
{
	for (int i = 0; i < 3; i++) {
		switch (a) {
			int x;
		case 1:
			use(&x);
			switch (b) {
			case 1:
				a = 1;
				break;
			default:
				a = 2;
			}
			break;
		case 2: {
			int y = 2;
			use(&y);
			if (y)
				continue;
			break;
		}
		case 3:
			return x;
		default:
			break;
		}
	}
	switch (a) {
	case 0:
		do {
			b--;
	case 1:
			b -= 2;
	case 2:
			b -= 3;
		} while (b > 0);
	}
	return 0;
}
