/* An owner's own accesses: loads and stores of the processor. */
static inline int64_t load(int variable)
{
    return __atomic_load_n(place(variable), __ATOMIC_SEQ_CST);
}

static inline void store(int variable, int64_t value)
{
    __atomic_store_n(place(variable), value, __ATOMIC_SEQ_CST);
}
