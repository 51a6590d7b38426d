//! The strongest models of coreRMA's family that allow what was seen of a network.
//!
//! Dan et al. 2016, section 7, leave this as future work: "defining a space of rules and automatically selecting those
//! rules which are consistent with experimental results". The space is the lattice of all sets of [`Guarantee`]s.
//!
//! Promise: no outcome that was seen is forbidden by a model of [`Fit::strongest`], each guarantee that such a model
//! lacks would forbid one together with those that it has, and of all such models these are the ones that give up the
//! least (the order of what a network carries before the meaning of its operations, and these before the coherence of a
//! location). Every guarantee that is missing comes with the outcome that shows it ([`Fit::conflicts`]).
//!
//! Limits: what a model guarantees beyond what was seen may be luck: [`Fit::evidence`] counts the tests that would have
//! shown its absence. Maximality counts on it that a model with more guarantees allows no more.
//!
//! How: an outcome that a model forbids yields a smallest set of guarantees that forbid it together, a *conflict*. A
//! model allows all that was seen if it lacks one of each conflict: the strongest models are what is left by the
//! smallest sets that hit all conflicts. Conflicts are found as the models that are still possible are tried, so that
//! few of the 2^25 models are.

mod guarantee;
mod search;

pub use guarantee::{Guarantee, Guarantees, Operation};
pub use search::{Conflict, Fit, Observation, fit};
