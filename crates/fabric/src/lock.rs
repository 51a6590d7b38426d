//! The lock of a region, and puts that go under it with one round trip.
//!
//! A lock is two words of the region: the number of tickets that were taken, then the tickets that are called
//! ([`Calls`]). Who wants the lock takes a ticket, waits until it is called, and calls the next one: a shared holder
//! calls the next shared one as soon as it holds the lock, an exclusive one when it unlocks. So locks are given in the
//! order of tickets, nobody starves, and shared holders hold together.
//!
//! Where the target executes atomic operations by software, it can also do all at once for an origin that only puts a
//! little: [`visit`] takes the ticket, and if it is called already, stores and gives the lock back. If it is not, the
//! origin has a ticket, as if it had asked for the lock alone.
//!
//! The upper half of the word of calls is the ticket that may lock exclusively, the lower half the one that may lock
//! shared. Halves wrap; a ticket is as wide as a half. Only additions change the word, and none carries from one half
//! into the other: the lower half is changed only by who knows its value, for that is its ticket; what leaves the upper
//! half leaves the word.

use crate::{Remote, Scope};
use std::sync::atomic::{AtomicU64, Ordering};

/// Who may hold a lock at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// All who lock shared (`MPI_LOCK_SHARED`).
    Shared,
    /// Nobody else (`MPI_LOCK_EXCLUSIVE`).
    Exclusive,
}

/// Short puts to one region, copied.
#[derive(Clone, Debug, Default)]
pub struct ShortPuts {
    bytes: Vec<u8>,
    /// Of each put: where it goes, and where its bytes end.
    places: Vec<(usize, usize)>,
}

impl ShortPuts {
    /// Most puts.
    pub const PUTS: usize = 32;

    /// Most bytes of all together.
    pub const BYTES: usize = 2048;

    /// Adds a put to byte `displacement`; false: there is no room for it.
    pub fn add(&mut self, displacement: usize, bytes: &[u8]) -> bool {
        if self.places.len() == Self::PUTS || bytes.len() > Self::BYTES - self.bytes.len() {
            return false;
        }
        self.bytes.extend_from_slice(bytes);
        self.places.push((displacement, self.bytes.len()));
        true
    }

    /// The puts in the order in which they were added: where each goes, and its bytes.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let begins = std::iter::once(0).chain(self.places.iter().map(|&(_, end)| end));
        let places = self.places.iter().zip(begins);
        places.map(|(&(displacement, end), begin)| (displacement, &self.bytes[begin..end]))
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.places.clear();
    }
}

/// Puts under the lock of their region, which is taken and given back.
#[derive(Clone, Copy, Debug)]
pub struct LockedPuts<'a> {
    /// What completes it.
    pub scope: Scope,
    /// To this region.
    pub remote: Remote,
    /// Whose lock are the two words from this byte on, a multiple of 8.
    pub words: usize,
    /// How it is taken.
    pub lock: Lock,
    /// What is put.
    pub puts: &'a ShortPuts,
    /// Gets two words: those that [`visit`] found.
    pub results: *mut u64,
}

/// Takes a lock, stores and gives the lock back, if nobody has to be waited for; else takes a ticket only. What it
/// gives are the words that it found, the ticket before this one's and the calls: [`Calls::is_called`] says which it
/// was.
pub fn visit(tickets: &AtomicU64, calls: &AtomicU64, lock: Lock, store: impl FnOnce()) -> [u64; 2] {
    let count = tickets.fetch_add(1, Ordering::Relaxed);
    let found = calls.load(Ordering::Acquire);
    let ticket = Calls::<32>::ticket(count);
    if Calls::<32>(found).is_called(ticket, lock) {
        store();
        calls.fetch_add(Calls::<32>::pass(ticket), Ordering::AcqRel);
    }
    [count, found]
}

/// Which tickets are called, in one word: two halves of so many bits. Tests use narrow ones, to see them wrap.
#[derive(Clone, Copy, Debug)]
pub struct Calls<const HALF: u32 = 32>(pub u64);

impl<const HALF: u32> Calls<HALF> {
    const MASK: u64 = (1 << HALF) - 1;

    /// The ticket that a counter of tickets gives.
    #[inline]
    #[must_use]
    pub fn ticket(count: u64) -> u64 {
        count & Self::MASK
    }

    /// The ticket that may lock exclusively: all before it are given back.
    #[inline]
    #[must_use]
    pub fn exclusive(self) -> u64 {
        self.0 >> HALF & Self::MASK
    }

