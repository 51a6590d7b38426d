//! Whether the ranks of a group call the same collective functions, in the same order, with arguments that agree.
//!
//! Each call has a [`Signature`], and each rank a [`Ledger`] a group: a hash over the signatures of all its calls until
//! now. The hash is part of what a call sends anyway: of the tags of its messages, of the flags of a barrier and of
//! small gathers, of the word at a counter. So values of one call are never taken for those of another, and nothing is
//! sent for it.
//!
//! A rank that sees another hash than its own, or waits longer than its patience, asks the others: [`Note::Ask`] has
//! its last calls. Who is asked, whenever it waits itself, compares them with its own, and if they differ, tells all
//! ranks of the group which two calls do not match ([`Note::Verdict`]): all get the same error, from the call in which
//! they wait, or else from their next one on the group, the end of the world at the latest. A rank that returns it
//! waits a moment until all know: else it would be lost for those that do not.
//!
//! Calls on two groups in different orders are found as well: one rank is in a call of the first and was not in that of
//! the second, another the other way round.
//!
//! A call that was begun and not waited for is remembered until it is over ([`Pending`]); who waits for it is in it
//! again. Where each rank has a number of elements of its own, numbers are no part of the hash: a rank that gets
//! another one than it expects asks the rank that gave it ([`Matching::doubt`]), and the rest is the same.
//!
//! Limits: orders that go round over three groups or more, without such a pair, still wait for one another; so do ranks
//! of which one is no more in the collective calls that are remembered ([`ledger`]). Two functions of the program's are
//! told apart by their type names: closures of one function have the same. A hash may fit by chance: one of 2^14 of a
//! flag, one of 2^32 of a message.

mod ledger;
mod note;
mod signature;

pub(crate) use ledger::Ledger;
pub(crate) use signature::{Name, Signature, mix};

use crate::error::Called;
use crate::mailbox::{self, Letters, Mailbox, Purpose};
use crate::{Error, Rank, Result};
use farside_fabric::Fabric;
use ledger::Case;
use note::{Ask, Note};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

/// How long a rank waits before it asks, of real and of virtual time: longer than ranks usually wait for one another.
const PATIENCE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(1000));

/// How long a rank that was told stays for those that were not: some times as long as they have patience.
const STAY: u32 = 50;

/// Calls that an ask has.
const ASKED: usize = 8;

/// The collective calls of a rank.
pub(crate) struct Matching {
    me: Rank,
    patience: Duration,
    /// By context.
    ledgers: RefCell<BTreeMap<u32, Rc<Ledger>>>,
    /// The call of the program in which this rank is, or was: its group, and its number there.
    context: Cell<u32>,
    sequence: Cell<u64>,
    /// It is in one.
    within: Cell<bool>,
    /// It has asked about it.
    asked: Cell<bool>,
    /// The hash of its calls; 0: none.
    chain: Cell<u64>,
    /// The last ask of each rank.
    asks: RefCell<BTreeMap<Rank, Ask>>,
    letters: Letters,
    attending: Cell<bool>,
    /// A function of the program's runs that combines.
    alone: Cell<bool>,
    /// A handler of a service runs.
    handling: Cell<bool>,
    /// A window is being made.
    making: Cell<bool>,
}

/// As long as this lives, something is so.
pub(crate) struct During<'m> {
    what: &'m Cell<bool>,
    before: bool,
}

impl<'m> During<'m> {
    fn new(what: &'m Cell<bool>) -> Self {
        let before = what.replace(true);
        Self { what, before }
    }
}

impl Drop for During<'_> {
    fn drop(&mut self) {
        self.what.set(self.before);
    }
}

/// As long as this lives, the rank is in a collective call.
pub(crate) struct Entered<'m> {
    matching: Option<&'m Matching>,
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        if let Some(matching) = self.matching {
            matching.within.set(false);
            matching.chain.set(0);
        }
    }
}

/// A call that was begun, and is waited for later: it is remembered as long as this lives.
pub(crate) struct Pending {
    ledger: Rc<Ledger>,
    sequence: u64,
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.ledger.end(self.sequence);
    }
}

impl Matching {
    /// Of a rank of a transport.
    pub(crate) fn new(fabric: &dyn Fabric) -> Self {
        let is_virtual = fabric.capabilities().virtual_time;
        Self {
            me: fabric.rank(),
            patience: if is_virtual { PATIENCE.1 } else { PATIENCE.0 },
            ledgers: RefCell::default(),
            context: Cell::new(0),
            sequence: Cell::new(0),
            within: Cell::new(false),
            asked: Cell::new(false),
            chain: Cell::new(0),
            asks: RefCell::default(),
            letters: Letters::new(tag()),
            attending: Cell::new(false),
            alone: Cell::new(false),
            handling: Cell::new(false),
            making: Cell::new(false),
        }
    }

