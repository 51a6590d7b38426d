//! Hooks of the C library's memory and string functions. (Stub: owned by engineer "memory".)
