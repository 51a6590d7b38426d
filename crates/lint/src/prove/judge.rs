//! Whether two processes on two paths, or one on one, can race: for which number of ranks.
//!
//! Promise: a pair of accesses is left out only if it cannot be a race for any number of ranks: by the rules of
//! [`farside_conflicts`]; because one is complete before a meeting of all processes after which the other begins;
//! because locks keep the two apart; or because the solver says that they never meet. No other order is looked at, so
//! that a pair that is given need not be a race.

use super::affine::{Term, Terms, Variable};
use super::number::Outside;
use super::question::{Answer, Condition, Prover, Question, Who};
use super::state::{Ended, State};
use super::trace::{Access, Meeting, Space};
use crate::ir::PlaceId;
use farside_conflicts::{Access as Side, Effect, Role, accumulates_in_order, conflict};
use farside_events::{ChannelId, Rank};
use std::collections::BTreeMap;

/// Pairs that the solver is asked about, at most.
const PAIRS: u64 = 200_000;

/// Two accesses that may race.
#[derive(Clone, Debug)]
pub(super) struct Suspect {
    pub(super) places: (PlaceId, PlaceId),
    /// The smallest number of ranks of which the solver says that they meet, up to the most that is simulated.
    pub(super) size: Option<u32>,
}

/// All pairs of all paths, and how many there were.
pub(super) struct Judgement {
    pub(super) suspects: Vec<Suspect>,
    pub(super) pairs: u64,
}

/// Judges all pairs; `most` is the largest number of ranks that is simulated.
pub(super) fn judge(prover: &mut Prover, paths: &[State], most: u32) -> Result<Judgement, Outside> {
    let mut judge = Judge {
        prover,
        most,
        suspects: BTreeMap::new(),
        pairs: 0,
    };
    for (nth, one) in paths.iter().enumerate() {
        judge.alone(one)?;
        for other in &paths[nth..] {
            judge.together(one, other)?;
        }
    }
    Ok(Judgement {
        suspects: judge.suspects.into_values().collect(),
        pairs: judge.pairs,
    })
}

struct Judge<'p> {
    prover: &'p mut Prover,
    most: u32,
    suspects: BTreeMap<(PlaceId, PlaceId), Suspect>,
    pairs: u64,
}

