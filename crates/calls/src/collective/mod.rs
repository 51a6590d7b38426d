//! Collective operations (MPI-4.1 chapters 6 and 8.6): who gives what to whom, how the arguments describe it, and
//! what a call does for its process ([`Plan`]).

mod form;
mod movement;
mod plan;
mod reduction;
mod side;

pub use form::{CollectiveForm, Ends, Gives, Movement};
pub use plan::{Gets, Parcel, Plan, Reduction, Take};
pub use side::{Counts, Side, Spread, Types};

use crate::arguments::Arguments;
use farside_events::Direction;
use movement::{exchange, from_root, neighbors, to_root};
use reduction::{reduce, reduce_to_root};

impl Plan {
    /// What a call of this form does. Without `buffers` only the direction is told, which costs less.
    pub fn of<A: Arguments>(
        form: CollectiveForm,
        call: &mut A,
        comm: &A::Communicator,
        buffers: bool,
    ) -> Self {
        match form.movement(call.signature()) {
            Movement::Nothing => Self::ordering(Direction::All),
            Movement::FromRoot { parts, own } => from_root(call, comm, parts, own, buffers),
            Movement::ToRoot { own, parts } => to_root(call, comm, own, parts, buffers),
            Movement::Exchange { gives, takes } => exchange(call, comm, gives, takes, buffers),
            Movement::Neighbors { gives, takes } => neighbors(call, comm, gives, takes, buffers),
            Movement::ReduceToRoot => reduce_to_root(call, comm, buffers),
            Movement::Reduce => reduce(call, comm, form, buffers),
        }
    }
}
