// Small functions of the library.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

static void options(int count, char **arguments, const char *known)
{
    int c;
    optind = 1;
    while ((c = getopt(count, arguments, known)) != -1)
        printf("%c%s%s ", c, optarg ? "=" : "", optarg ? optarg : "");
    printf("at %d\n", optind);
}

int main(void)
{
    printf("%x %x %x %x\n", htonl(0x01020304), ntohl(0x01020304), htons(0x102), ntohs(0x102));
    printf("%d %d %d %d\n", ffs(0), ffs(8), ffsl(1L << 40), ffsll(-1));

    wchar_t text[16];
    wcscpy(text, L"hi");
    wcscat(text, L" you");
    printf("%zu %d %d\n", wcslen(text), wcscmp(text, L"hi you"), wcsncmp(text, L"hix", 2));
    printf("%td %td %d\n", wcschr(text, L'y') - text, wcsrchr(text, L' ') - text, wcschr(text, L'z') == 0);
    wmemset(text, L'q', 2);
    printf("%d %d\n", text[1] == L'q', wmemcmp(text, L"qr", 2) < 0);
    printf("%c %c %d %d\n", towupper(L'a'), towlower(L'Z'), !!iswalpha(L'x'), !!iswdigit(L'x'));

    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigdelset(&set, SIGINT);
    printf("%d %d\n", sigismember(&set, SIGINT), sigismember(&set, SIGTERM));
    sigfillset(&set);
    printf("%d\n", sigismember(&set, SIGHUP));

    opterr = 0;
    char *first[] = { "program", "-a", "-bvalue", "-b", "other", "-ac", "rest", 0 };
    options(7, first, "ab:c");
    char *second[] = { "program", "-x", "-ay", "--", "-a", 0 };
    options(5, second, "a");
    char *third[] = { "program", "-b", 0 };
    options(2, third, ":b:");
    printf("%d\n", getpid() == getpid());
    return 0;
}
