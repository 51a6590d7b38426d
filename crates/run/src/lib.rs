//! The engine of `farside run`: starts the ranks of a program, on this host or on several, and sees that all of them
//! end together.
//!
//! | step | module |
//! |---|---|
//! | what is asked for, and what comes of it | `request` |
//! | a job from its start to its end | `job` |
//! | which cores each rank gets | `cores` |
//! | signals, ends of processes and news of the rendezvous as one stream | `notices` |
//! | the ranks of this host started | `ranks` |
//! | the ranks of several hosts: an agent on each, which starts them there | `hosts` |
//! | which hosts, which ranks each has, and how an agent is started there | `places`, `shell` |
//! | the ranks as who follows the job sees them | `crew` |
//! | their output forwarded, line by line | `forward`, `lines` |
//! | followed until all have ended, or one has failed | `follow`, `ending` |
//! | files that killed ranks leave in `/dev/shm` | `remains` |
//! | the guard, should this process be killed | `guard` |
//!
//! Promise: when [`run`] returns, no process that the ranks have started lives, also none that has left its session:
//! orphans become children of this process (a *subreaper*). If this process itself is killed, the kernel kills the
//! ranks, and the guard all that has its rendezvous in its environment; agents of other hosts notice that their
//! head is gone, or silent, and end what they have started. The rendezvous has no file, so none is left.
//!
//! Not here: how ranks find one another, which is `farside-launch`; it also serves ranks that other launchers start.
#![forbid(unsafe_code)]

mod cores;
mod crew;
mod ending;
mod follow;
mod forward;
mod guard;
mod hosts;
mod job;
mod lines;
mod notices;
mod places;
mod ranks;
mod remains;
mod request;
mod shell;

pub use cores::Pinning;
pub use ending::{Failure, Loss, Reason};
pub use guard::guard;
pub use hosts::agent;
pub use job::run;
pub use lines::Style;
pub use places::Hosts;
pub use request::{Error, News, Request};
pub use shell::Shell;
