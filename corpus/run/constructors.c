// status: 3
// Constructors run by priority, then in the order of the definitions; destructors the other way round, when the process exits.
#include <stdio.h>
#include <stdlib.h>

static int steps;
static void say(const char *name) { printf("%d %s\n", ++steps, name); }

void declared(void) __attribute__((constructor(300)));
static void late(void);
__attribute__((constructor)) static void plain(void) { say("plain"); }
__attribute__((constructor(200))) static void c200(void) { say("c200"); }
__attribute__((constructor(101))) static void c101(void) { say("c101"); }
void declared(void) { say("declared 300"); }
static void __attribute__((__constructor__())) plain_too(void) { say("plain too"); }
__attribute__((constructor(100 + 100))) static void c200_too(void) { say("c200 too"); }
static void late(void) { say("late"); }
static void late(void) __attribute__((constructor(250)));
__attribute__((constructor(65535))) static void c65535(void) { say("c65535"); }
__attribute__((constructor(150), destructor(150))) static void both(void) { say("both 150"); }
__attribute__((destructor)) static void last(void) { say("~plain"); }
__attribute__((destructor(200))) static void d200(void) { say("~200"); }
__attribute__((destructor(101))) static void d101(void) { say("~101"); }
__attribute__((destructor)) static void last_too(void) { say("~plain too"); }
__attribute__((destructor(200))) static void d200_too(void) { say("~200 too"); }
static void handler(void) { say("handler"); }

int main(void)
{
    say("main");
    atexit(handler);
    if (steps > 3)
        exit(3);
    return 0;
}