impl Judge<'_> {
    /// One process: what its operations have in flight while it goes on.
    fn alone(&mut self, path: &State) -> Result<(), Outside> {
        let mut whole = Question::default();
        take(&mut whole, &self.prover.terms, &path.given, Who::One);
        for (window, own) in path.windows.iter().enumerate() {
            self.stays_within(path, (path, Who::One), &whole, window as u32, own.size)?;
        }
        let accesses = path.trace.accesses();
        for (nth, one) in accesses.iter().enumerate() {
            for other in &accesses[nth..] {
                if one.space == other.space && conflicting(one, other, 0) && !in_order(one, other) {
                    self.of_one_process(one, other, std::ptr::eq(one, other), &whole);
                    self.go_on()?;
                }
            }
        }
        Ok(())
    }

    /// Whether there is room for more pairs.
    fn go_on(&self) -> Result<(), Outside> {
        match self.pairs < PAIRS {
            true => Ok(()),
            false => Err(Outside {
                place: 0,
                reason: format!(
                    "there are more than {PAIRS} pairs of accesses that only their addresses keep apart"
                ),
            }),
        }
    }

    /// Two accesses of one process: in one round of the loops that both are in, or in different ones.
    fn of_one_process(&mut self, one: &Access, other: &Access, itself: bool, whole: &Question) {
        let rounds = one.rounds.iter().zip(&other.rounds);
        let common: Vec<_> = rounds.take_while(|(a, b)| a.round == b.round).collect();
        let mut question = whole.clone();
        for (a, b) in &common {
            let round = self.prover.terms.variable(Variable::Round(a.round));
            let sides = ((round, Who::One), (round, Who::Again));
            if !(a.complete && b.complete) {
                let mut apart = question.clone();
                apart.related(&self.prover.terms, "distinct", sides.0, sides.1);
                self.meet((one, Who::One), (other, Who::Again), apart);
            }
            question.related(&self.prover.terms, "=", sides.0, sides.1);
        }
        let same = one.operation.is_some_and(|operation| {
            other
                .operation
                .is_some_and(|further| further.number == operation.number)
        });
        if !itself && !same && !follows(one, other) && !follows(other, one) {
            self.meet((one, Who::One), (other, Who::Again), question);
        }
    }

    /// Two processes on these paths.
    fn together(&mut self, one: &State, other: &State) -> Result<(), Outside> {
        let rank = self.prover.terms.variable(Variable::Rank);
        let mut whole = Question::default();
        take(&mut whole, &self.prover.terms, &one.given, Who::One);
        take(&mut whole, &self.prover.terms, &other.given, Who::Other);
        whole.related(
            &self.prover.terms,
            "distinct",
            (rank, Who::One),
            (rank, Who::Other),
        );
        if self.prover.ask(&whole) == Answer::Never {
            return Ok(());
        }
        agree(one, other)?;
        for (window, (own, theirs)) in one.windows.iter().zip(&other.windows).enumerate() {
            if own.unit != theirs.unit {
                return Err(Outside {
                    place: 0,
                    reason: "the units of a window differ".to_owned(),
                });
            }
            self.stays_within(one, (other, Who::Other), &whole, window as u32, theirs.size)?;
        }
        // Of two processes, one may have ended the job before it came to the later ones.
        let meetings = match one.trace.meetings().len() < other.trace.meetings().len() {
            true => other.trace.meetings(),
            false => one.trace.meetings(),
        };
        for first in one.trace.accesses() {
            for second in other.trace.accesses() {
                let shared = first.space == second.space && matches!(first.space, Space::Window(_));
                let ordered = ordered(first, second, meetings) || ordered(second, first, meetings);
                if !shared || ordered || !conflicting(first, second, 1) {
                    continue;
                }
                let mut question = whole.clone();
                if let Some(locked) = kept_apart(first, second) {
                    if locked.is_empty() {
                        continue;
                    }
                    question.some_differ(&self.prover.terms, &locked, rank);
                }
                self.meet((first, Who::One), (second, Who::Other), question);
                self.go_on()?;
            }
        }
        Ok(())
    }

    /// Asks whether two accesses that nothing orders have a byte in common.
    fn meet(&mut self, (one, of): (&Access, Who), (other, by): (&Access, Who), mut question: Question) {
        self.pairs += 1;
        let places = (one.place.min(other.place), one.place.max(other.place));
        let rank = self.prover.terms.variable(Variable::Rank);
        let terms = &self.prover.terms;
        take(&mut question, terms, &one.given, of);
        take(&mut question, terms, &other.given, by);
        let owners = (one.owner.unwrap_or(rank), other.owner.unwrap_or(rank));
        if let Space::Window(_) = one.space {
            question.related(terms, "=", (owners.0, of), (owners.1, by));
        }
        question.related(terms, "<", (one.range.0, of), (other.range.1, by));
        question.related(terms, "<", (other.range.0, by), (one.range.1, of));
        if self.prover.ask(&question) == Answer::Never {
            return;
        }
        if self
            .suspects
            .get(&places)
            .is_some_and(|known| known.size == Some(self.prover.least()))
        {
            return;
        }
        let size = self.prover.smallest(&question, self.most);
        let suspect = self.suspects.entry(places).or_insert(Suspect { places, size });
        suspect.size = match (suspect.size, size) {
            (Some(known), Some(size)) => Some(known.min(size)),
            (known, size) => known.or(size),
        };
    }

    /// Operations of one path on a window stay within the part of whom they concern, which is of this size on the other
    /// path.
    fn stays_within(
        &mut self,
        one: &State,
        (_, by): (&State, Who),
        whole: &Question,
        window: u32,
        size: Term,
    ) -> Result<(), Outside> {
        let rank = self.prover.terms.variable(Variable::Rank);
        let zero = self.prover.terms.constant(0);
        for access in one.trace.accesses() {
            let (Some(target), Space::Window(number)) = (access.owner, access.space) else {
                continue;
            };
            if number != window {
                continue;
            }
            let terms = &self.prover.terms;
            let mut question = whole.clone();
            take(&mut question, terms, &access.given, Who::One);
            question.related(terms, "=", (target, Who::One), (rank, by));
            let (mut before, mut after) = (question.clone(), question);
            before.related(terms, "<", (access.range.0, Who::One), (zero, by));
            after.related(terms, "<", (size, by), (access.range.1, Who::One));
            if self.prover.ask(&before) != Answer::Never || self.prover.ask(&after) != Answer::Never {
                return Err(Outside {
                    place: access.place,
                    reason:
                        "the target's bytes leave the window for some number of ranks, as far as one can tell"
                            .to_owned(),
                });
            }
        }
        Ok(())
    }
}

