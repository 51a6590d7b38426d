//! Why an outcome is allowed, or is not.
//!
//! Promise: an allowed outcome gets a whole execution with the rule that made each edge; a forbidden one gets the
//! execution that would give its values with the shortest cycle found, or the rule on values that it breaks. Limits: of
//! the executions that would give a forbidden outcome's values, the first [`refusal::MOST_CANDIDATES`] are looked at.

mod execution;
mod graph;
mod refusal;
mod witness;

pub(super) use refusal::refusal;
pub(super) use witness::witness;
