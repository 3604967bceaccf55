/* What output functions read of the program's memory. (The machine prints by itself, which reads nothing as far as anybody can notice.) */

/* A string, up to its end. */
void __heddle_read_text(const char *s)
{
    while (*s)
        s++;
}

/* A string or its beginning, as `%s` has it; null is printed too, as glibc does, and for `perror` it is no text. */
void __heddle_read_printed_text(const char *s, int most)
{
    if (s)
        for (int n = 0; (most < 0 || n < most) && s[n];)
            n++;
}

/* The first byte and the last: what lies between is there if they are. */
void __heddle_read_bytes(const char *from, unsigned long size)
{
    char byte = 0;
    if (size > 0)
        byte = from[0];
    if (size > 1)
        byte = from[size - 1];
    (void)byte;
}
