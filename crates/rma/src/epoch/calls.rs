//! The arithmetic of a lock: which ticket is called, in one word.
//!
//! The upper half of the word is the ticket that may lock exclusively, the lower half the one that may lock shared.
//! Halves wrap; a ticket is as wide as a half. Only additions change the word, and none carries from one half into the
//! other: the lower half is changed only by who knows its value, for that is its ticket; what leaves the upper half
//! leaves the word.

/// Two halves of so many bits. Tests use narrow ones, to see them wrap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calls<const HALF: u32 = 32>(pub(super) u64);

impl<const HALF: u32> Calls<HALF> {
    const MASK: u64 = (1 << HALF) - 1;

    /// The ticket that a counter of tickets gives.
    #[inline]
    pub(super) fn ticket(count: u64) -> u64 {
        count & Self::MASK
    }

    /// The ticket that may lock exclusively: all before it are given back.
    #[inline]
    pub(super) fn exclusive(self) -> u64 {
        self.0 >> HALF & Self::MASK
    }

    /// The ticket that may lock shared: all before it are given back, or are shared holders.
    #[inline]
    pub(super) fn shared(self) -> u64 {
        self.0 & Self::MASK
    }

    /// What a shared holder adds when it has the lock, so that the next one may come in.
    #[inline]
    pub(super) fn admit(ticket: u64) -> u64 {
        (ticket.wrapping_add(1) & Self::MASK).wrapping_sub(ticket)
    }

    /// What a shared holder adds to give the lock back.
    #[inline]
    pub(super) fn leave_shared() -> u64 {
        1 << HALF
    }

    /// What an exclusive holder adds to give the lock back: both halves are its ticket.
    #[inline]
    pub(super) fn leave_exclusive(ticket: u64) -> u64 {
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
}
