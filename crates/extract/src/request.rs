//! What requests, groups and communicators of MPI stand for, by numbers that an `int` has room for, since they are one
//! in MPICH.

use crate::message::{Kind, Message, Pair};
use farside_lint::ir::Type;
use std::collections::BTreeSet;

/// What is waited for by a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Request {
    /// Nothing more.
    Over,
    /// A message that is to come, and where it goes.
    Receive {
        message: Message,
        /// Its address.
        buffer: u64,
        elements: Elements,
    },
    /// What others say, and then memory of which nothing is known: address and length. Of collective calls, and of
    /// messages that wait until they are received.
    Words {
        awaited: Vec<Message>,
        written: Vec<(u64, u64)>,
    },
    /// An operation on a window.
    Operation {
        window: u32,
        gives: bool,
        number: u32,
        /// Its target, if it is known.
        target: Option<u32>,
    },
    /// What the persistent request of this number stands for.
    Persistent(u32),
    /// The partitions of a message, and which of those that are sent are ready, or have come.
    Partitions(Partitions, BTreeSet<u32>),
}

/// What `MPI_Start` begins (MPI-4.1 §3.9).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Begins {
    Message {
        way: Way,
        /// The address of the buffer, and what is in it.
        buffer: (u64, Elements),
        /// The other process in the communicator, the tag, and the number of the communicator.
        envelope: (u64, u64, u32),
    },
    /// A collective call (§6.13): what made it with what, and of what kind its messages are.
    Collective {
        call: String,
        values: Vec<u64>,
        kind: Kind,
    },
    /// A message in partitions (§4.2).
    Partitions(Partitions),
}

/// One side of a message in partitions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Partitions {
    side: Side,
    buffer: u64,
    number: u32,
    each: Elements,
    peer: Option<u32>,
    pair: Pair,
}

impl Partitions {
    /// So many partitions of a buffer at an address, with so much in each, to or from a process, unless that is
    /// `MPI_PROC_NULL`.
    pub(crate) fn new(
        side: Side,
        (buffer, number, each): (u64, u32, Elements),
        (peer, pair): (Option<u32>, Pair),
    ) -> Self {
        Self {
            side,
            buffer,
            number,
            each,
            peer,
            pair,
        }
    }

    pub(crate) fn side(&self) -> Side {
        self.side
    }

    /// The address of the buffer.
    pub(crate) fn buffer(&self) -> u64 {
        self.buffer
    }

    /// How many there are on this side.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// What is in each of them.
    pub(crate) fn each(&self) -> Elements {
        self.each
    }

    /// The other process, unless it is `MPI_PROC_NULL`.
    pub(crate) fn peer(&self) -> Option<u32> {
        self.peer
    }

    /// The send and the receive that it is one side of.
    pub(crate) fn pair(&self) -> Pair {
        self.pair
    }
}

/// Who has a message in partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    Sender,
    Receiver,
}

/// Which message that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Way {
    /// One that is sent; nobody waits for it.
    Send,
    /// One that is sent, and waited for until it is received.
    SendSynchronously,
    Receive,
}

/// A persistent request: what it begins, and what is waited for by it now.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Persistent {
    begins: Begins,
    active: Option<Request>,
}

impl Persistent {
    /// One that is not started.
    pub(crate) fn new(begins: Begins) -> Self {
        Self { begins, active: None }
    }

    pub(crate) fn begins(&self) -> &Begins {
        &self.begins
    }

    /// Whether it is started, and not over.
    pub(crate) fn is_active(&self) -> bool {
        self.active.is_some()
    }

    /// It is started: what is waited for.
    pub(crate) fn start(&mut self, request: Request) {
        self.active = Some(request);
    }

    /// What is waited for by it, to change it.
    pub(crate) fn active_mut(&mut self) -> Option<&mut Request> {
        self.active.as_mut()
    }

    /// What is waited for by it, which is over then.
    pub(crate) fn end(&mut self) -> Option<Request> {
        self.active.take()
    }
}

/// What is sent: so many elements of so many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Elements {
    count: u64,
    size: u64,
}

/// Most elements of a message whose values may be followed.
const MOST: u64 = 16;

impl Elements {
    pub(crate) fn new(count: u64, size: u64) -> Self {
        Self { count, size }
    }

    pub(crate) fn bytes(self) -> u64 {
        self.count.saturating_mul(self.size)
    }

    /// Bytes of one.
    pub(crate) fn size(self) -> u64 {
        self.size
    }

    /// The type of one of them, as a number.
    pub(crate) fn of(self) -> Type {
        Type::Integer(8 * self.size as u32)
    }

    /// How many there are, if each may be followed.
    pub(crate) fn followed(self) -> Option<u64> {
        (self.count <= MOST && matches!(self.size, 1 | 2 | 4 | 8)).then_some(self.count)
    }
}

/// Things by the handles that the program has of them.
#[derive(Debug)]
pub(crate) struct Handles<T> {
    base: u64,
    known: Vec<T>,
}

impl<T: PartialEq> Handles<T> {
    /// Handles from a number on.
    pub(crate) fn from(base: u64) -> Self {
        Self {
            base,
            known: Vec::new(),
        }
    }

    /// The handle of a thing; equal things have the same.
    pub(crate) fn handle(&mut self, thing: T) -> u64 {
        let found = self.known.iter().position(|known| *known == thing);
        let number = found.unwrap_or(self.known.len());
        if found.is_none() {
            self.known.push(thing);
        }
        self.base + number as u64
    }

    /// All things, by number.
    pub(crate) fn all(&self) -> &[T] {
        &self.known
    }

    /// The thing of a handle.
    pub(crate) fn at(&self, handle: u64) -> Option<&T> {
        self.known
            .get(usize::try_from(handle.checked_sub(self.base)?).ok()?)
    }
}
