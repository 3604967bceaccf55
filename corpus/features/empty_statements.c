;
int x;;
struct s;
enum { A, B, };
void nothing(void) { }
void semicolons(void) { ;;; { } { ; } }

int main(void)
{
	;
	if (x)
		;
	else
		;
	for (;;)
		break;
	switch (x) { default: ; }
	while (0)
		;
	do { } while (0);
	x;
	3;
	x + 1;
	(void)0;
	{ }
	nothing();
	semicolons();
lab:	;
	return 0;
	x = 5;
}
