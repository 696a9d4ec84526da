// The library's own warnings are not those of its users: with them this would be an error.
extern const int rounded_down = 2.5;
