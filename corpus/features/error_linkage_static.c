int x;
static int x;
static int missing(void);
int main(void)
{
	return missing();
}
