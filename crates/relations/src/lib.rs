//! Finite relations as bit rows: the algebra in which memory models are written.
//!
//! Promise: sets and relations over at most [`MAX`] elements, with the operations of the relational model language
//! (union, intersection, difference, composition, inverse, closures, products), and an order that is kept closed while
//! edges are added, which says at once when an edge would close a cycle. No I/O, no allocation on the hot path.
//!
//! Elements are the numbers from 0; a relation knows how many it has, and looks at no more rows than that.
//!
//! ```
//! use farside_relations::{Relation, Set};
//!
//! let po = Relation::from_edges(3, [(0, 1), (1, 2)]);
//! let rf = Relation::from_edges(3, [(2, 0)]);
//! assert!(po.is_acyclic());
//! assert_eq!((po | rf).find_cycle(), Some(vec![0, 1, 2]));
//! assert_eq!(po.closure().successors(0), Set::from_iter([1, 2]));
//! ```
#![forbid(unsafe_code)]

mod order;
mod paths;
mod relation;
mod set;

pub use order::{Cycle, Order};
pub use relation::Relation;
pub use set::{Members, Set};

/// Elements that a set or relation can have.
pub const MAX: usize = 64;
