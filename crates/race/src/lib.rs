//! The race engine: event stream in, findings out.
//!
//! Two conflicting accesses race unless they are ordered by happens-before *and* consistency order (Hoefler et al.
//! 2014, §3.3.2). Happens-before is kept in vector clocks of threads. Consistency order is completion: an operation is
//! open from its call to the call that completes it, locally for its origin buffers, remotely for the target's memory;
//! it precedes whatever knows of that completion. Because the stream is in time order and every order goes forward in
//! time, an access can only be preceded, never followed, by what is already known, so that one comparison at its
//! arrival decides.
//!
//! Where to start: [`Detector::event`] (`detector`) hands each event to the owners of what it concerns: `windows`
//! (where memory lies), `epochs` and `misuse` (what is open, and what may not be done then), `operations` (what is not
//! complete), `order` (who is ordered after whom), `memory` (what an access is compared with), `report` (what is told).
//! Each keeps its state to itself and needs only those before it. `finding` is what comes out, as data; `places` and
//! `phrasebook` make source places and words of it.
//!
//! One detector judges a job, or several that split its memory (`shards`).
//!
//! Not here: what code addresses mean ([`Symbols`]), files, processes. Not promised: races of executions other than the
//! one observed, except that the accidental order of lock epochs hides none (`order::locks`).
#![forbid(unsafe_code)]

mod detector;
mod epochs;
mod finding;
mod footprint;
mod interface;
mod job;
mod memory;
mod misuse;
mod operations;
mod options;
mod order;
mod phrasebook;
mod places;
mod record;
mod report;
mod shards;
mod stamp;
mod strand_memory;
mod windows;

pub use detector::{Detector, is_idle};
pub use finding::{
    Argument, CallKind, Code, Incomplete, Link, Missing, Misuse, Name, Note, Open, RawArrow, RawFinding,
    RawLaneEvent, RawParty, RawScene, RawSceneLane, RawSuggestion, RawTimeline, Site, Spot, Told, Turned,
    Wait, What,
};
pub use finding::{candidates, candidates_between_rounds, is_misplaced, superfluous_calls};
pub use options::{Counts, Ending, Forgetting, Gaspi, Options, Polling, Updates};
pub use order::{Choice, Match};
pub use phrasebook::{assertions, called};
pub use places::{
    CodeMap, NamedWindow, NoSymbols, Places, Symbols, code_places, findings, is_task, place, places,
    runs_in_parallel, settled,
};
pub use shards::{Deputy, Inbox, Owners, Part, Post, Seat, Sent, Shard, Word, join, seats, shards};
pub use windows::WindowLabel;
