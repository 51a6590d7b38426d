//! `farside litmus` from the outside: the library of tests, all forms, bad input.

mod bad_input;
mod command;
mod forms;
mod library;
mod terminal;
