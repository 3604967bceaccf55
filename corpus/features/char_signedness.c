char c = 200;
unsigned char uc = 200;
char s[] = "\xff\x80";
int k[] = { '\xff', '\200', L'\xff', 'a' - 'b', (char)128, (unsigned char)-1, '\xff' == -1, '\xff' == 255 };

int main(void)
{
	int r = c < 0;
	r += uc > 0;
	r += c == uc;
	r += s[0] == '\xff';
	r += c >> 4;
	r += uc >> 4;
	unsigned u = c;
	unsigned long ul = s[1];
	r += arr_index(c);
	return r + u + ul + k[0];
}
int arr_index(int i) { return i; }
