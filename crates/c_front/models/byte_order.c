/* Byte order, which is little here, and bits that are set. */

unsigned htonl(unsigned x)
{
    return __builtin_bswap32(x);
}

unsigned ntohl(unsigned x)
{
    return __builtin_bswap32(x);
}

unsigned short htons(unsigned short x)
{
    return __builtin_bswap16(x);
}

unsigned short ntohs(unsigned short x)
{
    return __builtin_bswap16(x);
}

int ffs(int x)
{
    return __builtin_ffs(x);
}

int ffsl(long x)
{
    return __builtin_ffsl(x);
}

int ffsll(long long x)
{
    return __builtin_ffsll(x);
}