fn take(question: &mut Question, terms: &Terms, given: &[Condition], who: Who) {
    for condition in given {
        question.holds(terms, *condition, who);
    }
}

/// Two processes that there may be in one job make the same meetings, or one ends the job before.
fn agree(one: &State, other: &State) -> Result<(), Outside> {
    let (ours, theirs) = (one.trace.meetings(), other.trace.meetings());
    let apart = ours
        .iter()
        .zip(theirs)
        .find(|(a, b)| (&a.label, a.opens) != (&b.label, b.opens));
    let place = |meeting: Option<&Meeting>| meeting.map_or(0, |meeting| meeting.place);
    let reason = "whether a process comes here depends on its rank or on data, and others make other calls";
    let outside = |place| {
        Err(Outside {
            place,
            reason: reason.to_owned(),
        })
    };
    if let Some((meeting, _)) = apart {
        return outside(meeting.place);
    }
    let gave_up = |path: &State| matches!(path.ended, Some(Ended::GaveUp(_)));
    match ours.len().cmp(&theirs.len()) {
        std::cmp::Ordering::Less if !gave_up(one) => outside(place(theirs.get(ours.len()))),
        std::cmp::Ordering::Greater if !gave_up(other) => outside(place(ours.get(theirs.len()))),
        _ => Ok(()),
    }
}

/// Whether one is complete before all processes meet, and the other begins after that; or one is the owner's own
/// before it opens an epoch in which the other takes effect.
fn ordered(one: &Access, other: &Access, meetings: &[Meeting]) -> bool {
    let Some(done) = one.done else { return false };
    let between = meetings.get(done.meetings as usize..other.begun.meetings as usize);
    let mut between = between.unwrap_or_default().iter();
    between.any(|meeting| match meeting.opens {
        None => true,
        Some(window) => {
            let of_epoch = other.role == Role::Target && other.lock.is_none();
            of_epoch && one.owner.is_none() && other.space == Space::Window(window)
        }
    })
}

/// Whether one is complete before the other begins, in the same process.
fn follows(one: &Access, other: &Access) -> bool {
    one.done.is_some_and(|done| done.time <= other.begun.time)
}

/// Whether two accesses are made under locks that are not held at once: if both are of the owner of the bytes. Of an
/// operation, the lock is; of a local access, it is that of this target.
fn kept_apart(one: &Access, other: &Access) -> Option<Vec<(Term, Who)>> {
    let (lock, further) = (one.lock?, other.lock?);
    let same = lock.window == further.window && Space::Window(lock.window) == one.space;
    if !same || !(lock.exclusive || further.exclusive) {
        return None;
    }
    let mut of_owner = Vec::new();
    for (access, lock, who) in [(one, lock, Who::One), (other, further, Who::Other)] {
        match (access.role, lock.target) {
            (Role::Target, _) | (_, None) => {}
            (Role::Local, Some(target)) => of_owner.push((target, who)),
            _ => return None,
        }
    }
    Some(of_owner)
}

fn conflicting(one: &Access, other: &Access, rank: u32) -> bool {
    let side = |access: &Access, rank| Side {
        rank: Rank(rank),
        role: access.role,
        effect: access.effect,
        channel: ChannelId::DEFAULT,
    };
    conflict(&side(one, 0), &side(other, rank)).is_some()
}

/// Whether two updates of one origin take effect in the order of their calls.
fn in_order(one: &Access, other: &Access) -> bool {
    match (one.effect, other.effect) {
        (Effect::Update(x), Effect::Update(y)) => accumulates_in_order(&x, &y),
        _ => false,
    }
}
