//! The race detector of `farside check` against models, on random programs of OpenSHMEM and of GASPI.

mod case;
mod detector;
mod gaspi;
mod openshmem;
mod schedule;
mod shrink;
mod stream;
mod writer;
