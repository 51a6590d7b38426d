//! What happens before `main`: where this process records is settled. On another host than that of `farside check`, the
//! first process starts the collector then, while it has one thread and no MPI (see `farside_collect`).

// SAFETY: a function pointer of the kind that this section holds.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;

extern "C" fn at_load() {
    // A panic may not leave this function; what it interrupted says nothing on stderr, and nothing is recorded.
    let _ = std::panic::catch_unwind(farside_collect::node::home);
}
