static counter;
const limit = 5;
f(x) { return x; }
register_none(a, b) short b; { return a + b; }

main()
{
	auto y = 2;
	register z = 3;
	counter++;
	return f(y) + z + counter + limit + register_none(1, 2);
}
