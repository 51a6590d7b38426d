//! Who waits for whom: what ranks tell one another when a wait does not end.
//!
//! A wait is bounded by the time limit of its world ([`limit`]). While it is short, nobody is told of it. Once it has
//! lasted longer than ranks usually wait ([`crate::matching`] has the times), a rank remembers what it waits for, and
//! answers whoever asks. Where the limit is over, a rank asks all others, waits a moment for their answers, and tells
//! all what came out: so the ranks that are still waiting, and find that the first one has left, have the same to say.
//!
//! Who waits for a lock waits for the ranks that hold it. The words of a lock have numbers only ([`crate::epoch`]), so
//! each answer names the locks that its rank holds.
//!
//! Limits: a rank that computes, or that its transport keeps in a call, answers nothing, and is named as silent. Limits
//! that are shorter than that first time name the own wait only.

mod asking;
pub(crate) mod limit;
mod note;
mod turn;

pub(crate) use asking::Asking;
pub(crate) use turn::{LONGEST, Leader, Round, Turn};

use crate::error::{Waiting, Waits};
use crate::mailbox::{self, Letters, Mailbox, Purpose};
use crate::{Error, Rank, Result};
use farside_fabric::Fabric;
use note::{Note, Report};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::Location;
use std::rc::Rc;
use std::time::Duration;

/// A lock: the name of its window, and whose memory it is of, as a rank of the world.
pub(crate) type LockName = (u64, Rank);

/// Who knows of locks that a rank holds.
pub(crate) trait Holds {
    /// Those that it holds now.
    fn held(&self) -> Vec<LockName>;
}

/// What a rank waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wait {
    waiting: Waiting,
    /// The lock that it waits for.
    lock: Option<LockName>,
    /// It waits for ranks that are not in the same call.
    collective: bool,
}

impl Wait {
    /// For some ranks of the world; for any, if none is named.
    pub(crate) fn new(
        rank: Rank,
        call: String,
        place: Option<&Location<'_>>,
        targets: impl IntoIterator<Item = Rank>,
    ) -> Self {
        Self {
            waiting: Waiting {
                rank,
                call,
                place: place.map_or_else(String::new, |place| format!("{}:{}", place.file(), place.line())),
                targets: targets.into_iter().filter(|&target| target != rank).collect(),
            },
            lock: None,
            collective: false,
        }
    }

    /// As it is known by a place of another call.
    pub(crate) fn at(mut self, place: String) -> Self {
        self.waiting.place = place;
        self
    }

    /// In a call in which ranks meet.
    pub(crate) fn in_meeting(mut self) -> Self {
        self.collective = true;
        self
    }

    /// For a lock, and so for those that hold it.
    pub(crate) fn lock(mut self, lock: LockName) -> Self {
        self.lock = Some(lock);
        self
    }
}

/// A wait that is open, as others are told.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Open {
    wait: Wait,
    /// The how many-th of its rank.
    number: u64,
    /// Locks that its rank holds.
    held: Vec<LockName>,
}

/// The waits of a rank, and what it knows of those of others.
pub(crate) struct Book {
    me: Rank,
    size: u32,
    limit: Cell<Option<Duration>>,
    /// One within another, or of futures beside one another; others are told of the last.
    open: RefCell<Vec<Open>>,
    /// Number of waits so far.
    count: Cell<u64>,
    /// Number of the last question, and what was answered.
    question: Cell<u64>,
    answers: RefCell<BTreeMap<Rank, Open>>,
    /// What another one found that gave up.
    report: RefCell<Option<Report>>,
    letters: Letters,
    attending: Cell<bool>,
}

/// As long as this lives, a wait is open.
pub(crate) struct Entered {
    book: Rc<Book>,
    number: u64,
}

impl Entered {
    /// Takes it out of the open waits: of futures, any may be the first to go.
    fn take_out(&self) -> Option<Open> {
        let mut open = self.book.open.borrow_mut();
        let place = open.iter().rposition(|open| open.number == self.number)?;
        Some(open.remove(place))
    }

    /// Makes it the wait that this rank speaks of.
    pub(crate) fn raise(&self) {
        let own = self.take_out();
        self.book.open.borrow_mut().extend(own);
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.take_out();
    }
}

impl Book {
    /// Of a rank of a transport.
    pub(crate) fn new(fabric: &dyn Fabric, limit: Option<Duration>) -> Self {
        Self {
            me: fabric.rank(),
            size: fabric.size(),
            limit: Cell::new(limit),
            open: RefCell::default(),
            count: Cell::new(0),
            question: Cell::new(0),
            answers: RefCell::default(),
            report: RefCell::default(),
            letters: Letters::new(mailbox::tag(Purpose::Waits, 0, 0)),
            attending: Cell::new(false),
        }
    }

