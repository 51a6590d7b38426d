
/* A barrier in a test: that between runs, unless the target's page says that another one completes less. */
#ifndef MEET
static inline void meet(void)
{
    barrier();
}
#endif
