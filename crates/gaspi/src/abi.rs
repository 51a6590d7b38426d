//! Types, constants and return codes of the C interface, with the widths and numbers of GPI-2 1.6.
//!
//! The standard leaves widths open (GASPI 17.1 §4.3), so what is here and in `include/GASPI.h` must agree; the test
//! `header.c` compares them.

use std::ffi::{c_int, c_void};

/// A process of the job (`gaspi_rank_t`).
pub type Rank = u16;
/// A segment (`gaspi_segment_id_t`).
pub type SegmentId = u8;
/// A queue (`gaspi_queue_id_t`).
pub type QueueId = u8;
/// A group (`gaspi_group_t`).
pub type GroupId = u8;
/// A distance in a segment, in bytes (`gaspi_offset_t`).
pub type Offset = u64;
/// A length, in bytes (`gaspi_size_t`).
pub type Size = u64;
/// Milliseconds, or [`BLOCK`] or [`TEST`] (`gaspi_timeout_t`).
pub type Timeout = u64;
/// What an atomic operation works on (`gaspi_atomic_value_t`).
pub type AtomicValue = u64;
/// A notification of a segment (`gaspi_notification_id_t`).
pub type NotificationId = u32;
/// What a notification carries (`gaspi_notification_t`).
pub type NotificationValue = u32;
/// A number of things (`gaspi_number_t`).
pub type Number = u32;
/// Whether a rank can be reached (`gaspi_state_t`).
pub type State = c_int;
/// What C programs get (`gaspi_return_t`).
pub type ReturnCode = c_int;

/// `GASPI_BLOCK`: waits as long as it takes.
pub const BLOCK: Timeout = u64::MAX;
/// `GASPI_TEST`: looks, and does not wait.
pub const TEST: Timeout = 0;

/// `GASPI_STATE_HEALTHY`.
pub const HEALTHY: State = 0;
/// `GASPI_STATE_CORRUPT`.
pub const CORRUPT: State = 1;

/// `GASPI_GROUP_ALL`.
pub const GROUP_ALL: GroupId = 0;

/// Segments of a rank, from 0.
pub const SEGMENTS: usize = 255;
/// Queues of a rank, at most.
pub const QUEUES: usize = 16;
/// Groups of a rank, at most.
pub const GROUPS: usize = 32;
/// Notifications of a segment.
pub const NOTIFICATIONS: usize = 65_536;
/// Requests of one list, at most.
pub const LIST: usize = 255;
/// Elements of an allreduce, at most.
pub const ALLREDUCE_ELEMENTS: usize = 255;
/// Bytes of an allreduce, at most.
pub const ALLREDUCE_BYTES: usize = 8_192;
/// Bytes of a request, at most.
pub const TRANSFER_BYTES: u64 = 1 << 30;
/// Bytes of a passive message, at most.
pub const PASSIVE_BYTES: u64 = 65_535;

/// How a call ended other than with success (`gaspi_return_t`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure(ReturnCode);

/// What the parts of the library give one another.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

macro_rules! failures {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $text:literal;)*) => {
        impl Failure {
            $($(#[$doc])* pub const $name: Self = Self($number);)*
        }

        /// The words for a return code, ended by a zero (`gaspi_error_str`, `gaspi_print_error`).
        #[must_use]
        pub(crate) fn words(code: ReturnCode) -> &'static std::ffi::CStr {
            match code {
                0 => c"no error",
                $($number => $text,)*
                _ => c"no return code of GASPI",
            }
        }
    };
}

failures! {
    /// Something failed that has no code of its own; the state vector may say more.
    ERROR = -1, c"general error";
    /// It was not done in time, and is to be called again.
    TIMEOUT = 1, c"timeout";
    /// Too many files are open.
    FILES = 2, c"too many open files";
    /// The launcher, or what it says, is not as it must be.
    ENVIRONMENT = 3, c"wrong environment: start the program with `farside run`, mpirun or srun";
    /// A configuration that cannot be.
    CONFIG = 5, c"invalid configuration";
    /// `gaspi_proc_init` was not called, or `gaspi_proc_term` was.
    NOT_INITIALISED = 6, c"GASPI is not initialised";
    /// `gaspi_proc_init` was called already.
    INITIALISED = 7, c"GASPI is initialised";
    /// A pointer is NULL.
    NULL_POINTER = 8, c"NULL pointer";
    /// A segment of 0 bytes, or of too many.
    SEGMENT_SIZE = 9, c"invalid size of a segment";
    /// No such segment, or not of that rank, or not told to this one.
    SEGMENT = 10, c"invalid segment";
    /// No such group, or it is not committed, or it is.
    GROUP = 11, c"invalid group";
    /// No such rank.
    RANK = 12, c"invalid rank";
    /// No such queue.
    QUEUE = 13, c"invalid queue";
    /// Bytes that are not in the local segment.
    LOCAL_OFFSET = 14, c"invalid local offset";
    /// Bytes that are not in the remote segment.
    REMOTE_OFFSET = 15, c"invalid remote offset";
    /// More bytes than a request may have.
    TRANSFER_SIZE = 16, c"invalid size of a transfer";
    /// A notification of value 0.
    NOTIFICATION_VALUE = 17, c"invalid value of a notification: it must not be 0";
    /// No such notification.
    NOTIFICATION_ID = 18, c"invalid notification";
    /// A number that cannot be.
    NUMBER = 19, c"invalid number";
    /// A size that cannot be.
    SIZE = 20, c"invalid size";
    /// No segment is left.
    MANY_SEGMENTS = 21, c"too many segments";
    /// No group is left.
    MANY_GROUPS = 22, c"too many groups";
    /// The queue is full: `gaspi_wait` empties it.
    QUEUE_FULL = 23, c"queue full";
    /// An atomic operation at an offset that is not a multiple of 8.
    UNALIGNED = 24, c"unaligned offset: atomic operations need a multiple of 8";
    /// Another collective operation of the group waits to be called again.
    ACTIVE_COLLECTIVE = 25, c"another collective operation of the group is under way";
    /// The transport refused.
    DEVICE = 26, c"the transport failed";
    /// Memory is short.
    MEMORY = 28, c"not enough memory";
}

impl Failure {
    /// The number that C programs get.
    #[must_use]
    pub fn code(self) -> ReturnCode {
        self.0
    }
}

/// What may be reduced (`gaspi_datatype_t`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Datatype {
    Int,
    Uint,
    Float,
    Double,
    Long,
    Ulong,
}

impl Datatype {
    pub(crate) fn of(number: c_int) -> Outcome<Self> {
        Ok(match number {
            0 => Self::Int,
            1 => Self::Uint,
            2 => Self::Float,
            3 => Self::Double,
            4 => Self::Long,
            5 => Self::Ulong,
            _ => return Err(Failure::NUMBER),
        })
    }

    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Int | Self::Uint | Self::Float => 4,
            Self::Double | Self::Long | Self::Ulong => 8,
        }
    }
}

/// How it is reduced (`gaspi_operation_t`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    Min,
    Max,
    Sum,
}

impl Reduction {
    pub(crate) fn of(number: c_int) -> Outcome<Self> {
        Ok(match number {
            0 => Self::Min,
            1 => Self::Max,
            2 => Self::Sum,
            _ => return Err(Failure::NUMBER),
        })
    }
}

/// A reduction of the user's (`gaspi_reduce_operation_t`): left, right, result, state, number of elements, bytes of an
/// element, timeout.
pub type ReduceFunction = unsafe extern "C" fn(
    *const c_void,
    *const c_void,
    *mut c_void,
    *mut c_void,
    Number,
    Size,
    Timeout,
) -> ReturnCode;
