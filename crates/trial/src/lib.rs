//! Trials: what the findings of a recorded run would be if the program had called something else.
//!
//! A call is added to the recorded events, taken out or changed, wherever the processes pass its place in the text; the
//! engine judges once more. A suggestion is *proved* in this way before it is printed: the finding goes, nothing new
//! comes, and no process waits for ever.
//!
//! | what | module |
//! |---|---|
//! | the events of a run, kept | [`Recording`] |
//! | places in the text: alike on all ranks, and passed by them | `spots`, `cut` |
//! | changes of the program, as they show in its events | `edit`, `editor`, `notes` |
//! | a lock around parts of the program | `exclusion` |
//! | a barrier of threads, or a wait for tasks | `meetings` |
//! | a call on the other side of a place: in the text, and in the events | `shift`, `moved` |
//! | the calls around a place, which might be moved | `near` |
//! | the same without what the order of the run excuses | `excuses` |
//! | the changed events in an order that could have been: who waits for an added call delays others | `replay` |
//! | accumulates in the place of stores | `updates` |
//! | groups that lack a target | `covers` |
//! | who would wait for ever if locks were taken in another order | `holders` |
//! | what is not complete where its process waits | `left_open` |
//! | how often processes pass a loop in which they do nothing | `unseen` |
//! | where in the text they were tried | `stands` |
//! | suggestions, tried, and the cheapest that helps | [`Trials`], [`Costs`] |
//! | synchronisation that the run did not need | [`superfluous()`] |
//! | receives that could have taken another message | [`other_matches`] |
//!
//! Promise: a trial is an execution that the changed program could have had, as far as the recording tells what its
//! processes did; values that were read are taken to stay what they were. Not promised: the same of other executions.
//! What a call for all ranks means for processes that do nothing around it is told by the text alone.
//! [Why](../../../docs/design/trials.md).
#![forbid(unsafe_code)]

mod costs;
mod covers;
mod cut;
mod edit;
mod editor;
mod exclusion;
mod excuses;
mod holders;
mod left_open;
mod matches;
mod meetings;
mod moved;
mod near;
mod notes;
mod proof;
mod recording;
mod replay;
mod shift;
mod spots;
mod stands;
mod superfluous;
mod touched;
mod unseen;
mod updates;
mod work;

pub use costs::Costs;
pub use matches::other_matches;
pub use proof::{Trials, stopped};
pub use recording::Recording;
pub use superfluous::superfluous;
pub use work::{Clock, Work};
