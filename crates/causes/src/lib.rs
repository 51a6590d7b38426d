//! What an event has to wait for, where the times of processes do not tell: the order of causes.
//!
//! An event that acquires something follows what released it: who leaves a barrier, all who entered it; who receives,
//! the send; who saw a value, what left it. [`Gates`] knows what was handed on of all processes, and says of the next
//! event of one whether it may be handed on ([`Gates::gate`]). Two readers need that: the merge of recordings of
//! several hosts, whose clocks differ, and trials of a recording in which calls were added, which delay some processes.
//!
//! Promise: a gate waits for nothing that did not come before in the run that was recorded. Not promised: that all
//! that came before is waited for; what leaves no trace in a recording (values that were not recorded, messages to
//! other jobs) orders nothing here. [Why](../../../docs/design/hosts.md).
#![forbid(unsafe_code)]

mod exposure;
mod gate;
mod gates;
mod groups;
mod locks;
mod meetings;
mod messages;
mod notices;
mod values;

pub use gate::{Gate, Moment};
pub use gates::Gates;
