int twice = 2;
int both(void) { return 3; }
static int mine(void) { return 4; }
int use(void) { return mine(); }
int kind(void) { return 5; }
