//! One-sided communication for Rust.

mod collective;
mod element;
mod epoch;
mod error;
mod flags;
mod group;
mod layout;
mod mailbox;
mod message;
mod notify;
mod operation;
mod pool;
mod request;
#[cfg(any(feature = "shm", feature = "sim"))]
mod simulate;
#[cfg(feature = "launch")]
mod start;
mod window;
mod world;

pub use element::{Element, Plain};
pub use epoch::{
    AccessEpoch, Assertions, Epoch, ExposureEpoch, FenceEpoch, Fences, Lock, LockAllEpoch, LockEpoch, kind,
};
pub use error::{Error, Result};
pub use farside_fabric::{AtomicOperation as Operation, Rank};
#[cfg(feature = "sim")]
pub use farside_fabric_sim as sim;
pub use group::Group;
pub use layout::Layout;
pub use message::Message;
pub use notify::Notice;
pub use operation::Target;
pub use request::{Buffer, BufferMut, Fetched, Keep, Request};
#[cfg(feature = "shm")]
pub use simulate::threads;
#[cfg(feature = "sim")]
pub use simulate::{simulate, simulate_with};
#[cfg(feature = "launch")]
pub use start::run;
pub use window::attach::{Attached, Connected, Token};
pub use window::cells::Cells;
pub use window::{Active, Mode, Passive, Window};
pub use world::World;
