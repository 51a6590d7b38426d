//! Work that is cut into shards, for tasks of a batch system: which pieces a shard has, the file that it leaves, and
//! the files of all shards read as one run.
//!
//! | what | module |
//! |---|---|
//! | shard I of N, and its pieces | [`Shard`] |
//! | what a file says of its run | [`Run`] |
//! | the file of a shard, written | [`Writer`] |
//! | the files of all shards, read in the order of the pieces | [`Parts`] |
//! | a name for what a run reads | [`Inputs`] |
//!
//! ```text
//! {"farside":"shard","form":1,"shard":3,"run":{...,"pieces":120,"shards":8}}
//! {"piece":2,"result":...}        a line a piece, in their order
//! {"piece":10,"result":...}
//! {"end":2,"digest":"..."}        how many they are, and the MD5 of all lines before
//! ```
//!
//! Promise: every piece is in one shard, and two shards differ by one piece at most. [`Parts::open`] succeeds only if
//! all shards of one run are there, each once and whole, and then every piece comes once, in order.
//!
//! Not here: what a piece is and what its result means, which the commands know.
#![forbid(unsafe_code)]

mod inputs;
mod line;
mod parts;
mod refusal;
mod run;
mod shard;
mod writer;

pub use inputs::Inputs;
pub use parts::Parts;
pub use refusal::Refusal;
pub use run::Run;
pub use shard::Shard;
pub use writer::Writer;
