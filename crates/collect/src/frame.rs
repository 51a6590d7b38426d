//! What front and collector say to each other.
//!
//! Messages travel in the frames of `farside_link`. Bytes of recordings are compressed block by block (deflate, the
//! fastest level: recordings shrink about ten times).
//!
//! Promise: a block that does not unpack, or to another length than it says, is an error, never a panic; no more memory
//! is taken than the longest block needs.

pub(crate) use farside_link::{BLOCK, Wire, malformed};

use farside_events::{Event, EventKind, Rank, ThreadId};
use farside_race::{Detector, Ending, Inbox, Options, Owners, Post, Shard, Word};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io;

/// From a collector.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ToFront {
    /// The first message.
    Hello {
        /// Of the library, as `farside_spool::BUILD`.
        build: String,
        /// The secret of the job.
        token: u128,
        /// The name of the host.
        host: String,
        /// What its process ids count on.
        machine: String,
    },
    /// It lives.
    Alive,
    /// A file of the agreement, which is empty.
    File {
        /// Its name.
        name: String,
    },
    /// A recording was found. Recordings are numbered in the order of these messages, from 0.
    Begin {
        /// What the names of its chunks begin with.
        recording: String,
        /// See `Launched::job`.
        job: Option<String>,
    },
    /// More bytes of records of the chunk that is current.
    Data {
        /// The recording.
        number: u32,
        /// Their number, before they were compressed.
        length: u32,
        /// They, compressed.
        packed: Vec<u8>,
    },
    /// The current chunk is whole.
    Sealed {
        /// The recording.
        number: u32,
        /// Whether a next chunk follows; else the recording has ended properly.
        more: bool,
    },
    /// The process ended without sealing its recording.
    Lost {
        /// The recording.
        number: u32,
    },
    /// After [`ToCollector::Finish`]: all that was recorded here was sent.
    Delivered,
    /// The answer to [`ToCollector::Read`].
    Bytes {
        /// Which question.
        request: u64,
        /// The length of the file; none if it cannot be read.
        size: Option<u64>,
        /// How many bytes there are, before they were compressed.
        length: u32,
        /// They, compressed.
        packed: Vec<u8>,
    },
    /// What the judge of a job here tells all others.
    Word {
        /// The job.
        job: u32,
        /// What.
        word: Word,
    },
    /// It has judged one more batch.
    JudgedBatch {
        /// The job.
        job: u32,
        /// Findings so far.
        found: u64,
    },
    /// A piece of what it found (a `Part`).
    Found {
        /// The job.
        job: u32,
        /// The piece.
        piece: Piece,
        /// It is all that it will find; else, what it has found so far.
        ended: bool,
    },
    /// It judges nothing more.
    GivenUp {
        /// The job.
        job: u32,
        /// Why.
        why: String,
    },
}

/// A piece of something that is longer than a message may be.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Piece {
    /// Bytes, before they were compressed.
    length: u32,
    /// They, compressed.
    packed: Vec<u8>,
    /// It is the last piece.
    last: bool,
}

/// Pieces that came, until they are whole.
#[derive(Debug, Default)]
pub(crate) struct Pieces(Vec<u8>);

/// No more than this is put together.
const LONGEST: usize = 1 << 30;

impl Piece {
    /// All of `bytes`.
    pub(crate) fn all(bytes: &[u8]) -> Vec<Self> {
        let count = bytes.len().div_ceil(BLOCK).max(1);
        let piece = |index: usize| {
            let block = &bytes[index * BLOCK..bytes.len().min((index + 1) * BLOCK)];
            Self {
                length: block.len() as u32,
                packed: pack(block),
                last: index + 1 == count,
            }
        };
        (0..count).map(piece).collect()
    }
}

impl Pieces {
    /// Takes the next one in; gives all bytes, if it is the last.
    ///
    /// # Errors
    /// It is none, or all are too many.
    pub(crate) fn take(&mut self, piece: &Piece) -> io::Result<Option<Vec<u8>>> {
        let block = unpack(&piece.packed, piece.length)?;
        if self.0.len() + block.len() > LONGEST {
            return Err(malformed("pieces of too much"));
        }
        self.0.extend(block);
        Ok(piece.last.then(|| std::mem::take(&mut self.0)))
    }
}

/// What the judge of a host is given.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Assignment {
    own: u32,
    owners: Owners,
    options: Options,
    clocks: Vec<(Rank, u32)>,
    members: Vec<(Rank, u32)>,
}

impl Assignment {
    /// For the judge of this number, of memory that is split like this; `clocks` are those of all processes, `members`
    /// its own processes, and the numbers of their recordings.
    pub(crate) fn new(
        own: u32,
        owners: Owners,
        options: Options,
        clocks: Vec<(Rank, u32)>,
        members: Vec<(Rank, u32)>,
    ) -> Self {
        Self {
            own,
            owners,
            options,
            clocks,
            members,
        }
    }

    /// Its processes, and the numbers of their recordings.
    pub(crate) fn members(&self) -> &[(Rank, u32)] {
        &self.members
    }

    /// The judge, which tells others by `post` and hears of them from `inbox`.
    pub(crate) fn detector(self, post: Post, inbox: Inbox) -> Detector {
        let shard = Shard::elsewhere(self.own, self.owners, post, inbox);
        let mut detector = Detector::of_shard(self.options, shard);
        for (rank, clock) in self.clocks {
            detector.set_clock(rank, clock);
        }
        detector
    }
}