    /// The bound of every wait.
    pub(crate) fn limit(&self) -> Option<Duration> {
        self.limit.get()
    }

    pub(crate) fn set_limit(&self, limit: Option<Duration>) {
        self.limit.set(limit);
    }

    /// A wait has become long: others may ask for it.
    pub(crate) fn enter(self: &Rc<Self>, wait: Wait, held: Vec<LockName>) -> Entered {
        self.count.set(self.count.get() + 1);
        self.open.borrow_mut().push(Open {
            wait,
            number: self.count.get(),
            held,
        });
        self.report.take();
        Entered {
            book: Rc::clone(self),
            number: self.count.get(),
        }
    }

    /// Takes in what others ask and tell.
    pub(crate) fn attend(&self, fabric: &dyn Fabric, mailbox: &Mailbox) -> Result<()> {
        if self.attending.replace(true) {
            return Ok(());
        }
        let letters = self.letters.take(fabric, mailbox);
        let result = letters.map(|letters| {
            for (source, bytes) in letters {
                if let Some(note) = Note::read(&bytes) {
                    self.take(fabric, source, note);
                }
            }
        });
        self.attending.set(false);
        result
    }

    fn take(&self, fabric: &dyn Fabric, source: Rank, note: Note) {
        match note {
            Note::Question(number) => {
                if let Some(open) = self.open.borrow().last() {
                    self.tell(fabric, source, &Note::Answer(number, open.clone()));
                }
            }
            Note::Answer(number, open) if number == self.question.get() => {
                self.answers.borrow_mut().insert(source, open);
            }
            // To a question that is over.
            Note::Answer(..) => {}
            Note::Report(report) => {
                let named = report.number_of(self.me);
                if self.open.borrow().iter().any(|open| Some(open.number) == named) {
                    self.report.replace(Some(report));
                }
            }
        }
    }

    /// The time of the open wait is over: who waits for whom. Asks all others, for so long at the most.
    #[cold]
    pub(crate) fn give_up(
        &self,
        fabric: &dyn Fabric,
        mailbox: &Mailbox,
        limit: Duration,
        grace: Duration,
    ) -> Error {
        if let Some(report) = self.report.take() {
            return self.error(limit, &report);
        }
        self.answers.borrow_mut().clear();
        self.question.set(self.question.get() + 1);
        let question = Note::Question(self.question.get());
        let others = || (0..self.size).filter(|&rank| rank != self.me);
        others().for_each(|rank| self.tell(fabric, rank, &question));
        fabric.send_held();
        let mut all_are_there = || {
            // What fails here fails for the caller's next call as well.
            let attended = self.attend(fabric, mailbox);
            let answers = self.answers.borrow().len() as u32;
            Ok(attended.is_err() || answers + 1 == self.size || self.report.borrow().is_some())
        };
        // Who is lost, or computes, does not answer: what is there is said.
        let _ = fabric.wait(Some(grace), &mut all_are_there);
        let report = match self.report.take() {
            Some(report) => report,
            None => {
                let mut open = self.answers.take();
                open.extend(self.open.borrow().last().map(|own| (self.me, own.clone())));
                let report = Report::of(limit, self.size, &open);
                others().for_each(|rank| self.tell(fabric, rank, &Note::Report(report.clone())));
                fabric.send_held();
                report
            }
        };
        self.error(limit, &report)
    }

    /// A rank is lost: the one that gave up, if it has said so.
    #[cold]
    pub(crate) fn reported(&self, fabric: &dyn Fabric, mailbox: &Mailbox) -> Option<Error> {
        // What arrived before is still there; if that fails as well, the loss counts.
        let _ = self.attend(fabric, mailbox);
        let report = self.report.take()?;
        Some(self.error(report.limit(), &report))
    }

    fn error(&self, limit: Duration, report: &Report) -> Error {
        Error::TimeOut {
            limit,
            waits: Box::new(report.waits()),
        }
    }

    fn tell(&self, fabric: &dyn Fabric, rank: Rank, note: &Note) {
        // Who cannot be reached is lost, or does not listen, and answers nothing.
        let _ = mailbox::send_note(fabric, rank, mailbox::tag(Purpose::Waits, 0, 0), &note.bytes());
    }
}

/// The error of a wait whose limit is too short to ask anybody.
#[cold]
pub(crate) fn alone(limit: Duration, wait: Wait) -> Error {
    Error::TimeOut {
        limit,
        waits: Box::new(Waits {
            waiting: vec![wait.waiting],
            silent: Vec::new(),
        }),
    }
}
