//! What a transport orders, completes and offers.

/// Who moves the operations of others forward at a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Nobody needs to: memory is written by the origin, or by the network.
    Passive,
    /// A thread of the transport.
    Thread,
    /// The target, when it calls the transport.
    Calls,
}

/// How an atomic operation is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atomics {
    /// By the processor or the network.
    Native,
    /// By software at the target, under the same promises.
    Emulated,
    /// Not at all.
    Missing,
}

/// What a transport orders, completes and offers, on this machine and with this provider.
#[derive(Clone, Debug)]
pub struct Capabilities {
    /// Name of the transport, such as `shm`, `sim` or `ofi:tcp;ofi_rxm`.
    pub transport: String,
    /// Puts of one origin to one target become visible in the order of their calls.
    pub write_after_write: bool,
    /// A message is received only when all earlier puts of its source to this rank are visible.
    pub message_after_write: bool,
    /// A notification comes only when all earlier puts of its source to this rank are visible, not only its own.
    pub immediate_after_write: bool,
    /// A get of one origin sees all earlier puts of it to the same target.
    pub read_after_write: bool,
    /// An aligned put of 8 bytes is seen as a whole or not at all. Where it is not, its bytes arrive from the first to
    /// the last: a word that only grows never looks larger than it is.
    pub whole_words: bool,
    /// Bits of the immediate number of a put; 0: none.
    pub immediate_bits: u32,
    /// Most notifications that may wait to be taken; more than that are lost or hold up their senders.
    pub notification_depth: usize,
    /// [`Signal::Count`](crate::Signal::Count) works.
    pub counts: bool,
    /// The longest message, in bytes; at least 1,024.
    pub message_bytes: usize,
    /// The longest put or get that is one operation for the network; longer ones are split, and complete as one.
    pub operation_bytes: usize,
    /// Who moves operations forward.
    pub progress: Progress,
    /// All ranks can load and store all regions directly.
    pub mapped: bool,
    /// Time is virtual.
    pub virtual_time: bool,
}
