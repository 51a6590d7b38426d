//! What is generated, compared with the definitions taken literally.
//!
//! `instances` decides pivots by trying every reads-from and every order of writes, with the rules of `farside-models`
//! as predicates; `sequences` writes down every sequence of statements and compares all renamings. Both share with the
//! crate only what a test is. `cycles` runs tests of cycles in every order of their statements.

mod agree;
mod cycles;
mod instances;
mod paper;
mod sequences;
