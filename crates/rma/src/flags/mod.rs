//! The barrier: dissemination over flags that ranks put into one another's memory.
//!
//! In round k each rank writes a flag at the rank 2^k further on and waits for its own. A flag is one aligned put of 8
//! bytes: the number of the barrier, the function in which ranks meet, and a code of the collective calls until now
//! ([`crate::matching`]), so that ranks whose calls do not match learn it instead of running on. The code may fit
//! by chance, the function does not: the flags of a window are its own, so all its ranks have been in the same
//! functions of it, in the same order, and none frees what others still access. Nothing is allocated and no lock is
//! taken on the way.
//!
//! The number is in the upper bytes and grows: where words may be seen half written, first bytes first, a flag is never
//! seen too early ([`farside_fabric::Capabilities::whole_words`]).
//!
//! Two words a round are used in turn. A rank cannot be two barriers ahead of another, so the word that it reads is
//! always the one of the same barrier. A word and the one from which it was put are written again two barriers later,
//! when everybody has left the first.
//!
//! Ranks that share processors, and map one another's memory, meet at a counter instead: [`crate::central`].
//!
//! Source: Hensgen, Finkel, Manber: Two algorithms for barrier synchronization (IJPP 1988).

mod meeting;

pub(crate) use meeting::Meeting;

use crate::central::{self, Central};
use crate::endpoint::Core;
use crate::matching::mix;
use crate::{Error, Rank, Result};
use farside_fabric::{Direct, Put, Remote, Scope, Signal, Ticket};
use std::any::Any;
use std::cell::Cell;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of a round: the flags of different rounds are in different cache lines.
const ROUND_BYTES: usize = 64;

/// The bits of the code.
const CODE_BITS: u32 = 18;

/// The bits of the code that name the function in which ranks meet.
const MEETING_BITS: u32 = 4;

/// Looks at a flag before a rank waits as it does for anything else: less than a microsecond.
const LOOKS: u32 = if cfg!(miri) { 2 } else { 400 };

/// Number of rounds for so many ranks.
pub(crate) fn rounds(size: u32) -> u32 {
    size.next_power_of_two().trailing_zeros()
}

/// Memory of the flags, in bytes: of the counter, then of the rounds.
pub(crate) fn bytes(size: u32) -> usize {
    central::BYTES + rounds(size) as usize * ROUND_BYTES
}

/// The rank to which a rank writes in a round, and the one from which it waits.
pub(crate) fn partners(me: Rank, size: u32, round: u32) -> (Rank, Rank) {
    let step = (1u64 << round) % u64::from(size);
    let to = (u64::from(me) + step) % u64::from(size);
    let from = (u64::from(me) + u64::from(size) - step) % u64::from(size);
    (to as Rank, from as Rank)
}

/// The flags of a rank of a group.
pub(crate) struct Flags {
    /// In an `Rc`, which moves without a claim to what it owns: puts of flags may be under way when a window moves.
    rounds: Rc<[Round]>,
    counter: Option<Counter>,
    /// Number of barriers so far.
    count: Cell<u64>,
    broken: Cell<bool>,
}

/// Where ranks meet at a counter: its words, and the ranks of the world to wake when it is complete.
struct Counter {
    arrivals: NonNull<[AtomicU64; 2]>,
    complete: NonNull<AtomicU64>,
    others: Box<[Rank]>,
    size: u32,
}

struct Round {
    to: Remote,
    /// Of the round, in the memory of others.
    displacement: usize,
    own: NonNull<AtomicU64>,
    out: [AtomicU64; 2],
    tickets: [Cell<Ticket>; 2],
}

