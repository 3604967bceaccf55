/* Strings of wide characters, and their classes: of ASCII alone, as in the C locale. */

unsigned long wcslen(const int *s)
{
    unsigned long n = 0;
    while (s[n])
        n++;
    return n;
}

int *wmemcpy(int *to, const int *from, unsigned long count)
{
    for (unsigned long i = 0; i < count; i++)
        to[i] = from[i];
    return to;
}

int *wmemset(int *to, int c, unsigned long count)
{
    for (unsigned long i = 0; i < count; i++)
        to[i] = c;
    return to;
}

int wmemcmp(const int *a, const int *b, unsigned long count)
{
    for (unsigned long i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

int *wcscpy(int *to, const int *from)
{
    return wmemcpy(to, from, wcslen(from) + 1);
}

int *wcsncpy(int *to, const int *from, unsigned long count)
{
    unsigned long n = 0;
    for (; n < count && from[n]; n++)
        to[n] = from[n];
    for (; n < count; n++)
        to[n] = 0;
    return to;
}

int *wcscat(int *to, const int *from)
{
    wcscpy(to + wcslen(to), from);
    return to;
}

int wcsncmp(const int *a, const int *b, unsigned long count)
{
    for (unsigned long i = 0; i < count; i++) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
        if (!a[i])
            return 0;
    }
    return 0;
}

int wcscmp(const int *a, const int *b)
{
    return wcsncmp(a, b, ~0ul);
}

int *wcschr(const int *s, int c)
{
    for (;; s++) {
        if (*s == c)
            return (int *)s;
        if (!*s)
            return 0;
    }
}

int *wcsrchr(const int *s, int c)
{
    const int *last = 0;
    for (;; s++) {
        if (*s == c)
            last = s;
        if (!*s)
            return (int *)last;
    }
}

unsigned towupper(unsigned c)
{
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

unsigned towlower(unsigned c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

int iswupper(unsigned c)
{
    return c >= 'A' && c <= 'Z';
}

int iswlower(unsigned c)
{
    return c >= 'a' && c <= 'z';
}

int iswalpha(unsigned c)
{
    return iswupper(c) || iswlower(c);
}

int iswdigit(unsigned c)
{
    return c >= '0' && c <= '9';
}

int iswalnum(unsigned c)
{
    return iswalpha(c) || iswdigit(c);
}

int iswspace(unsigned c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}
