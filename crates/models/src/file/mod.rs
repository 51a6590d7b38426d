//! Model files: models as text, for users who write their own network's.
//!
//! ```text
//! model "my-network" "in-order routing, except gets before puts"
//! include "coreRMA"                   (* takes over another model's rules, switches, names, orders *)
//! without IR                          (* switches rules off; `rules R1 R2` or `rules all` switches them on *)
//! switch GA-atomic                    (* IR-self, put-reads-at-once, GA-atomic, rmw-remote-only; `switch X off` *)
//! accesses nonatomic                  (* what an access without a mark is *)
//! completion queues                   (* queues and notifications instead of flushes *)
//! let remote-write = Remote & W
//! order IR \ (get * put) as routing   (* further edges of hb *)
//! acyclic po | rf as tidy             (* also irreflexive, empty *)
//! ```
//!
//! Expressions are those of the field's cat language: `|`, then `;`, `\`, `&`, `*` (product of sets) by rising
//! strength, `r+ r* r? r^-1`, `[S]`, `domain(r)`, `range(r)`, `0`, `{}`; comments stand in `(* *)`. Base sets and
//! relations are the tables of [`crate::core_rma::expression`]; a rule that orders by the program alone (`IR`, `LO`,
//! ...) names its relation.
//!
//! A model of races (MPI's, Hoefler et al. 2014 §3.3) has other statements: whose copies of a window there are, which
//! of the paper's rules hold, and which accesses conflict. Its sets and relations are the tables of
//! [`crate::mpi3::conflicts`]; `|`, `\`, `&` and `*` combine them. Accesses that are related one way or the other
//! conflict, and race if the rules order them in neither way.
//!
//! ```text
//! model "careful" "no two accumulates at once"
//! include "mpi3-unified"              (* or `races unified`, `races separate`, and all the rest oneself *)
//! without R13 polling                 (* `rules R9 R10` or `rules all` switches on *)
//! let changes = Target & accumulate & W
//! conflict loc & changes * changes as "two accumulates meet"
//! ```
//!
//! Promise: every error with place and hint, several in one go; no panic and bounded memory on any text. An `order`
//! must grow with hb, so that there is a least happens-before: hb cannot stand to the right of `\` in it.

mod error;
mod lexer;
mod named;
mod parser;
mod shipped;

pub use error::ModelError;
pub use named::{named, of_mpi};
pub use parser::parse_model;
pub use shipped::{names, text};
