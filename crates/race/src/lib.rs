//! The race engine: event stream in, findings out.
//!
//! Two conflicting accesses race unless they are ordered by happens-before *and* consistency order (Hoefler et al.
//! 2014, §3.3.2). Happens-before is kept in vector clocks of threads. Consistency order is completion: an operation is
//! open from its call to the call that completes it, locally for its origin buffers, remotely for the target's memory;
//! it precedes whatever knows of that completion. Because the stream is in time order and every order goes forward in
//! time, an access can only be preceded, never followed, by what is already known, so that one comparison at its
//! arrival decides.
//!
//! Where to start: [`Detector::event`] (`detector.rs`) dispatches; `memory.rs` compares; `operations` and
//! `segments.rs` make accesses; `fences.rs`, `exposure.rs`, `passive.rs`, `collectives.rs`, `messages.rs`,
//! `atomics.rs`, `notices.rs`, `locks.rs` make order; `interface.rs` tells programs of MPI and of the crate `farside` apart; `misuse.rs`, `endings.rs`, `deadlock.rs` judge the use of epochs; `explain.rs`
//! puts a race into words, `advice` says what would repair it, `places.rs` its code addresses into places.
//!
//! Not here: what code addresses mean ([`Symbols`]), files, processes. Not promised: races of executions other than the one observed, except
//! that the accidental order of lock epochs hides none (`locks.rs`).
#![forbid(unsafe_code)]

mod addresses;
mod advice;
mod atomics;
mod codemap;
mod collectives;
mod deadlock;
mod detector;
mod endings;
mod explain;
mod exposure;
mod fences;
mod finding;
mod footprint;
mod forget;
mod interface;
mod job;
mod locks;
mod memory;
mod messages;
mod misuse;
mod notices;
mod objects;
mod operations;
mod passive;
mod places;
mod record;
mod revisit;
mod segments;
mod source_order;
mod tally;
mod timeline;
mod trail;
mod window;

pub use addresses::{NoSymbols, Symbols, code_places, place};
pub use codemap::{CodeMap, NamedWindow};
pub use detector::{Counts, Detector, Ending, Forgetting, Options, Polling};
pub use finding::{RawFinding, RawLaneEvent, RawParty, RawSuggestion, RawTimeline, Site, Spot, Told, Turned};
pub use interface::Interface;
pub use places::{Places, findings};
