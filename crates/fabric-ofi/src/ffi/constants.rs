//! Numbers of libfabric's headers.

#![allow(missing_docs)]

/// The version of the interface that this crate is written for: 1.17.
pub(crate) const VERSION: u32 = 1 << 16 | 17;

// Capabilities, and kinds of completions.
pub(crate) const MSG: u64 = 1 << 1;
pub(crate) const RMA: u64 = 1 << 2;
pub(crate) const READ: u64 = 1 << 8;
pub(crate) const WRITE: u64 = 1 << 9;
pub(crate) const RECV: u64 = 1 << 10;
pub(crate) const SEND: u64 = 1 << 11;
pub(crate) const REMOTE_READ: u64 = 1 << 12;
pub(crate) const REMOTE_WRITE: u64 = 1 << 13;
pub(crate) const REMOTE_CQ_DATA: u64 = 1 << 17;

// Flags of operations.
pub(crate) const COMPLETION: u64 = 1 << 24;
pub(crate) const DELIVERY_COMPLETE: u64 = 1 << 28;

// Modes that a provider may ask of us.
pub(crate) const CONTEXT: u64 = 1 << 59;
pub(crate) const RX_CQ_DATA: u64 = 1 << 56;
pub(crate) const CONTEXT2: u64 = 1 << 52;

// Ways to register memory.
pub(crate) const MR_VIRT_ADDR: i32 = 1 << 4;
pub(crate) const MR_ALLOCATED: i32 = 1 << 5;
pub(crate) const MR_PROV_KEY: i32 = 1 << 6;
pub(crate) const MR_ENDPOINT: i32 = 1 << 9;

// Orders: later after earlier.
pub(crate) const ORDER_RAW: u64 = 1 << 1;
pub(crate) const ORDER_WAW: u64 = 1 << 4;
pub(crate) const ORDER_SAW: u64 = 1 << 7;
pub(crate) const ORDER_SAS: u64 = 1 << 8;

// Enumerations.
pub(crate) const AV_UNSPEC: u32 = 0;
pub(crate) const AV_TABLE: u32 = 2;
pub(crate) const EP_MSG: u32 = 1;
pub(crate) const EP_DGRAM: u32 = 2;
pub(crate) const EP_RDM: u32 = 3;
pub(crate) const THREAD_DOMAIN: u32 = 3;
pub(crate) const RM_ENABLED: u32 = 2;
pub(crate) const WAIT_NONE: u32 = 0;
pub(crate) const WAIT_FD: u32 = 3;
pub(crate) const CQ_FORMAT_DATA: u32 = 3;

// Commands of `fi_control`.
pub(crate) const GETWAIT: i32 = 5;
pub(crate) const ENABLE: i32 = 6;

/// Any source, or no address.
pub(crate) const ADDRESS_UNSPEC: u64 = u64::MAX;

// Errors: those of the system, and libfabric's own.
pub(crate) const EAGAIN: i32 = 11;
pub(crate) const ENODATA: i32 = 61;
pub(crate) const ENOSYS: i32 = 38;
pub(crate) const EAVAIL: i32 = 259;