impl Flags {
    /// Flags at `displacement` of the memory that starts at `base`, and at the same place at the others; `to` connects
    /// to the rank of each round. With `central`, the way to the memory of the first rank of the group and the other
    /// ranks, by their number in the world, they meet at its counter: at all ranks or at none.
    ///
    /// # Safety
    /// `base` and `displacement` name `bytes(size)` bytes of exposed memory, aligned to 64 and filled with 0, that
    /// nobody else uses, at this rank and at all of `to`, and of `central`; they stay exposed and connected as long as
    /// this value is used.
    pub(crate) unsafe fn new(
        base: NonNull<u8>,
        displacement: usize,
        to: &[Remote],
        central: Option<(Direct, Vec<Rank>)>,
    ) -> Self {
        let counter = central.and_then(|(first, others)| {
            // SAFETY: the caller promises that the bytes are within the memory.
            let words = NonNull::new(unsafe { first.base().add(displacement) })?;
            Some(Counter {
                arrivals: words.cast(),
                // SAFETY: the caller promises that the bytes of the counter, of which this is the second half, are
                // within the memory.
                complete: unsafe { words.add(central::BYTES / 2) }.cast(),
                size: others.len() as u32 + 1,
                others: others.into(),
            })
        });
        let round = |(index, &to): (usize, &Remote)| {
            let displacement = displacement + central::BYTES + index * ROUND_BYTES;
            Round {
                to,
                displacement,
                // SAFETY: the caller promises that the bytes are within the memory.
                own: unsafe { base.add(displacement) }.cast(),
                out: [AtomicU64::new(0), AtomicU64::new(0)],
                tickets: [Cell::new(Ticket::DONE), Cell::new(Ticket::DONE)],
            }
        };
        Self {
            rounds: to.iter().enumerate().map(round).collect(),
            counter,
            count: Cell::new(0),
            broken: Cell::new(false),
        }
    }

    /// What operations that may be under way read, if there are such; no barrier works from then on.
    pub(crate) fn under_way(&mut self) -> Option<Box<dyn Any>> {
        self.broken.set(true);
        let rounds = std::mem::take(&mut self.rounds);
        let is_quiet = |round: &Round| round.tickets.iter().all(|ticket| ticket.get() == Ticket::DONE);
        (!rounds.iter().all(is_quiet)).then(|| Box::new(rounds) as Box<dyn Any>)
    }

    /// Waits until all ranks are here.
    ///
    /// # Errors
    /// Another rank calls another function, a rank is lost, or time ran out; no barrier works from then on.
    pub(crate) fn meet(&self, core: &Core, scope: Scope, meeting: Meeting) -> Result<()> {
        self.meet_after(core, scope, meeting, None)
    }

    /// As [`Flags::meet`]; nobody learns that this rank is here before the operations of another scope are visible, to
    /// whom the word of it comes: they are complete, or the flag is after them.
    ///
    /// A rank learns of another's coming by a chain of flags, the first of which is one of the other itself. Before
    /// that flag is sent, all operations are complete but those to its receiver, who sends nothing on before it is
    /// there: so everybody who has left may take all of them for complete.
    ///
    /// # Errors
    /// As for [`Flags::meet`].
    pub(crate) fn meet_after(
        &self,
        core: &Core,
        scope: Scope,
        meeting: Meeting,
        operations: Option<Scope>,
    ) -> Result<()> {
        if self.broken.get() {
            return Err(Error::Broken("barrier of the group"));
        }
        if let Some(operations) = operations
            && (self.counter.is_some() || self.rounds.is_empty())
        {
            core.fabric().flush(operations, None)?;
        }
        let result = match &self.counter {
            Some(counter) => self.pass_counter(counter, core, meeting),
            None => self.pass(core, scope, meeting, operations),
        };
        if result.is_err() {
            self.broken.set(true);
        }
        result
    }

    fn pass_counter(&self, counter: &Counter, core: &Core, meeting: Meeting) -> Result<()> {
        let count = self.count.get() + 1;
        self.count.set(count);
        let code = code(core, meeting);
        // SAFETY: the memory is mapped as long as this value is used, by the promise of `new`; aligned to 64 bytes;
        // everybody accesses the words by atomic operations only.
        let central = unsafe { Central::new(counter.arrivals.as_ref(), counter.complete.as_ref()) };
        if central.arrive(counter.size, count, code) {
            for &rank in &counter.others {
                core.fabric().wake(rank);
            }
        }
        let mut agreed = central.result(count);
        if agreed.is_none() {
            core.wait(|| {
                agreed = central.result(count);
                Ok(agreed.is_some())
            })?;
        }
        if agreed == Some(false) {
            return Err(core.mismatch());
        }
        Ok(())
    }

