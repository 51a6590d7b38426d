//! GASPI's table: the functions by name, the widths of their arguments, and the meaning of each (GASPI 17.1, chapters 5
//! to 14, and what GPI-2 1.6 adds).
//!
//! Promise: every function of the standard and of GPI-2 is in the table. Those that move data, order ranks or say where
//! segments lie are handed to a macro by [`crate::followed_functions_of_gaspi`]; the others only tell something, and
//! [`OTHERS`] names them. A test compares both with the header of `crates/gaspi`.
//!
//! Limits: `gaspi_config_set` has a structure by value and `gaspi_printf` any arguments: neither can be forwarded by
//! words, and both are among the others.

mod functions;
mod lookup;
mod nearest;

pub use functions::OTHERS;
pub use lookup::of_name;
pub use nearest::{Limits, Side, nearest};

/// Bytes of the types of arguments (GPI-2 1.6): an argument is in a word whose upper bits say nothing.
pub mod width {
    /// `gaspi_segment_id_t`.
    pub const SEGMENT: u8 = 1;
    /// `gaspi_queue_id_t`.
    pub const QUEUE: u8 = 1;
    /// `gaspi_group_t`.
    pub const GROUP: u8 = 1;
    /// `gaspi_rank_t`.
    pub const RANK: u8 = 2;
    /// `gaspi_number_t`, `gaspi_notification_id_t`, `gaspi_notification_t`, enumerations and `int`.
    pub const NUMBER: u8 = 4;
    /// `gaspi_offset_t`, `gaspi_size_t`, `gaspi_timeout_t`, `gaspi_atomic_value_t`, pointers.
    pub const WORD: u8 = 8;
}

/// Which way data goes, between the rank that calls and another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `gaspi_write` and its forms.
    Write,
    /// `gaspi_read` and its forms.
    Read,
}

/// What goes with a request besides data (GASPI 17.1 §8.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notifies {
    /// Nothing.
    No,
    /// A notification of the remote rank by a value, after the data.
    Remote,
    /// A notification of this rank by 1, after the data.
    Local,
}

/// How the memory of a segment comes to be (§7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The library allocates it.
    Allocated,
    /// The program has it.
    Bound,
}

/// A collective operation (§6.2.3, §11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collective {
    /// `gaspi_barrier`.
    Barrier,
    /// `gaspi_allreduce`.
    Allreduce,
    /// `gaspi_allreduce_user`.
    AllreduceUser,
}

impl Collective {
    /// What all ranks give the same, and the places of these arguments (§11.3.1, §11.4.1).
    pub const fn agreed(self) -> &'static [(&'static str, usize)] {
        match self {
            Self::Barrier => &[],
            Self::Allreduce => &[
                ("the number of elements", 2),
                ("the operation", 3),
                ("the type", 4),
            ],
            Self::AllreduceUser => &[("the number of elements", 2), ("the size of an element", 3)],
        }
    }
}

/// What a call means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// `gaspi_proc_init`.
    Init,
    /// `gaspi_proc_term`.
    Term,
    /// `gaspi_segment_alloc`, `gaspi_segment_bind`: this rank alone.
    SegmentHere(Memory),
    /// `gaspi_segment_create`, `gaspi_segment_use`: the ranks of a group, which meet.
    SegmentOfGroup(Memory),
    /// `gaspi_segment_delete`.
    SegmentDelete,
    /// `gaspi_segment_register`.
    SegmentRegister,
    /// `gaspi_write`, `gaspi_read`, with or without a notification.
    Request(Direction, Notifies),
    /// The same of a list.
    List(Direction, Notifies),
    /// `gaspi_notify`.
    Notify,
    /// `gaspi_notify_waitsome`.
    NotifyWaitsome,
    /// `gaspi_notify_reset`.
    NotifyReset,
    /// `gaspi_wait`.
    Wait,
    /// `gaspi_queue_create`.
    QueueCreate,
    /// `gaspi_queue_delete`.
    QueueDelete,
    /// `gaspi_queue_purge`.
    QueuePurge,
    /// `gaspi_passive_send`.
    PassiveSend,
    /// `gaspi_passive_receive`.
    PassiveReceive,
    /// `gaspi_atomic_fetch_add`.
    FetchAdd,
    /// `gaspi_atomic_compare_swap`.
    CompareSwap,
    /// `gaspi_group_create`.
    GroupCreate,
    /// `gaspi_group_add`.
    GroupAdd,
    /// `gaspi_group_commit`.
    GroupCommit,
    /// `gaspi_group_delete`.
    GroupDelete,
    /// A collective operation of a group.
    Collective(Collective),
    /// `gaspi_proc_kill`, `gaspi_passive_queue_purge`: what is complete is not known after it.
    NotUnderstood,
}

