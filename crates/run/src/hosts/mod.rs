//! A job over several hosts: an agent on each, which starts the ranks there and does what the head, which is
//! `farside run`, says.
//!
//! | what | module |
//! |---|---|
//! | what both sides say | `message` |
//! | whether the other side lives | `talk` |
//! | output, input and the rendezvous, carried over the connection | `channels` |
//! | the side of a host | [`mod@agent`] |
//! | the side of `farside run`, a thread a host | `side` |
//! | all hosts brought together, and their ranks as one crew | `head`, `fleet` |
//!
//! The agents connect back over TCP (`farside_link`) and show the secret that they were told by their standard input.
//! Each carries what its ranks say to the rendezvous, in order, and says that a rank has ended after it: so the culprit
//! of a failure is found as on one host.
//!
//! Promise: either side ends when the other is gone, or silent for ten seconds, and an agent ends what it has started
//! before. What goes wrong names the host.
//! Limits: the connection is not encrypted. Who stops `farside run` (Ctrl-Z) for ten seconds ends the job.

mod agent;
mod channels;
mod fleet;
mod head;
mod message;
mod side;
mod talk;

pub use agent::agent;
pub(crate) use head::Head;
