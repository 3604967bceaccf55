int a, b;
char c;
unsigned long ul;
_Bool t;

int main(void)
{
	switch (a) {
	case 1:
		b = 1;
		break;
	case 2:
	case 3:
		b = 2;
	case -4:
		b = 3;
		break;
	default:
		b = 4;
	}
	switch (a) {
	default:
		b = 0;
	case 5:
		b = 5;
	}
	switch (c) {
	case 'a' ... 'z':
		b = 1;
		break;
	case '0' ... '9':
		b = 2;
	}
	switch (ul) {
	case 1:
		b = 1;
		break;
	case 0xffffffffffffffff:
		b = 2;
	}
	switch (t) {
	case 0:
		b = 1;
		break;
	case 1:
		b = 2;
	}
	switch (a)
	case 7:
		b = 7;
	switch (a) {
	}
	switch (a + 1) { case 1: case 2: default: ; }
	return 0;
}
