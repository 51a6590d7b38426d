//! The library that is preloaded into the checked process.
