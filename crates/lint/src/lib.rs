//! Memory-consistency errors of one-sided programs, found without running them.
//!
//! The engine simulates all processes of a job over the program's own code: an abstract machine executes the
//! instructions ([`ir`]), calls of MPI, OpenSHMEM and GASPI become the events that a checked process would record, and
//! the engine of `farside check` judges them. So both commands have one set of rules. Ranks and the number of processes
//! are instantiated with small numbers; values that the outside world decides are samples with a symbol, and
//! conditions on them are tried both ways.
//!
//! Promise: a certain finding is an execution of the program: with these ranks, and inputs as sampled. Two kinds of
//! cut bound this; what a program does on its way out after it has failed is possible at most. A loop that *waits*
//! for somebody else is never left early with certainty: what comes after is possible at most. A loop that *computes*
//! may be left after fewer rounds than the program makes (the report names it), so that a finding behind it is one of
//! a run with a smaller count.
//!
//! Limits: what happens only with other numbers of processes or other inputs, beyond the number of simulations, in
//! rounds of a loop that were cut off, or in functions that are neither in the module nor known here, is not seen;
//! the report says so where the engine notices it. Every one-sided and synchronising call that no simulation reached
//! is listed with what ended the simulations. "No finding" is therefore no proof, and a report without shortfalls
//! says only that every simulation that was made came to its end, and that together they reached all of these calls.
//!
//! Who owns what, and who may touch it:
//!
//! | state | owner | touched by |
//! |---|---|---|
//! | where control is, conditions, the budget | `execute` | nobody else |
//! | memory, threads, locks, teams of a process | `process` | `execute`, and calls through a `caller` |
//! | what the handles of a process stand for | `handles` | calls of MPI |
//! | messages, meetings, windows of all processes | `mpi`'s library: `matching`, `windows` | calls of MPI |
//! | symmetric objects, sets, contexts, locks of all processes | `shmem`'s library | calls of OpenSHMEM |
//! | segments, notifications, queues, groups of all ranks | `gaspi`'s library | calls of GASPI |
//! | what was done and who is told | `events` | `execute`, `caller` |
//! | what is noted for the report | `notes`, `decisions` | `execute`, `caller` |
//! | what the program asks of its command line | `asked`, in `notes` | calls of the C library and of flang's runtime |
//!
//! Sources: Ait Kaci 2022, chapter 4, for the question; where this differs from its Algorithms 2 to 4: loops are
//! followed round by round instead of twice, completion is by every call that completes, and conditions that exclude
//! each other are never both taken.
#![forbid(unsafe_code)]

mod abi;
mod arithmetic;
mod asked;
mod budget;
mod caller;
mod chance;
mod choices;
mod communication;
mod communicator;
mod decisions;
mod events;
mod execute;
mod explore;
mod external;
mod flang;
mod flow;
pub mod fortran;
mod gaspi;
mod handles;
mod inputs;
mod invocation;
pub mod ir;
mod layout;
mod link;
mod loops;
mod matching;
mod mathematics;
mod memory;
mod mpi;
mod names;
mod notes;
mod outside;
mod process;
mod prove;
mod reach;
mod report;
mod shmem;
mod site;
mod stacks;
mod start;
mod survey;
mod symbolic;
mod threads;
mod value;
mod windows;

pub use budget::{Limits, MemoryLimit, TimeLimit};
pub use explore::{Analysis, Options, analyse};
pub use inputs::Inputs;
pub use link::link;
pub use prove::prove;
pub use symbolic::{Solver, StartSolver};
pub use value::{mask, signed};
