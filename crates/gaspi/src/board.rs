//! The board of a rank: memory in which the others write which segments they have registered here.
//!
//! Promise: registering needs nobody's help. When [`Board::tell`] returns, the target knows the segment, whatever it
//! does meanwhile (`gaspi_segment_register` is one-sided, GASPI 17.1 §7.2.2).
//!
//! An entry is some words; the first, its number, is written last, and 0 says that there is no segment.

use crate::abi::{Failure, Outcome, SegmentId};
use crate::net::{Net, locked};
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{
    AtomicKind, CompareSwap, Descriptor, Error, Exposed, Put, Rank, Remote, Scope, Signal, Ticket,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// Under this name a rank publishes its card.
const CARD: &str = "gaspi-card";

/// Words in front of the entries; the first is the lock.
const HEAD: usize = 8;

/// Words of an entry: its number, the length of the segment, its address if it is the program's own memory; and for
/// both descriptors their lengths and their bytes.
const WORDS: usize = 24;

/// Words of a descriptor.
const DESCRIPTOR: usize = Descriptor::LIMIT.div_ceil(size_of::<u64>());

/// Where the lengths of the descriptors are in an entry.
const LENGTHS: [usize; 2] = [3, 4 + DESCRIPTOR];

/// Room for the segments of a rank.
const SEGMENTS: usize = 256;

/// A segment that a rank has registered at another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Not 0, and another one for each segment that a rank has had.
    number: u64,
    /// Of the data, in bytes.
    size: u64,
    /// Where the data are in the owner's process, if it is the program's own memory; else 0.
    bound: u64,
    /// Leads to the notifications, and after them to the data unless the memory is the program's.
    descriptor: Descriptor,
    /// Leads to the data, from other nodes, if it is the program's own memory and the transport takes it.
    lent: Option<Descriptor>,
}

impl Entry {
    /// With descriptors of the notifications, and of memory that is lent.
    pub(crate) fn new(
        number: u64,
        size: u64,
        bound: u64,
        (descriptor, lent): (&Descriptor, Option<&Descriptor>),
    ) -> Self {
        Self {
            number,
            size,
            bound,
            descriptor: descriptor.clone(),
            lent: lent.cloned(),
        }
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn bound(&self) -> u64 {
        self.bound
    }

    pub(crate) fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    pub(crate) fn lent(&self) -> Option<&Descriptor> {
        self.lent.as_ref()
    }
}

/// What ranks say of themselves at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Card {
    process: u32,
    machine: [u8; 16],
    namespace: u64,
    board: Descriptor,
}

