int limit[2] = { 1, 2 };

int half(int x)
{
    return x / 2;
}