    /// The ticket that may lock shared: all before it are given back, or are shared holders.
    #[inline]
    #[must_use]
    pub fn shared(self) -> u64 {
        self.0 & Self::MASK
    }

    /// Whether a ticket may come in.
    #[inline]
    #[must_use]
    pub fn is_called(self, ticket: u64, lock: Lock) -> bool {
        ticket
            == match lock {
                Lock::Exclusive => self.exclusive(),
                Lock::Shared => self.shared(),
            }
    }

    /// What a shared holder adds when it has the lock, so that the next one may come in.
    #[inline]
    #[must_use]
    pub fn admit(ticket: u64) -> u64 {
        (ticket.wrapping_add(1) & Self::MASK).wrapping_sub(ticket)
    }

    /// What a shared holder adds to give the lock back.
    #[inline]
    #[must_use]
    pub fn leave_shared() -> u64 {
        1 << HALF
    }

    /// What an exclusive holder adds to give the lock back: both halves are its ticket.
    #[inline]
    #[must_use]
    pub fn leave_exclusive(ticket: u64) -> u64 {
        Self::pass(ticket)
    }

    /// What a holder of either kind adds that has not admitted anybody, to admit and to leave at once.
    #[inline]
    #[must_use]
    pub fn pass(ticket: u64) -> u64 {
        Self::leave_shared().wrapping_add(Self::admit(ticket))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashSet, VecDeque};

    #[test]
    fn halves_wrap_and_do_not_carry() {
        let last = u64::from(u32::MAX);
        let word = Calls::<32>(last << 32 | last);
        let next = Calls::<32>(word.0.wrapping_add(Calls::<32>::leave_exclusive(last)));
        assert_eq!((next.exclusive(), next.shared()), (0, 0));
        let next = Calls::<32>(word.0.wrapping_add(Calls::<32>::admit(last)));
        assert_eq!((next.exclusive(), next.shared()), (last, 0));
        let next = Calls::<32>(next.0.wrapping_add(Calls::<32>::leave_shared()));
        assert_eq!((next.exclusive(), next.shared()), (0, 0));
    }