    /// How long to wait without asking.
    pub(crate) fn patience(&self) -> Duration {
        self.patience
    }

    /// A group is there. Its calls are known until the end: others may ask for them when it is gone.
    pub(crate) fn know(&self, ledger: &Rc<Ledger>) {
        self.ledgers
            .borrow_mut()
            .insert(ledger.context(), Rc::clone(ledger));
    }

    /// The program makes a collective call; a call within a call is not the program's.
    ///
    /// # Errors
    /// Earlier calls on the group did not match.
    #[inline]
    pub(crate) fn enter(&self, ledger: &Rc<Ledger>, signature: Signature) -> Result<Entered<'_>> {
        if !self.is_within() {
            ledger.check()?;
        }
        self.check_alone()?;
        Ok(self.enter_to_end(ledger, signature))
    }

    /// From here on a function of the program's may run that combines: it makes no collective calls. They would be
    /// parts of the call in which it runs, and not be compared with those of others.
    pub(crate) fn alone(&self) -> During<'_> {
        During::new(&self.alone)
    }

    /// From here on a handler of a service may run, or look at its state: it waits for nobody.
    pub(crate) fn handling(&self) -> During<'_> {
        During::new(&self.handling)
    }

    /// Refuses a call that waits for others within a handler: while it waits, no handler would run here.
    #[inline]
    pub(crate) fn check_handling(&self, what: &'static str) -> Result<()> {
        if !self.handling.get() {
            return Ok(());
        }
        Err(Error::Unsupported {
            what,
            reason: "a handler of a service makes it, or a function that has its state".to_owned(),
        })
    }

    /// Refuses a collective call within a function that combines, and within a handler.
    #[inline]
    pub(crate) fn check_alone(&self) -> Result<()> {
        self.check_handling("a collective call")?;
        if !self.alone.get() {
            return Ok(());
        }
        Err(Error::Unsupported {
            what: "a collective call",
            reason: "a function that combines values of a reduction makes it".to_owned(),
        })
    }

    /// From here on ranks tell one another where memory is: nothing of it is taken for values of a call of the
    /// program's, nor the other way round.
    pub(crate) fn making(&self) -> During<'_> {
        During::new(&self.making)
    }

    /// The purpose of the steps of a collective call.
    pub(crate) fn purpose(&self) -> Purpose {
        if self.making.get() {
            Purpose::Making
        } else {
            Purpose::Collective
        }
    }

    /// The hash of the calls of the group in whose call this rank is, and in its lowest bit whether a window is made.
    #[inline]
    pub(crate) fn code(&self) -> u64 {
        self.chain() & !1 | u64::from(self.making.get())
    }

    /// As [`Matching::enter`], whatever came before.
    #[inline]
    pub(crate) fn enter_to_end(&self, ledger: &Rc<Ledger>, signature: Signature) -> Entered<'_> {
        if self.within.replace(true) {
            return Entered { matching: None };
        }
        let (sequence, chain) = ledger.enter(signature);
        self.chain.set(chain);
        self.context.set(ledger.context());
        self.sequence.set(sequence);
        self.asked.set(false);
        Entered { matching: Some(self) }
    }

    /// The call in which this rank is, on a group, goes on without it.
    pub(crate) fn pending(&self, ledger: &Rc<Ledger>) -> Pending {
        let sequence = self.sequence.get();
        ledger.begin(sequence);
        Pending {
            ledger: Rc::clone(ledger),
            sequence,
        }
    }

    /// The program waits for a call that was begun.
    ///
    /// # Errors
    /// Calls on the group did not match.
    pub(crate) fn enter_again(&self, pending: &Pending) -> Result<Entered<'_>> {
        self.check_alone()?;
        let Pending { ledger, sequence } = pending;
        if self.within.replace(true) {
            return Ok(Entered { matching: None });
        }
        let entered = Entered { matching: Some(self) };
        ledger.check()?;
        self.chain
            .set(ledger.entry(*sequence).map_or(0, |entry| entry.chain));
        self.context.set(ledger.context());
        self.sequence.set(*sequence);
        self.asked.set(false);
        Ok(entered)
    }

    /// The hash of the calls of the group in whose call this rank is.
    #[inline]
    pub(crate) fn chain(&self) -> u64 {
        self.chain.get()
    }

    /// Whether this rank is in a collective call.
    pub(crate) fn is_within(&self) -> bool {
        self.within.get()
    }

    /// The group of the call in which this rank is.
    fn current(&self) -> Option<Rc<Ledger>> {
        self.ledger(self.within.get().then(|| self.context.get())?)
    }

    /// The call in which this rank is, and the ranks of its group.
    pub(crate) fn called(&self) -> Option<(Called, Vec<Rank>)> {
        let ledger = self.current()?;
        let entry = ledger.entry(self.sequence.get())?;
        Some((ledger.called(self.me, &entry), ledger.members().collect()))
    }

    /// Asks the others of the group about the call in which this rank is, once a call.
    pub(crate) fn ask(&self, fabric: &dyn Fabric) {
        let Some(ledger) = self.current() else { return };
        if self.asked.replace(true) {
            return;
        }
        let recent = ledger.recent();
        let sequence = self.sequence.get();
        // One that was begun may be older than the last ones.
        let own = ledger.entry(sequence);
        let calls = recent[recent.len().saturating_sub(ASKED)..]
            .iter()
            .filter(|entry| entry.sequence != sequence)
            .chain(&own)
            .map(|entry| (entry.sequence, entry.chain, ledger.called(self.me, entry)));
        let counts = self.ledgers.borrow();
        let note = Note::Ask(Ask {
            context: ledger.context(),
            calls: calls.collect(),
            counts: counts
                .iter()
                .map(|(context, ledger)| (*context, ledger.count()))
                .collect(),
        });
        drop(counts);
        self.tell(fabric, ledger.members(), &note);
        // Others may have asked before this rank came here.
        let asks = self.asks.borrow().clone();
        for (source, ask) in asks {
            self.judge(fabric, source, &ask);
        }
    }

    /// Asks one rank about the call in which this rank is, in which it did what does not fit: `what` was expected of
    /// it. The calls count as different ones, also if all that is compared otherwise agrees.
    #[cold]
    pub(crate) fn doubt(&self, fabric: &dyn Fabric, with: Rank, what: &str) {
        let Some((ledger, entry)) = self.current().and_then(|ledger| {
            let entry = ledger.entry(self.sequence.get())?;
            Some((ledger, entry))
        }) else {
            return;
        };
        let mut called = ledger.called(self.me, &entry);
        called.call = format!("{}, {what}", called.call);
        let note = Note::Ask(Ask {
            context: ledger.context(),
            calls: vec![(entry.sequence, !entry.chain, called)],
            counts: Vec::new(),
        });
        self.tell(fabric, std::iter::once(with), &note);
    }

    /// Takes in what others ask and tell.
    pub(crate) fn attend(&self, fabric: &dyn Fabric, mailbox: &Mailbox) -> Result<()> {
        if self.attending.replace(true) {
            return Ok(());
        }
        let result = self.take_notes(fabric, mailbox);
        self.attending.set(false);
        result
    }

    fn take_notes(&self, fabric: &dyn Fabric, mailbox: &Mailbox) -> Result<()> {
        let letters = self.letters.take(fabric, mailbox)?;
        let notes = letters
            .into_iter()
            .filter_map(|(source, bytes)| Some((source, Note::read(&bytes)?)));
        // What others have found comes first: those may have gone on.
        let (asks, told): (Vec<_>, Vec<_>) = notes.partition(|(_, note)| matches!(note, Note::Ask(_)));
        for (source, note) in told.into_iter().chain(asks) {
            self.take(fabric, source, note);
        }
        Ok(())
    }

    fn take(&self, fabric: &dyn Fabric, source: Rank, note: Note) {
        match note {
            Note::Ask(ask) => {
                self.judge(fabric, source, &ask);
                self.asks.borrow_mut().insert(source, ask);
            }
            Note::Verdict {
                contexts,
                first,
                second,
            } => self.learn(fabric, source, &contexts, first, second),
            Note::Known(context) => self.known(fabric, source, context),
            Note::Released(context) => {
                if let Some(case) = self.case_of(context, source) {
                    case.released.set(true);
                }
            }
        }
    }

    /// Compares the calls of another rank with the own ones.
    fn judge(&self, fabric: &dyn Fabric, source: Rank, ask: &Ask) {
        let Some(ledger) = self.ledger(ask.context) else {
            return;
        };
        if !ledger.has(source) || ledger.case().is_some() {
            return;
        }
        let differs = |(sequence, chain, theirs): &(u64, u64, Called)| {
            let own = ledger.entry(*sequence).filter(|own| own.chain != *chain)?;
            Some((*sequence, own, theirs.clone()))
        };
        let differing = ask.calls.iter().filter_map(differs);
        if let Some((_, own, theirs)) = differing.min_by_key(|(sequence, ..)| *sequence) {
            let own = ledger.called(self.me, &own);
            self.decide(fabric, &[&ledger], theirs, own);
            return;
        }
        let Some((sequence, _, theirs)) = ask.calls.last() else {
            return;
        };
        // They are in a call of one group, and were not in ours of another one; and the other way round.
        let Some(here) = self.current() else { return };
        let own = self.sequence.get();
        let was_there = |count: &(u32, u64)| count.0 == here.context() && count.1 <= own;
        if here.context() != ask.context
            && ledger.count() <= *sequence
            && here.has(source)
            && here.case().is_none()
            && ask.counts.iter().any(was_there)
            && let Some(entry) = here.entry(own)
        {
            let called = here.called(self.me, &entry);
            self.decide(fabric, &[&ledger, &here], theirs.clone(), called);
        }
    }

    /// This rank has found that calls do not match: all are told.
    fn decide(&self, fabric: &dyn Fabric, ledgers: &[&Rc<Ledger>], one: Called, other: Called) {
        let (first, second) = if one.rank < other.rank {
            (one, other)
        } else {
            (other, one)
        };
        let others: BTreeSet<Rank> = ledgers.iter().flat_map(|ledger| ledger.members()).collect();
        let others: Vec<Rank> = others.into_iter().filter(|&rank| rank != self.me).collect();
        let case = Rc::new(Case {
            judge: self.me,
            error: Error::mismatch(first.clone(), second.clone()),
            others: others.clone(),
            known: RefCell::default(),
            released: Cell::new(false),
            told: Cell::new(false),
        });
        ledgers.iter().for_each(|ledger| ledger.set_case(&case));
        let note = Note::Verdict {
            contexts: ledgers.iter().map(|ledger| ledger.context()).collect(),
            first,
            second,
        };
        self.tell(fabric, others.into_iter(), &note);
    }

    /// Another rank has found that calls do not match.
    fn learn(&self, fabric: &dyn Fabric, judge: Rank, contexts: &[u32], first: Called, second: Called) {
        let Some(&name) = contexts.first() else { return };
        // Groups without a common member may have the same context.
        let ledgers = contexts.iter().filter_map(|&context| self.ledger(context));
        let ledgers: Vec<Rc<Ledger>> = ledgers.filter(|ledger| ledger.has(judge)).collect();
        let before = ledgers.iter().find_map(|ledger| ledger.case());
        if before.as_ref().is_some_and(|before| before.judge < judge) {
            // Its judge hears of this one, too.
            return;
        }
        let case = Rc::new(Case {
            judge,
            error: Error::mismatch(first, second),
            others: Vec::new(),
            known: RefCell::default(),
            released: Cell::new(false),
            told: Cell::new(before.is_some_and(|before| before.told.get())),
        });
        ledgers.iter().for_each(|ledger| ledger.set_case(&case));
        self.tell(fabric, std::iter::once(judge), &Note::Known(name));
    }

    /// Another rank knows what this one has found.
    fn known(&self, fabric: &dyn Fabric, source: Rank, context: u32) {
        let Some(case) = self.case_of(context, self.me) else {
            return;
        };
        case.known.borrow_mut().insert(source);
        if case.known.borrow().len() == case.others.len() && !case.released.replace(true) {
            self.tell(fabric, case.others.iter().copied(), &Note::Released(context));
        }
    }

    fn ledger(&self, context: u32) -> Option<Rc<Ledger>> {
        self.ledgers.borrow().get(&context).cloned()
    }

    fn case_of(&self, context: u32, judge: Rank) -> Option<Rc<Case>> {
        self.ledger(context)?.case().filter(|case| case.judge == judge)
    }

    /// Whether the call in which this rank is does not match those of others, and that has been told.
    pub(crate) fn is_mismatched(&self) -> bool {
        self.current().is_some_and(|ledger| ledger.case().is_some())
    }

    /// Stays until all others know, or some time, and gives the error.
    /// `None`: nobody has found a mismatch.
    pub(crate) fn settle(&self, fabric: &dyn Fabric, mailbox: &Mailbox) -> Option<Error> {
        let ledger = self.current()?;
        ledger.case()?;
        let mut is_over = || {
            // What fails here has failed for the call as well.
            let attended = self.attend(fabric, mailbox);
            Ok(attended.is_err() || ledger.case().is_none_or(|case| case.released.get()))
        };
        // A rank that is lost meanwhile, or time that ran out, end the stay.
        let _ = fabric.wait(Some(STAY * self.patience), &mut is_over);
        ledger.check().err()
    }

    /// What this rank was told and no call of it has returned.
    pub(crate) fn untold(&self) -> Result<()> {
        let ledgers = self.ledgers.borrow();
        let is_untold = |ledger: &&Rc<Ledger>| ledger.case().is_some_and(|case| !case.told.get());
        ledgers
            .values()
            .find(is_untold)
            .map_or(Ok(()), |ledger| ledger.check())
    }

    fn tell(&self, fabric: &dyn Fabric, ranks: impl Iterator<Item = Rank>, note: &Note) {
        let bytes = note.bytes();
        for rank in ranks.filter(|&rank| rank != self.me) {
            // Who cannot be reached is lost: the call in which this rank waits says so.
            let _ = mailbox::send_note(fabric, rank, tag(), &bytes);
        }
        fabric.send_held();
    }
}

fn tag() -> u64 {
    mailbox::tag(Purpose::Matching, 0, 0)
}
