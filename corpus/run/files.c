// Files: what was written is read back, by characters, lines, records and conversions.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "heddle_corpus_run_files.tmp"

struct record {
    int number;
    double value;
};

static void lines(void)
{
    char line[32];
    FILE *f = fopen(NAME, "w");
    fprintf(f, "%d %s %.2f\n", 42, "words", 2.5);
    fputs("second\n", f);
    fputc('x', f);
    putc('\n', f);
    printf("%ld\n", ftell(f));
    printf("%d\n", fclose(f));
    f = fopen(NAME, "r");
    while (fgets(line, sizeof line, f))
        printf("line: %s", line);
    printf("eof %d error %d\n", feof(f) != 0, ferror(f) != 0);
    rewind(f);
    int n = 0;
    char word[16];
    double d = 0;
    printf("%d", fscanf(f, "%d %15s %lf", &n, word, &d));
    printf(" %d %s %g\n", n, word, d);
    printf("%d", fgetc(f));
    int c = fgetc(f);
    ungetc(c, f);
    printf(" %c %c\n", c, fgetc(f));
    fseek(f, -2, SEEK_END);
    printf("%c", fgetc(f));
    printf(" %ld\n", ftell(f));
    fclose(f);
}

static void records(void)
{
    struct record out[3] = { { 1, 0.5 }, { 2, 1.5 }, { 3, 2.5 } }, in[4];
    FILE *f = fopen(NAME, "wb+");
    printf("%zu\n", fwrite(out, sizeof out[0], 3, f));
    fseek(f, 0, SEEK_SET);
    printf("%zu\n", fread(in, sizeof in[0], 4, f));
    printf("%d %g %d\n", in[2].number, in[2].value, feof(f) != 0);
    fclose(f);
    f = fopen(NAME, "ab");
    fwrite(out, sizeof out[0], 1, f);
    fclose(f);
    f = fopen(NAME, "rb");
    fseek(f, 0, SEEK_END);
    printf("%ld\n", ftell(f) / (long)sizeof(struct record));
    printf("%d", fputc('a', f));
    printf(" %d\n", ferror(f) != 0);
    fclose(f);
}

static void numbers(void)
{
    int n, sum = 0, count = 0;
    FILE *f = tmpfile();
    for (int i = 1; i <= 5; i++)
        fprintf(f, "%d\n", i * i);
    rewind(f);
    while (fscanf(f, "%d", &n) == 1) {
        sum += n;
        count++;
    }
    printf("%d %d %d\n", sum, count, feof(f) != 0);
    fclose(f);
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    lines();
    records();
    numbers();
    printf("%d\n", remove(NAME));
    FILE *none = fopen(NAME, "r");
    printf("%d %s\n", none == NULL, strerror(errno));
    printf("%d %d\n", getchar(), scanf("%d", &(int){ 0 }));
    printf("%ld\n", (long)getline(&line, &size, stdin));
    free(line);
    return 0;
}