/// An event in its place in the order of all, as the judge of a host is told.
#[derive(Serialize)]
pub(crate) enum Told<'a> {
    /// The next one of a recording that it has.
    Own(Rank),
    /// Of another host.
    Other(Rank, &'a Event),
    /// Loads and stores of another host, so many runs of them.
    Accesses(Rank, u64, ThreadId, u64),
    /// Nothing for judges.
    Idle(Rank, u64, ThreadId),
}

/// It again.
#[derive(Deserialize)]
#[expect(clippy::large_enum_variant, reason = "one at a time, taken apart at once")]
pub(crate) enum Heard {
    Own(Rank),
    Other(Rank, Event),
    Accesses(Rank, u64, ThreadId, u64),
    Idle(Rank, u64, ThreadId),
}

impl<'a> Told<'a> {
    /// An event of another host.
    pub(crate) fn of(rank: Rank, event: &'a Event) -> Self {
        match &event.kind {
            kind if farside_race::is_idle(kind) => Self::Idle(rank, event.time, event.thread),
            kind => match kind.withheld() {
                Some(EventKind::Withheld { runs }) => Self::Accesses(rank, event.time, event.thread, runs),
                _ => Self::Other(rank, event),
            },
        }
    }
}

impl Heard {
    /// The process, and its event; `None`: the next one that was recorded here.
    pub(crate) fn into_event(self) -> (Rank, Option<Event>) {
        let event = |time, thread, kind| Some(Event { time, thread, kind });
        match self {
            Self::Own(rank) => (rank, None),
            Self::Other(rank, event) => (rank, Some(event)),
            Self::Accesses(rank, time, thread, runs) => {
                (rank, event(time, thread, EventKind::Withheld { runs }))
            }
            Self::Idle(rank, time, thread) => (rank, event(time, thread, EventKind::Exit)),
        }
    }
}

/// One after the other, from bytes.
///
/// # Errors
/// These are none.
pub(crate) fn read_all<T: DeserializeOwned>(
    mut bytes: &[u8],
    mut each: impl FnMut(T) -> io::Result<()>,
) -> io::Result<()> {
    while !bytes.is_empty() {
        let (one, rest) =
            postcard::take_from_bytes(bytes).map_err(|_| malformed("a piece does not decode"))?;
        bytes = rest;
        each(one)?;
    }
    Ok(())
}

/// From the front.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum ToCollector {
    /// The first message: this is the front that was looked for.
    Greeting(u128),
    /// It lives.
    Alive,
    /// What was decided for a job.
    Decision {
        /// What the job is called in the names of files.
        job: String,
        /// All record.
        all: bool,
    },
    /// A whole chunk has arrived, the last one of a lost recording included.
    Have {
        /// The recording.
        number: u32,
        /// The chunk.
        chunk: u32,
    },
    /// It was judged, too.
    Judged {
        /// The recording.
        number: u32,
        /// The chunk.
        chunk: u32,
    },
    /// The command has ended: send what is there.
    Finish,
    /// A piece of a file of the host is wanted.
    Read {
        /// Which question.
        request: u64,
        /// The file.
        path: String,
        /// Where the piece begins.
        offset: u64,
        /// Bytes that are wanted, of those that are there.
        length: u32,
    },
    /// Nothing more is wanted.
    Bye,
    /// The front judges a recording: it wants all of it.
    Whole {
        /// The recording.
        number: u32,
    },
    /// The memory of some processes is judged here: their loads and stores do not travel.
    Judge {
        /// A number for the job.
        job: u32,
        /// What there is to judge.
        assignment: Assignment,
    },
    /// A piece of the next events of a job in their order ([`Told`]).
    Events {
        /// The job.
        job: u32,
        /// The piece.
        piece: Piece,
    },
    /// What another judge of a job tells.
    Word {
        /// The job.
        job: u32,
        /// Which judge.
        from: u32,
        /// What.
        word: Word,
    },
    /// Nothing more of a job is to be judged.
    Stop {
        /// The job.
        job: u32,
    },
    /// The events of a job ended like this.
    End {
        /// The job.
        job: u32,
        /// How.
        ending: Ending,
    },
}

/// A block of a recording, as it travels.
pub(crate) fn pack(block: &[u8]) -> Vec<u8> {
    lz4_flex::block::compress(block)
}

/// It again.
///
/// # Errors
/// It is not what was packed, or of another length.
pub(crate) fn unpack(packed: &[u8], length: u32) -> io::Result<Vec<u8>> {
    let length = usize::try_from(length).map_err(io::Error::other)?;
    if length > BLOCK {
        return Err(malformed("a block is too long"));
    }
    let block =
        lz4_flex::block::decompress(packed, length).map_err(|_| malformed("a block does not unpack"))?;
    if block.len() != length {
        return Err(malformed("a block is shorter than it says"));
    }
    Ok(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_such_message() {
        let mut wire = Wire::new(std::io::Cursor::new(vec![1, 0, 0, 0, 200]));
        wire.receive().unwrap();
        assert!(wire.next::<ToFront>().is_err());
    }

    #[test]
    fn blocks() {
        let noise: Vec<u8> = (0..BLOCK as u64)
            .map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u8)
            .collect();
        for block in [&noise[..], &[0; 1000], &[]] {
            let packed = pack(block);
            let length = u32::try_from(block.len()).unwrap();
            assert_eq!(unpack(&packed, length).unwrap(), block);
            assert!(unpack(&packed, length + 1).is_err());
            assert!(length == 0 || unpack(&packed, length - 1).is_err());
            // The longest block fits into a frame even if it does not shrink.
            assert!(packed.len() < BLOCK + 1024);
        }
        assert!(unpack(&[0xff; 10], 10).is_err());
        assert!(unpack(&pack(&vec![0; BLOCK + 1]), BLOCK as u32 + 1).is_err());
    }
}