    /// What a rank does next.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    enum Rank {
        Idle,
        Waits {
            ticket: u64,
            shared: bool,
        },
        Holds {
            ticket: u64,
            shared: bool,
            admitted: bool,
        },
    }

    /// Two bits a half, so four tickets, and all words modulo 2^4.
    type Narrow = Calls<2>;
    const WORD: u64 = 0xF;

    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct State {
        next: u64,
        word: u64,
        ranks: Vec<Rank>,
    }

    /// All steps of all ranks.
    fn steps(state: &State) -> Vec<State> {
        let mut all = Vec::new();
        for number in 0..state.ranks.len() {
            let mut then = |next: u64, word: u64, rank: Rank| {
                let mut ranks = state.ranks.clone();
                ranks[number] = rank;
                let (next, word) = (next & 3, word & WORD);
                all.push(State { next, word, ranks });
            };
            let (next, word, calls) = (state.next, state.word, Calls::<2>(state.word));
            match state.ranks[number] {
                Rank::Idle => {
                    for shared in [false, true] {
                        let ticket = Narrow::ticket(next);
                        then(next + 1, word, Rank::Waits { ticket, shared });
                    }
                }
                Rank::Waits { ticket, shared } => {
                    let called = if shared { calls.shared() } else { calls.exclusive() };
                    if called == ticket {
                        let admitted = !shared;
                        then(
                            next,
                            word,
                            Rank::Holds {
                                ticket,
                                shared,
                                admitted,
                            },
                        );
                    }
                }
                Rank::Holds {
                    ticket,
                    shared: true,
                    admitted: false,
                } => {
                    then(next, word.wrapping_add(Narrow::pass(ticket)), Rank::Idle);
                    let word = word.wrapping_add(Narrow::admit(ticket));
                    then(
                        next,
                        word,
                        Rank::Holds {
                            ticket,
                            shared: true,
                            admitted: true,
                        },
                    );
                }
                Rank::Holds { ticket, shared, .. } => {
                    let sum = if shared {
                        Narrow::leave_shared()
                    } else {
                        Narrow::leave_exclusive(ticket)
                    };
                    then(next, word.wrapping_add(sum), Rank::Idle);
                }
            }
        }
        all
    }

    /// Every interleaving of three ranks that lock again and again, each time as they like: an exclusive holder is
    /// alone, some step is always possible, nobody who waits is overtaken, and shared holders do hold together.
    #[test]
    fn every_interleaving_excludes_admits_in_order_and_goes_on() {
        let first = State {
            next: 0,
            word: 0,
            ranks: vec![Rank::Idle; 3],
        };
        let mut known = HashSet::from([first.clone()]);
        let mut queue = VecDeque::from([first]);
        let mut together = 0;
        while let Some(state) = queue.pop_front() {
            let holders: Vec<bool> = state
                .ranks
                .iter()
                .filter_map(|rank| match rank {
                    Rank::Holds { shared, .. } => Some(*shared),
                    _ => None,
                })
                .collect();
            assert!(
                holders.len() < 2 || holders.iter().all(|&shared| shared),
                "{state:?}"
            );
            together = together.max(holders.len());
            let steps = steps(&state);
            let moves = |from: &State, to: &State| {
                (0..3).any(|rank| from.ranks[rank] != Rank::Idle && from.ranks[rank] != to.ranks[rank])
            };
            let active = state.ranks.iter().any(|rank| *rank != Rank::Idle);
            assert!(
                !active || steps.iter().any(|next| moves(&state, next)),
                "stuck: {state:?}"
            );
            for step in steps {
                for rank in 0..3 {
                    let entered = matches!(state.ranks[rank], Rank::Waits { .. })
                        && matches!(step.ranks[rank], Rank::Holds { .. });
                    assert!(!entered || is_first(&state, rank), "overtaken: {state:?}");
                }
                if known.insert(step.clone()) {
                    queue.push_back(step);
                }
            }
        }
        assert_eq!(together, 3);
        assert!(known.len() > 500, "{} states", known.len());
    }

    /// Of those who wait, this rank took its ticket first.
    fn is_first(state: &State, rank: usize) -> bool {
        let age = |ticket: u64| state.next.wrapping_sub(ticket) & 3;
        let Rank::Waits { ticket, .. } = state.ranks[rank] else {
            return false;
        };
        state.ranks.iter().all(|other| match other {
            Rank::Waits { ticket: other, .. } => age(*other) <= age(ticket),
            _ => true,
        })
    }

    #[test]
    fn a_visit_stores_only_where_nobody_is_waited_for() {
        let (tickets, calls) = (AtomicU64::new(u64::from(u32::MAX)), AtomicU64::new(u64::MAX));
        let mut stored = 0;
        for lock in [Lock::Exclusive, Lock::Shared] {
            let [count, found] = visit(&tickets, &calls, lock, || stored += 1);
            assert!(Calls::<32>(found).is_called(Calls::<32>::ticket(count), lock));
        }
        assert_eq!(
            (
                stored,
                tickets.load(Ordering::Relaxed),
                calls.load(Ordering::Relaxed)
            ),
            (2, 1 << 32 | 1, 1 << 32 | 1)
        );
        // A shared holder lets a shared visitor through, and no exclusive one.
        tickets.fetch_add(1, Ordering::Relaxed);
        calls.fetch_add(Calls::<32>::admit(1), Ordering::Relaxed);
        for lock in [Lock::Shared, Lock::Exclusive] {
            visit(&tickets, &calls, lock, || stored += 1);
        }
        assert_eq!(
            (
                stored,
                tickets.load(Ordering::Relaxed),
                Calls::<32>(calls.load(Ordering::Relaxed)).shared()
            ),
            (3, 1 << 32 | 4, 3)
        );
        assert_eq!(Calls::<32>(calls.load(Ordering::Relaxed)).exclusive(), 2);
    }

    #[test]
    fn puts_come_back_as_they_went_up_to_their_limits() {
        let mut puts = ShortPuts::default();
        assert!(puts.add(8, b"12") && puts.add(7, b"") && puts.add(0, b"345"));
        let all: Vec<_> = puts.iter().collect();
        assert_eq!(all, [(8, &b"12"[..]), (7, b""), (0, b"345")]);
        assert!(!puts.add(0, &[0; ShortPuts::BYTES - 4]) && puts.add(0, &[0; ShortPuts::BYTES - 5]));
        puts.clear();
        assert!(puts.iter().next().is_none());
        assert!((0..ShortPuts::PUTS).all(|at| puts.add(at, b"1")) && !puts.add(0, b"1"));
    }
}
