//! Repairs of the findings of `farside check` and `farside lint`: the edits of sources that their suggestions mean.
//!
//! Promise: nothing is read or written here, texts come in and go out. An edit keeps every byte that it does not
//! change. What cannot be done surely is refused, with the reason: a repair that is only likely right is none.
//!
//! | file | what it holds |
//! |---|---|
//! | `plan` | what is done about each finding of a report |
//! | `ways` | the ways to repair a finding, or all findings of a cause, the surest first |
//! | `repair` | the edits that one suggestion means |
//! | `template` | the code of a suggestion, filled in from the sources |
//! | `notification` | a notification of GASPI, and who waits for it |
//! | `written` | what a suggestion says for a window and a target |
//! | `tried` | where calls may be written: where they were tried |
//! | `passing` | whether a statement can change places with others |
//! | `everywhere` | where a call of all ranks stands between two places |
//! | `edit` | changes of a text; a statement beside another |
//! | `added` | statements beside others, for who knows where they belong |
//! | `sources`, `source`, `call`, `statement` | a source: its statements, the calls in it, what is known where |
//! | `braces`, `fortran`, `mask` | the scanners of the languages |
//! | `refusal` | why a finding is not repaired |
#![forbid(unsafe_code)]

mod added;
mod braces;
mod call;
mod edit;
mod everywhere;
mod fixed;
mod fortran;
mod language;
mod mask;
mod methods;
mod notification;
mod passing;
mod plan;
mod refusal;
mod repair;
mod rust;
mod source;
mod sources;
mod statement;
mod template;
mod tried;
mod ways;
mod written;

pub use added::{Addition, Piece, added};
pub use plan::{Plan, changes};
pub use refusal::Refusal;
pub use sources::Read;
pub use ways::{Trust, stops_threads};
pub use written::as_written;
