//! Messages between two processes: what stands for one, and for nothing else.

/// What a message is about. Messages of one kind from one process to another arrive in their order (MPI-4.1 §3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// A message of the program in the communicator of this number, with this tag.
    Tag(u32, i64),
    /// That a message of `MPI_Ssend` with this tag there is received.
    Taken(u32, i64),
    /// That a partitioned send and receive are made there with this tag: they are matched in the order of that.
    Pair(u32, i64),
    /// A partition of what these send, by its number, of so many.
    Partition {
        of: Pair,
        partition: u32,
        partitions: u32,
    },
    /// A part of a collective call: of the so-many-th one in the communicator of this number.
    Collective(u32, u32),
    /// A part of a call in which each gives each something, of those whose values are followed: of the so-many-th one
    /// there. Others are counted in each attempt, and these from the one on that follows them.
    Exchange(u32, u32),
    /// `MPI_Win_post` of the window of this number.
    Posted(u32),
    /// `MPI_Win_complete` of the window of this number.
    Completed(u32),
}

/// A partitioned send and the receive that it is matched with (MPI-4.1 §4.2): the so-many-th with a tag, in the
/// communicator of a number, between two processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Pair {
    communicator: u32,
    tag: i64,
    number: u32,
}

impl Pair {
    /// The so-many-th one with a tag, in a communicator.
    pub(crate) fn new(communicator: u32, tag: i64, number: u32) -> Self {
        Self {
            communicator,
            tag,
            number,
        }
    }
}

/// One message: nothing else stands for it, so that it orders nothing but its two processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Message {
    from: u32,
    to: u32,
    kind: Kind,
    number: u32,
}

impl Message {
    /// The message of a kind from a process to another one before which there were so many.
    pub(crate) fn new((from, to): (u32, u32), kind: Kind, number: u32) -> Self {
        Self {
            from,
            to,
            kind,
            number,
        }
    }

    pub(crate) fn to(self) -> u32 {
        self.to
    }

    pub(crate) fn from(self) -> u32 {
        self.from
    }

    pub(crate) fn kind(self) -> Kind {
        self.kind
    }

    /// The word that the receive of this one has begun.
    pub(crate) fn taken(self) -> Self {
        let kind = match self.kind {
            Kind::Tag(communicator, tag) => Kind::Taken(communicator, tag),
            other => other,
        };
        Self {
            from: self.to,
            to: self.from,
            kind,
            number: self.number,
        }
    }

    /// The post of a window by a process, for another one.
    pub(crate) fn of_post((window, from): (u32, u32), to: u32, number: u32) -> Self {
        Self {
            from,
            to,
            kind: Kind::Posted(window),
            number,
        }
    }

    /// How many of its kind there were before.
    pub(crate) fn number(self) -> u32 {
        self.number
    }
}