impl Meaning {
    /// Whether a call that returns GASPI_TIMEOUT or GASPI_QUEUE_FULL has done nothing yet that the program asks for,
    /// so that it is to be repeated. Calls that only look have found nothing.
    #[must_use]
    pub const fn must_be_repeated(self) -> bool {
        !matches!(
            self,
            Self::NotifyWaitsome | Self::Wait | Self::QueuePurge | Self::PassiveReceive | Self::NotUnderstood
        )
    }
}

/// A function that is followed.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    name: &'static str,
    meaning: Meaning,
    widths: &'static [u8],
    /// The places of arguments that say how a call is made, and not what it is for: the queue and the timeout.
    how: &'static [usize],
}

impl Function {
    /// A function with arguments of these widths, each in a machine word; those at the places `how` are its queue and
    /// its timeout.
    #[must_use]
    pub const fn new(
        name: &'static str,
        meaning: Meaning,
        widths: &'static [u8],
        how: &'static [usize],
    ) -> Self {
        Self {
            name,
            meaning,
            widths,
            how,
        }
    }

    /// The name in C.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What a call means.
    #[must_use]
    pub const fn meaning(&self) -> Meaning {
        self.meaning
    }

    /// Its arguments.
    #[must_use]
    pub const fn words(&self) -> usize {
        self.widths.len()
    }

    /// The bits of an argument that count; 0 where there is no such argument.
    #[must_use]
    pub fn mask(&self, place: usize) -> u64 {
        match self.widths.get(place) {
            Some(8) => u64::MAX,
            Some(width) => (1 << (8 * width)) - 1,
            None => 0,
        }
    }

    /// Whether the argument at this place says what the call is for, and not by which queue or how long.
    #[must_use]
    pub fn is_what(&self, place: usize) -> bool {
        !self.how.contains(&place)
    }
}

/// What a return value says, in words that follow "returned" (GASPI 17.1 §4.1, and the numbers of GPI-2).
#[must_use]
pub fn refusal(code: i32) -> Option<(&'static str, &'static str)> {
    Some(match code {
        6 => (
            "GASPI_ERR_NOINIT",
            "gaspi_proc_init was not called, or gaspi_proc_term was",
        ),
        7 => ("GASPI_ERR_INITED", "gaspi_proc_init was called before"),
        8 => ("GASPI_ERR_NULLPTR", "an argument is NULL"),
        9 => ("GASPI_ERR_INV_SEGSIZE", "a segment cannot have this size"),
        10 => (
            "GASPI_ERR_INV_SEG",
            "there is no such segment, or it is not registered",
        ),
        11 => (
            "GASPI_ERR_INV_GROUP",
            "there is no such group, or it is not committed",
        ),
        12 => ("GASPI_ERR_INV_RANK", "there is no such rank"),
        13 => ("GASPI_ERR_INV_QUEUE", "there is no such queue"),
        14 => ("GASPI_ERR_INV_LOC_OFF", "the local range leaves its segment"),
        15 => ("GASPI_ERR_INV_REM_OFF", "the remote range leaves its segment"),
        16 => ("GASPI_ERR_INV_COMMSIZE", "the size is not allowed"),
        17 => ("GASPI_ERR_INV_NOTIF_VAL", "the value of a notification is not 0"),
        18 => ("GASPI_ERR_INV_NOTIF_ID", "there is no such notification"),
        19 => ("GASPI_ERR_INV_NUM", "a number is not allowed"),
        20 => ("GASPI_ERR_INV_SIZE", "a size is not allowed"),
        24 => (
            "GASPI_ERR_UNALIGN_OFF",
            "the offset of an atomic operation is a multiple of 8",
        ),
        25 => (
            "GASPI_ERR_ACTIVE_COLL",
            "another collective operation of the group goes on",
        ),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
