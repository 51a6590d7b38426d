
/* A barrier in a test: that between runs, unless the target's page says that another one completes less. */
#ifndef TEST_BARRIER
static inline void test_barrier(void)
{
    barrier();
}
#endif
