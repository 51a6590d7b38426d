//! Access callbacks that return at once: what an instrumented program is linked with.
