char *s = "unterminated;
char c = 'x;
int main(void)
{
	return 'ab' + '' + "a
b"[0];
}
