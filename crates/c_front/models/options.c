/* Options of the command line, each one letter; options and other arguments are not put into another order. */

char *optarg;
int optind = 1, opterr = 1, optopt;

/* The letter that comes next in the argument at `optind`. */
static int place;

int getopt(int count, char *const *arguments, const char *known)
{
    if (place == 0) {
        if (optind >= count || !arguments[optind] || arguments[optind][0] != '-' || !arguments[optind][1])
            return -1;
        if (arguments[optind][1] == '-' && !arguments[optind][2]) {
            optind++;
            return -1;
        }
        place = 1;
    }
    const char *argument = arguments[optind];
    char letter = argument[place++];
    int last = !argument[place], silent = known[0] == ':';
    const char *option = known;
    while (*option && (*option != letter || letter == ':'))
        option++;
    optopt = letter;
    optarg = 0;
    if (!*option || option[1] != ':') {
        if (last) {
            optind++;
            place = 0;
        }
        return *option ? letter : '?';
    }
    int optional = option[2] == ':';
    optind++;
    if (!last) {
        optarg = (char *)argument + place;
    } else if (!optional) {
        if (optind >= count) {
            place = 0;
            return silent ? ':' : '?';
        }
        optarg = arguments[optind++];
    }
    place = 0;
    return letter;
}
