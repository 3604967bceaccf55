struct s {
	int a;
	union {
		struct s { int x; } in;
		int b;
	};
} s = {1};
struct twice {
	struct twice *next;
	struct other { struct twice { char c; } t; } o;
};
union u { union u { int x; } v; };
enum e { A = sizeof(enum e { B }), C };
int main(void) { return s.a; }
