//! Finite relations as bit rows: the algebra in which memory models are written.
//!
//! Promise: sets and relations over at most [`MAX`] elements, with the operations of the relational model language
//! (union, intersection, difference, composition, inverse, closures, products), and an order that is kept closed while
//! edges are added, which says at once when an edge would close a cycle. No I/O, no allocation on the hot path.
#![forbid(unsafe_code)]

/// Elements that a set or relation can have.
pub const MAX: usize = 64;