impl Card {
    fn encode(&self) -> Vec<u8> {
        let mut bytes = self.process.to_le_bytes().to_vec();
        bytes.extend_from_slice(&self.machine);
        bytes.extend_from_slice(&self.namespace.to_le_bytes());
        bytes.extend_from_slice(self.board.bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> farside_fabric::Result<Self> {
        let malformed = || Error::Malformed {
            what: "the card of a rank",
            detail: format!("{} bytes: do all ranks use the same library?", bytes.len()),
        };
        let (process, rest) = bytes.split_first_chunk::<4>().ok_or_else(malformed)?;
        let (machine, rest) = rest.split_first_chunk::<16>().ok_or_else(malformed)?;
        let (namespace, board) = rest.split_first_chunk::<8>().ok_or_else(malformed)?;
        Ok(Self {
            process: u32::from_le_bytes(*process),
            machine: *machine,
            namespace: u64::from_le_bytes(*namespace),
            board: Descriptor::new(board)?,
        })
    }
}

/// The own board, and the way to those of others.
pub(crate) struct Board {
    own: Exposed,
    cards: Vec<Card>,
    rank: Rank,
    remotes: Mutex<Vec<Option<Remote>>>,
    scope: Scope,
}

impl Board {
    /// All ranks call it.
    pub(crate) fn meet(net: &Net, bootstrap: &dyn Bootstrap) -> farside_fabric::Result<Self> {
        let ranks = net.size() as usize;
        let own = net
            .fabric()
            .expose((HEAD + ranks * SEGMENTS * WORDS) * size_of::<u64>())?;
        let card = Card {
            process: std::process::id(),
            machine: farside_fabric_shm::machine()?,
            namespace: farside_fabric_shm::namespace()?,
            board: own.descriptor.clone(),
        };
        bootstrap.publish(CARD, &card.encode())?;
        bootstrap.fence()?;
        let cards = (0..net.size()).map(|rank| Card::decode(&bootstrap.lookup(rank, CARD)?));
        Ok(Self {
            own,
            cards: cards.collect::<farside_fabric::Result<_>>()?,
            rank: net.rank(),
            remotes: Mutex::new(vec![None; ranks]),
            scope: net.fabric().open_scope()?,
        })
    }

    /// The process of a rank, if it is one that this process can name: on this machine, in the same namespace.
    pub(crate) fn process(&self, rank: Rank) -> Option<i32> {
        let (own, other) = (&self.cards[self.rank as usize], &self.cards[rank as usize]);
        let near = (own.machine, own.namespace) == (other.machine, other.namespace);
        near.then_some(other.process as i32)
    }

    /// Number of ranks of this machine, and the place of this one among them.
    pub(crate) fn neighbours(&self) -> (u32, u32) {
        let own = self.cards[self.rank as usize].machine;
        let near = |cards: &[Card]| cards.iter().filter(|card| card.machine == own).count() as u32;
        (near(&self.cards), near(&self.cards[..self.rank as usize]))
    }

    fn word(&self, at: usize) -> &AtomicU64 {
        // SAFETY: the region is as long as the endpoint, which the board does not outlive, aligned to 64 bytes, and has
        // a word at each index that is made here: `HEAD + ranks * SEGMENTS * WORDS` of them. Ranks come from 0 to the
        // number of ranks, segments are bytes.
        unsafe { AtomicU64::from_ptr(self.own.base.as_ptr().cast::<u64>().add(at)) }
    }

    fn place(owner: Rank, segment: SegmentId) -> usize {
        HEAD + (owner as usize * SEGMENTS + segment as usize) * WORDS
    }

    /// The number of the segment that a rank has registered here; 0: none.
    #[inline]
    pub(crate) fn number(&self, owner: Rank, segment: SegmentId) -> u64 {
        self.word(Self::place(owner, segment)).load(Ordering::Acquire)
    }

    /// The segment that a rank has registered here.
    ///
    /// # Errors
    /// SEGMENT: none.
    pub(crate) fn entry(&self, owner: Rank, segment: SegmentId) -> Outcome<Entry> {
        let place = Self::place(owner, segment);
        let word = |at: usize| self.word(place + at).load(Ordering::Relaxed);
        let number = self.number(owner, segment);
        if number == 0 {
            return Err(Failure::SEGMENT);
        }
        let descriptor = |at: usize| {
            let words = (at + 1..=at + DESCRIPTOR).flat_map(|at| word(at).to_le_bytes());
            let bytes: Vec<u8> = words.take(word(at) as usize).collect();
            Descriptor::new(&bytes).map_err(|_| Failure::SEGMENT)
        };
        let lent = descriptor(LENGTHS[1])?;
        Ok(Entry {
            number,
            size: word(1),
            bound: word(2),
            descriptor: descriptor(LENGTHS[0])?,
            lent: (!lent.bytes().is_empty()).then_some(lent),
        })
    }

    /// Writes an entry of the own segment at a rank; `None` takes it away.
    pub(crate) fn tell(&self, net: &Net, to: Rank, segment: SegmentId, entry: Option<&Entry>) -> Outcome {
        let mut words = [0; WORDS];
        if let Some(entry) = entry {
            words[..3].copy_from_slice(&[entry.number, entry.size, entry.bound]);
            for (at, descriptor) in LENGTHS
                .into_iter()
                .zip([Some(&entry.descriptor), entry.lent.as_ref()])
            {
                let bytes = descriptor.map_or(&[][..], Descriptor::bytes);
                words[at] = bytes.len() as u64;
                for (word, part) in words[at + 1..].iter_mut().zip(bytes.chunks(8)) {
                    let mut eight = [0; 8];
                    eight[..part.len()].copy_from_slice(part);
                    *word = u64::from_le_bytes(eight);
                }
            }
        }
        let place = Self::place(self.rank, segment);
        if to == self.rank {
            let write = |at: usize| self.word(place + at).store(words[at], Ordering::Relaxed);
            (1..WORDS).for_each(write);
            self.word(place).store(words[0], Ordering::Release);
            return Ok(());
        }
        let told = self
            .write(net, to, place + 1, &words[1..])
            .and_then(|()| self.write(net, to, place, &words[..1]));
        told.map_err(|error| net.failure(&error))
    }

    /// Writes words to the board of a rank; they are there when it returns.
    fn write(&self, net: &Net, to: Rank, at: usize, words: &[u64]) -> farside_fabric::Result<()> {
        let put = Put {
            scope: self.scope,
            origin: words.as_ptr().cast(),
            bytes: size_of_val(words),
            remote: self.remote(net, to)?,
            displacement: at * size_of::<u64>(),
            signal: Signal::None,
        };
        // SAFETY: the words live until the flush, after which the transport touches them no more, also if it fails. The
        // connection is that of a board, which is never withdrawn.
        unsafe { net.fabric().put(&put) }?;
        net.fabric().flush(self.scope, Some(to))
    }

    /// The board of a rank.
    fn remote(&self, net: &Net, rank: Rank) -> farside_fabric::Result<Remote> {
        let mut remotes = locked(&self.remotes);
        if let Some(remote) = remotes[rank as usize] {
            return Ok(remote);
        }
        let remote = net.fabric().connect(rank, &self.cards[rank as usize].board)?;
        remotes[rank as usize] = Some(remote);
        Ok(remote)
    }

    /// Holds the lock of a rank while `work` runs: for atomic operations on memory that the transport does not reach.
    ///
    /// # Errors
    /// A rank is lost; it may be the one that held the lock.
    pub(crate) fn with_lock<T>(
        &self,
        net: &Net,
        owner: Rank,
        work: impl FnOnce() -> Outcome<T>,
    ) -> Outcome<T> {
        let swapped = |from: u64, to: u64| {
            self.swap_lock(net, owner, from, to)
                .map_err(|error| net.failure(&error))
        };
        let me = u64::from(self.rank) + 1;
        while swapped(0, me)? != 0 {
            if net.fabric().lost().is_some() {
                return Err(Failure::ERROR);
            }
            std::thread::yield_now();
        }
        let result = work();
        fence(Ordering::SeqCst);
        swapped(me, 0)?;
        result
    }

    fn swap_lock(&self, net: &Net, owner: Rank, from: u64, to: u64) -> farside_fabric::Result<u64> {
        // On the heap, and not freed should the operation fail while it is under way.
        let words = Box::into_raw(Box::new([from, to, 0_u64]));
        // SAFETY: of the box; the elements are in bounds.
        let [expected, replacement, result] = [0, 1, 2].map(|at| unsafe { words.cast::<u64>().add(at) });
        let swap = CompareSwap {
            scope: self.scope,
            kind: AtomicKind::U64,
            expected: expected.cast(),
            replacement: replacement.cast(),
            result: result.cast(),
            remote: self.remote(net, owner)?,
            displacement: 0,
        };
        // SAFETY: the words live until the operation is complete; the connection is that of a board.
        let ticket = unsafe { net.fabric().compare_swap(&swap) }?;
        if ticket != Ticket::DONE {
            net.fabric().wait(None, &mut || net.fabric().test(ticket))?;
        }
        // SAFETY: made by `Box::into_raw` above, and the transport touches it no more.
        Ok(unsafe { Box::from_raw(words) }[2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_read_as_it_was_written() {
        let card = Card {
            process: 77,
            machine: [9; 16],
            namespace: 1 << 40,
            board: Descriptor::new(b"where").expect("short"),
        };
        assert_eq!(Card::decode(&card.encode()), Ok(card.clone()));
        assert!(Card::decode(&card.encode()[..27]).is_err());
    }
}
