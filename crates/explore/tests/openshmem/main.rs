//! OpenSHMEM: the race detector of `farside check` against a model, on random programs.

mod detector;
mod generate;
mod schedule;
mod shrink;
mod stream;