    fn pass(&self, core: &Core, scope: Scope, meeting: Meeting, mut operations: Option<Scope>) -> Result<()> {
        let count = self.count.get() + 1;
        self.count.set(count);
        let turn = (count & 1) as usize;
        let value = count << CODE_BITS | short(code(core, meeting));
        let fabric = core.fabric();
        for round in self.rounds.iter() {
            if let Some(open) = operations
                && fabric.flush_before_flag(open, round.to.target())?
            {
                operations = None;
            }
            let ticket = &round.tickets[turn];
            if ticket.get() != Ticket::DONE {
                core.complete(&|| core.collective(Some(round.to.target())), ticket.get())?;
            }
            round.out[turn].store(value, Ordering::Relaxed);
            let put = Put {
                scope,
                origin: round.out[turn].as_ptr().cast_const().cast(),
                bytes: 8,
                remote: round.to,
                displacement: round.displacement + turn * 8,
                signal: Signal::None,
            };
            // SAFETY: the origin is in an `Rc` that lives as long as `self`, and is not written before the ticket is
            // complete; the memory of the target stays exposed and connected, by the promise of `new`.
            ticket.set(unsafe { fabric.put(&put) }?);
            fabric.send_held();
            // SAFETY: own exposed memory, aligned to 64 bytes, valid by the promise of `new`; it is written from
            // outside of this reference by aligned puts of 8 bytes only, which are seen as a whole.
            let own = unsafe { round.own.add(turn).as_ref() };
            let mut seen = own.load(Ordering::Acquire);
            if seen >> CODE_BITS < count && fabric.capabilities().mapped && !fabric.is_crowded() {
                seen = look(own, count);
            }
            if seen >> CODE_BITS < count {
                core.wait(|| {
                    seen = own.load(Ordering::Acquire);
                    Ok(seen >> CODE_BITS >= count)
                })?;
            }
            if seen != value {
                return Err(core.mismatch());
            }
        }
        Ok(())
    }
}

/// A flag that its writer stores itself, from a processor of its own: it mostly comes at once, and is seen sooner by
/// who does nothing else.
#[inline]
fn look(own: &AtomicU64, count: u64) -> u64 {
    let mut seen = 0;
    for _ in 0..LOOKS {
        seen = own.load(Ordering::Acquire);
        if seen >> CODE_BITS >= count {
            break;
        }
    }
    seen
}

/// The same at all ranks whose collective calls match, another one in another function; not 0.
#[inline]
fn code(core: &Core, meeting: Meeting) -> u64 {
    mix(core.matching.chain(), meeting as u64) >> MEETING_BITS << MEETING_BITS | meeting as u64
}

/// As much of a code as a flag has: the meeting, and some bits of the rest.
#[inline]
fn short(code: u64) -> u64 {
    let meeting = code & ((1 << MEETING_BITS) - 1);
    code >> (64 - CODE_BITS + MEETING_BITS) << MEETING_BITS | meeting
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two functions have different flags, whatever the codes of the calls before are.
    #[test]
    fn a_flag_names_its_function() {
        for code in [0, 1 << 20, u64::MAX << MEETING_BITS] {
            let flags: std::collections::BTreeSet<u64> = (1..=Meeting::Finish as u64)
                .map(|meeting| short(code | meeting))
                .collect();
            assert_eq!(flags.len(), Meeting::Finish as usize);
            assert!(flags.iter().all(|flag| flag >> CODE_BITS == 0));
        }
        const { assert!((Meeting::Finish as u64) < 1 << MEETING_BITS) };
    }

    /// After all rounds, each rank has heard of every other: the property on which dissemination rests.
    #[test]
    fn every_rank_hears_of_every_other() {
        for size in 1..=33 {
            let mut heard: Vec<Vec<bool>> = (0..size)
                .map(|me| (0..size).map(|rank| rank == me).collect())
                .collect();
            for round in 0..rounds(size) {
                let before = heard.clone();
                for me in 0..size {
                    let (to, from) = partners(me, size, round);
                    assert_eq!(partners(to, size, round).1, me);
                    for rank in 0..size as usize {
                        heard[me as usize][rank] |= before[from as usize][rank];
                    }
                }
            }
            assert!(heard.iter().flatten().all(|&known| known), "{size} ranks");
        }
    }
}
