//! Under the check: what must be reported, with places and ranks, and what must not.

mod checked {
    mod active;
    mod collectives;
    mod elements;
    mod expect;
    mod local;
    mod messages;
    mod passive;
    mod programs;
    mod random;
    mod services;
}
