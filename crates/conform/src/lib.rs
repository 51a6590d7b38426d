//! Litmus tests, run on transports, on MPIs and on other interfaces: does what happens stay within what a memory model
//! allows?
//!
//! | step | module |
//! |---|---|
//! | what is run, and how | `settings` |
//! | targets by name: the interface of each, the model that it promises to keep to, what it needs here | `target` |
//! | tests made into programs, which are started again after a test at fault | `batch` |
//! | one start of such a program, under a limit of silence | `launch` |
//! | the log that a run leaves | `record` |
//! | the end of a run before its tests are done: a limit of time, a signal | `stop` |
//! | the log of an earlier run in the place of a run | `earlier` |
//! | such a program, where the target is a transport of the crate farside | [`rank`], [`ranks`] |
//! | one test on the ranks of a job | `job`, `steps` |
//! | histograms compared with a model | `compare` |
//! | the strongest model that allows them | [`fit`] |
//!
//! Promise: [`run`] executes a program of coreRMA's statements on a job of any transport again and again, each process
//! on a rank of its own, with random small delays between statements, and counts its outcomes. A local read or write is
//! one atomic load or store of the processor; a remote statement is one operation of the transport, started and not
//! awaited; its local side is the variable itself, so that a transport that reads a source late, or writes a result
//! late, is seen to. [`declared_model`] names the weakest model of coreRMA's family that a transport promises to keep
//! to. [`ranks`] starts the ranks of a job by the name of its transport, and [`library`] finds tests in folders.
//!
//! Not promised: that every allowed outcome comes. Real transports do far less than they may.
//!
//! Source: Dan et al. 2016, section 7 (tests with random delays, many runs), Table 3 (statements).

mod batch;
mod choice;
mod compare;
mod earlier;
mod error;
pub mod fit;
mod job;
mod launch;
pub mod library;
mod model;
pub mod rank;
pub mod ranks;
mod record;
mod settings;
mod steps;
mod stop;
mod target;

pub use batch::{Fate, Runner, in_order_of_a_run};
pub use choice::Choice;
pub use compare::compare;
pub use earlier::{Earlier, earlier, read as read_log};
pub use error::Error;
pub use job::{Histogram, Plan, run, run_on};
pub use model::declared_model;
pub use record::{Record, tests as tests_of_log};
pub use settings::{Case, Settings};
pub use steps::{Steps, Unsupported};
pub use target::Target;
