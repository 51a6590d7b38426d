//! Programs of several rounds: one text for all ranks, of which each line names who executes it.

/// Memory of a rank: a word of its window, or of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) owner: u32,
    pub(crate) number: u64,
    /// So many words are used in turns, one a round: two for a double buffer.
    pub(crate) turns: u64,
}

/// What a line does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Put {
        rank: u32,
        to: Cell,
        request: bool,
    },
    Get {
        rank: u32,
        from: Cell,
    },
    Load {
        rank: u32,
        cell: Cell,
    },
    Store {
        rank: u32,
        cell: Cell,
    },
    /// A store to the buffer of the operation in that line.
    StoreBuffer {
        rank: u32,
        of: u32,
    },
    LoadBuffer {
        rank: u32,
        of: u32,
    },
    Flush {
        rank: u32,
        target: u32,
        local: bool,
    },
    FlushAll {
        rank: u32,
        local: bool,
    },
    /// For all requests of the rank that are open.
    WaitRequests {
        rank: u32,
    },
    Sync {
        rank: u32,
    },
    Barrier,
    Fence {
        noprecede: bool,
    },
    Send {
        rank: u32,
        to: u32,
        number: u32,
    },
    Receive {
        rank: u32,
        from: u32,
        number: u32,
        first_round: bool,
    },
    Post {
        rank: u32,
        to: u32,
    },
    Start {
        rank: u32,
        to: u32,
    },
    Complete {
        rank: u32,
    },
    Wait {
        rank: u32,
    },
    Lock {
        rank: u32,
        target: u32,
    },
    Unlock {
        rank: u32,
        target: u32,
    },
}

impl What {
    /// Whether `rank` executes it.
    pub(crate) fn is_of(&self, rank: u32) -> bool {
        match *self {
            Self::Barrier | Self::Fence { .. } => true,
            Self::Put { rank: own, .. }
            | Self::Get { rank: own, .. }
            | Self::Load { rank: own, .. }
            | Self::Store { rank: own, .. }
            | Self::StoreBuffer { rank: own, .. }
            | Self::LoadBuffer { rank: own, .. }
            | Self::Flush { rank: own, .. }
            | Self::FlushAll { rank: own, .. }
            | Self::WaitRequests { rank: own }
            | Self::Sync { rank: own }
            | Self::Send { rank: own, .. }
            | Self::Receive { rank: own, .. }
            | Self::Post { rank: own, .. }
            | Self::Start { rank: own, .. }
            | Self::Complete { rank: own }
            | Self::Wait { rank: own }
            | Self::Lock { rank: own, .. }
            | Self::Unlock { rank: own, .. } => own == rank,
        }
    }

    /// Whether it is there for the order of others only.
    pub(crate) fn synchronises(&self) -> bool {
        !matches!(
            self,
            Self::Put { .. }
                | Self::Get { .. }
                | Self::Load { .. }
                | Self::Store { .. }
                | Self::StoreBuffer { .. }
                | Self::LoadBuffer { .. }
        )
    }
}

/// A line and its number, by which findings name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) number: u32,
    pub(crate) what: What,
}

/// Which epochs a program has around its rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Around {
    LockAll,
    Fence,
    Nothing,
}

/// All ranks execute `body` so often.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) ranks: u32,
    pub(crate) rounds: u64,
    pub(crate) around: Around,
    /// Window memory of all is mapped by all.
    pub(crate) shared: bool,
    pub(crate) body: Vec<Line>,
}

impl Program {
    pub(crate) fn new(ranks: u32, rounds: u64, around: Around, body: &[What]) -> Self {
        let line = |(index, what): (usize, &What)| Line {
            number: 10 * (index as u32 + 1),
            what: *what,
        };
        Self {
            ranks,
            rounds,
            around,
            shared: false,
            body: body.iter().enumerate().map(line).collect(),
        }
    }

    /// The index of the line with this number.
    pub(crate) fn index(&self, number: u32) -> Option<usize> {
        self.body.iter().position(|line| line.number == number)
    }

    /// Inserts lines before the one at `index`; they get numbers of their own.
    pub(crate) fn insert(&mut self, index: usize, what: &[What]) {
        for (offset, what) in what.iter().enumerate() {
            let number = 10_001 + self.body.len() as u32;
            self.body.insert(index + offset, Line { number, what: *what });
        }
    }
}
