//! The product against the direct explorer of Table 1: on random programs, and on the library of robust-tests; and the
//! direct explorer's happens-before relation against the definition in section 3 of paper 003.
//!
//! `FARSIDE_RANDOM_PROGRAMS=10000` sets how many random programs there are.

mod automaton;
mod compare;
mod definition;
mod generate;
mod library;
mod programs;
mod random;
mod regressions;
mod shrink;
mod text;
