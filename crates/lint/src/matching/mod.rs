//! What meets: processes in collective calls, and messages with receives.
//!
//! Promise: nothing here knows of events, or where memory is; who asks is told what has met, and what of it goes where.

mod combination;
mod mailbox;
mod meeting;
mod transfer;

pub(crate) use combination::combined;
pub(crate) use mailbox::{Mailbox, Received, Wanted};
pub(crate) use meeting::{Kind, Meeting, MeetingKey, Meetings};
pub(crate) use transfer::results;
