//! Random programs, by seed.
