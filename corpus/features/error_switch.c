int a;
double d;

int main(void)
{
	switch (a) {
	case 1:
	case 2:
	case 1:
		break;
	case 5 ... 9:
	case 7:
	default:
	default:
		break;
	}
	switch (d) {
	}
	case 3:
	default:
	break;
	continue;
	while (a) {
		switch (a) { case 1: continue; }
	}
	return 0;
}
