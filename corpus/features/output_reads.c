// What output functions read of the program's memory.
typedef unsigned long size_t;
int printf(const char *, ...);
int fprintf(void *, const char *, ...);
int puts(const char *);
int fputs(const char *, void *);
long write(int, const void *, size_t);
size_t fwrite(const void *, size_t, size_t, void *);

int main(int argc, char **argv)
{
    char text[] = "text";
    const char *format = "%s";
    printf("%s %s\n", "literal", argc ? "one" : "other");
    printf("%s %5.2s %-*.*s %%s %d\n", text, text + 1, 3, argc, text, argc);
    fprintf((void *)2, "%ls %c %s", L"wide", 'c', text);
    printf(format, text);
    printf("%2$s %1$s", text, text);
    puts(text);
    fputs("literal", (void *)1);
    write(1, text, 4);
    fwrite(text, 2, 2, (void *)1);
    return 0;
}
