//! Whether a cycle can still be closed.
//!
//! The last command is one of a process that can still access the address of the delayed event, and that has happened
//! after it, or comes to: by an access in conflict with one that has. A process that waits for what is delayed, or
//! cannot go on for another reason, stays where it is for ever, and nobody passes a barrier then.
//!
//! So is a process stopped that happens after the delayed event by an operation in conflict with a delayed one, and
//! that waits for it at once: the operation is late, and the wait does not end. What it accessed in time, and late, can
//! still take others along. All others that can come after the delayed event are *free*: they may do all that is ahead
//! of them. A fixed point of who is free and what is accessed, from the sets of [`futures`](super::futures), thus has
//! all processes that can close a cycle.

use super::Delay;
use super::accesses::{Access, Accesses};
use super::futures::Reach;
use super::layout::{LATE_READ, LATE_WRITTEN, Layout, READ, WRITTEN};
use super::offers::Process;

/// What may be accessed after the delayed event: in time, and late.
#[derive(Clone, Debug)]
struct Seen {
    in_time: Accesses,
    late: Accesses,
}

impl Seen {
    fn empty(width: usize) -> Self {
        Self {
            in_time: Accesses::empty(width),
            late: Accesses::empty(width),
        }
    }
}

/// What a process may do, as far as this goes.
struct Prospect<'d> {
    /// What it can still access.
    commands: Vec<&'d Reach>,
    /// It goes on, and is not only looked at for a last command.
    moves: bool,
    free: bool,
    /// What it may add.
    seen: Seen,
}

impl Delay {
    /// Whether no last command can come; `state` has a delayed event.
    pub(super) fn hopeless(&self, state: &[u32], processes: &[Process]) -> bool {
        let Some(event) = Layout::delayed(state) else {
            return false;
        };
        let control = |rank: usize| state[self.layout.control(rank)] as usize;
        if processes
            .iter()
            .all(|process| process.at_barrier || process.may_move())
        {
            return !(0..processes.len()).any(|rank| self.futures.far(rank, control(rank)).conflicts(event));
        }
        let prospect = |(rank, process): (usize, &Process)| Prospect {
            commands: if process.may_move() {
                self.futures.commands(rank, control(rank)).collect()
            } else {
                let next = |offer: &super::offers::Offer| self.futures.command(rank, offer.transition);
                process.offers.iter().filter_map(next).collect()
            },
            moves: process.may_move(),
            free: state[self.layout.after(rank)] != 0,
            seen: Seen::empty(self.futures.width),
        };
        let mut prospects: Vec<Prospect<'_>> = processes.iter().enumerate().map(prospect).collect();
        let seen = self.seen(state);
        while (0..prospects.len()).any(|rank| advance(&mut prospects, &seen, rank)) {}
        !(0..prospects.len()).any(|rank| closes(&prospects, &seen, rank, event))
    }

    /// The accesses that happened after the delayed event.
    fn seen(&self, state: &[u32]) -> Seen {
        let mut seen = Seen::empty(self.futures.width);
        for address in 0..self.layout.ranks * self.layout.cells {
            let word = state[self.layout.accessed(address)];
            for (set, read, written) in [
                (&mut seen.in_time, READ, WRITTEN),
                (&mut seen.late, LATE_READ, LATE_WRITTEN),
            ] {
                if word & (read | written) != 0 {
                    set.insert(Access {
                        address,
                        writes: word & written != 0,
                    });
                }
            }
        }
        seen
    }
}

/// Whether accesses of a process may conflict with some that others had in time, and with some that they had late.
fn meets(prospects: &[Prospect<'_>], seen: &Seen, rank: usize, accesses: &Accesses) -> (bool, bool) {
    let others = prospects.iter().enumerate().filter(|&(other, _)| other != rank);
    let mut all = others.map(|(_, other)| &other.seen).chain([seen]);
    all.try_fold((false, false), |(in_time, late), seen| {
        let met = (
            in_time || seen.in_time.meets(accesses),
            late || seen.late.meets(accesses),
        );
        if met == (true, true) { Err(met) } else { Ok(met) }
    })
    .unwrap_or_else(|met| met)
}

/// Looks at what a process may do once more; whether anything is new.
fn advance(prospects: &mut [Prospect<'_>], seen: &Seen, rank: usize) -> bool {
    let commands = prospects[rank].commands.clone();
    let mut new = false;
    if !prospects[rank].free {
        for reach in &commands {
            let (first, first_late) = meets(prospects, seen, rank, &reach.first);
            let (second, second_late) = meets(prospects, seen, rank, &reach.second);
            // A load or a store in conflict with something late is not possible.
            let goes_on = reach.remote && !reach.waits && (first_late || second_late);
            if first || second || goes_on {
                (prospects[rank].free, new) = (true, true);
                break;
            }
            if !(reach.remote && prospects[rank].moves) {
                continue;
            }
            let own = &mut prospects[rank].seen;
            if first_late {
                new |= own.late.extend(&reach.first) | own.late.extend(&reach.second);
            }
            if second_late {
                new |= own.in_time.extend(&reach.first) | own.late.extend(&reach.second);
            }
        }
    }
    let prospect = &mut prospects[rank];
    if prospect.free && prospect.moves {
        for reach in &commands {
            for set in [&reach.first, &reach.second] {
                new |= prospect.seen.in_time.extend(set) | prospect.seen.late.extend(set);
            }
        }
    }
    new
}

/// Whether a process may do a last command.
fn closes(prospects: &[Prospect<'_>], seen: &Seen, rank: usize, event: Access) -> bool {
    prospects[rank].commands.iter().any(|reach| {
        let first = reach.first.conflicts(event);
        let free = prospects[rank].free && (first || reach.second.conflicts(event));
        // It can come after the delayed event by its popb, which comes last of all.
        free || (first && meets(prospects, seen, rank, &reach.second) != (false, false))
    })
}
