/* The standard streams: not objects, but names for the output functions to tell apart. */

void *stdin = (void *)3;
void *stdout = (void *)1;
void *stderr = (void *)2;
