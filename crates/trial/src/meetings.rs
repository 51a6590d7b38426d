//! A barrier of the threads of a team, or a wait for the tasks that a thread has made, where the program has none: whom
//! it orders.
//!
//! It stands at a place of a function that the threads of a region of OpenMP run. Of two threads of a process, what one
//! did in that function before the place comes before what the other does there after it, if nothing orders the two as
//! it is: what is ordered belongs to another round, or needs no barrier. A wait for tasks orders only what the tasks do
//! that the waiting thread has made itself. Whoever comes to the place too early is held back, with all that it does
//! from then on; who learned of that in the run may not in the trial, so that an order may be lost, and none is won.
//!
//! What all processes call, several threads of one must not call at once: [`is_passed_at_once`].
//!
//! Limits: threads are those that the run shows in the function; of two that the library has started, only a simulation
//! knows that one of them comes from a region, and not from a task. Whether all threads of the team come to the place,
//! and equally often, is told by the text, not by events; where threads would wait for each other, nothing is said. Of
//! accesses in one segment on both sides of the place, neither.

use crate::Recording;
use crate::cut::{Cut, Next, Position, Reading, Side, of_team};
use crate::replay::Stuck;
use crate::spots::{Spot, Spots, sites};
use crate::work::Work;
use farside_events::{Event, EventKind, ObjectId, Rank, ThreadId};
use farside_findings::Frame;
use farside_race::{Places, is_task, runs_in_parallel};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeMap;

/// Pairs of events that may be compared, and events that may be held back.
const MOST: usize = 1 << 20;
const HELD: usize = 1 << 12;
/// The first of the objects of threads by which a meeting orders events; no program has them.
const OBJECTS: u64 = (u64::MAX >> 1) - 1;

/// A place where threads meet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Meeting {
    cut: Cut,
    of_tasks: bool,
}

impl Meeting {
    /// Between two stacks that part in a function of a region, the first one above the second. For a wait for tasks,
    /// the first one leads through a task that is made there.
    pub(crate) fn between(first: &[Frame], second: &[Frame], next: Next, of_tasks: bool) -> Option<Self> {
        let [first, second] = of_team(first, second);
        let cut = Cut::between(first, second, (next, Reading::Outside))?;
        let anchor = cut.anchor();
        let is_region = runs_in_parallel(anchor) && (of_tasks || !is_task(anchor));
        let meeting = Self { cut, of_tasks };
        let leads_through_task = meeting.side(first)?.1;
        (is_region && meeting.cut.leads_down() && leads_through_task == of_tasks).then_some(meeting)
    }

    /// Where it stands.
    pub(crate) fn cut(&self) -> &Cut {
        &self.cut
    }

    /// The same right after another place of its function.
    pub(crate) fn right_after(&self, anchor: &Frame) -> Self {
        Self {
            cut: self.cut.right_after(anchor),
            ..self.clone()
        }
    }

    /// On which side of it a stack is, and whether that leads through a task; `None` if it does not lead there.
    fn side(&self, stack: &[Frame]) -> Option<(Side, bool)> {
        let side = self.cut.position(stack)?.side();
        let frame = self.cut.frame(stack).filter(|_| side != Side::Outside)?;
        let inner = stack.iter().take_while(|other| !std::ptr::eq(*other, frame));
        Some((side, inner.into_iter().any(is_task)))
    }
}

/// What a meeting orders in a run.
#[derive(Debug, Default)]
pub(crate) struct Meetings {
    /// By the number of an event before the place: who learns of it.
    tells: HashMap<u64, Vec<ObjectId>>,
    /// By the number of an event after it: what it learns by, and of which events.
    awaits: HashMap<u64, (ObjectId, Vec<u64>)>,
    /// Events that have been handed on, as far as others learn of them.
    passed: HashSet<u64>,
    /// What is held back.
    held: Vec<(Rank, u64, Event)>,
    is_full: bool,
}

/// Whether several threads of a process pass a place, and nothing orders that: no two may make a collective call there
/// (MPI-4.1 §11.6.2). Those pass it who do what it is next to, not those who leave out its part of the text.
pub(crate) fn is_passed_at_once(
    cut: &Cut,
    recording: &Recording,
    (spots, places): (&mut Spots, &mut impl Places),
) -> bool {
    let mut courses: HashMap<(Rank, ThreadId), (Course, Position, bool)> = HashMap::default();
    let mut objects: HashMap<(Rank, ObjectId), (Clock, ThreadId)> = HashMap::default();
    // By process and thread: how often it had told others what it did when it passed the place last.
    let mut passed: HashMap<Rank, BTreeMap<ThreadId, u32>> = HashMap::default();
    for (rank, event) in recording.events() {
        let thread = event.thread;
        let new = || (Course::default(), Position::outside(), false);
        let (course, from, was_there) = courses.entry((rank, thread)).or_insert_with(new);
        course.learn((rank, &event), &mut objects);
        let here: Vec<Spot> = sites(rank, &event.kind)
            .into_iter()
            .map(|site| spots.of(site, places))
            .collect();
        if here.is_empty() {
            continue;
        }
        let is_anchor = |spot: &Spot| cut.frame(spots.stack(*spot)) == Some(cut.anchor());
        let is_there = here.iter().any(is_anchor);
        let is_near = std::mem::replace(was_there, is_there) || is_there;
        for to in cut.stops(from, here.iter().map(|spot| spots.stack(*spot))) {
            let passes = is_near && cut.is_passed(from, &to);
            *from = to;
            if !passes {
                continue;
            }
            let others = passed.entry(rank).or_default();
            let is_known = |(other, tick): (&ThreadId, &u32)| {
                *other == thread || course.clock.get(other).is_some_and(|known| known >= tick)
            };
            if !others.iter().all(is_known) {
                return true;
            }
            others.insert(thread, course.clock.get(&thread).copied().unwrap_or(1));
        }
    }
    false
}

/// How often each thread has told others what it did, as far as one knows.
type Clock = HashMap<ThreadId, u32>;

/// A thread on its way.
#[derive(Default)]
struct Course {
    clock: Clock,
    has_begun: bool,
    /// Who has made it.
    maker: Option<ThreadId>,
    /// The call that it is in.
    call: Option<(Side, bool)>,
}

/// Something that was done in the function.
struct Done {
    number: u64,
    thread: ThreadId,
    tick: u32,
    clock: Clock,
    /// Who makes the tasks that it belongs to, or would wait for some.
    maker: Option<ThreadId>,
    in_task: bool,
}

impl Done {
    fn comes_before(&self, other: &Self) -> bool {
        other
            .clock
            .get(&self.thread)
            .is_some_and(|known| *known >= self.tick)
    }
}

impl Meetings {
    /// What a meeting orders; stuck, if that is not known. `None` if there is no time to see.
    pub(crate) fn of(
        meeting: &Meeting,
        recording: &Recording,
        (spots, places): (&mut Spots, &mut impl Places),
        until: Work,
    ) -> Option<Result<Self, Stuck>> {
        let mut courses: HashMap<(Rank, ThreadId), Course> = HashMap::default();
        let mut objects: HashMap<(Rank, ObjectId), (Clock, ThreadId)> = HashMap::default();
        let mut done: BTreeMap<Rank, [Vec<Done>; 2]> = BTreeMap::new();
        for next in recording.events_until(until) {
            let (number, rank, event) = next?;
            let course = courses.entry((rank, event.thread)).or_default();
            course.learn((rank, &event), &mut objects);
            let mut here = sites(rank, &event.kind).into_iter().filter_map(|site| {
                let spot = spots.of(site, places);
                meeting.side(spots.stack(spot))
            });
            let first = here.next();
            if here.any(|other| Some(other) != first) {
                return Some(Err(Stuck));
            }
            let side = match &event.kind {
                EventKind::Leave(_) => course.call.take(),
                EventKind::Enter { .. } => {
                    course.call = first;
                    first
                }
                _ => first,
            };
            if let Some((side, in_task)) = side {
                let index = usize::from(side == Side::After);
                let maker = match in_task {
                    true => course.maker,
                    false => Some(event.thread),
                };
                done.entry(rank).or_default()[index].push(Done {
                    number,
                    thread: event.thread,
                    tick: course.clock.get(&event.thread).copied().unwrap_or(0),
                    clock: course.clock.clone(),
                    maker,
                    in_task,
                });
            }
        }
        let mut meetings = Self::default();
        for [before, after] in done.values() {
            if before.len().saturating_mul(after.len()) > MOST || recording.work() >= until {
                return None;
            }
            meetings.order(meeting, before, after);
        }
        Some(Ok(meetings))
    }

    /// Orders what nothing orders.
    fn order(&mut self, meeting: &Meeting, before: &[Done], after: &[Done]) {
        let mut known: HashSet<(ThreadId, u64)> = HashSet::default();
        for late in after {
            let is_met = |early: &&Done| match meeting.of_tasks {
                true => early.in_task && early.maker.is_some() && early.maker == late.maker,
                false => true,
            };
            let is_free = |early: &&Done| {
                early.thread != late.thread && !early.comes_before(late) && !late.comes_before(early)
            };
            let early = before.iter().filter(|early| is_met(early) && is_free(early));
            let early = early.filter(|early| known.insert((late.thread, early.number)));
            let early: Vec<u64> = early.map(|early| early.number).collect();
            if early.is_empty() {
                continue;
            }
            let object = ObjectId(OBJECTS - self.awaits.len() as u64);
            for number in &early {
                self.tells.entry(*number).or_default().push(object);
            }
            self.awaits.insert(late.number, (object, early));
        }
    }

    /// Takes an event if its thread has to wait.
    pub(crate) fn hold_back(&mut self, rank: Rank, number: u64, event: Event) -> Option<Event> {
        let is_its = |held: &(Rank, u64, Event)| held.0 == rank && held.2.thread == event.thread;
        if self.may_go(number) && !self.held.iter().any(is_its) {
            return Some(event);
        }
        match self.held.len() < HELD {
            true => self.held.push((rank, number, event)),
            false => self.is_full = true,
        }
        None
    }

    fn may_go(&self, number: u64) -> bool {
        let awaited = self.awaits.get(&number).into_iter().flat_map(|(_, all)| all);
        awaited.into_iter().all(|early| self.passed.contains(early))
    }

    /// The next event that was held back and need not be any more.
    pub(crate) fn free(&mut self) -> Option<(Rank, u64, Event)> {
        let mut waiting: HashSet<(Rank, ThreadId)> = HashSet::default();
        let next = self.held.iter().position(|(rank, number, event)| {
            let is_first = !waiting.contains(&(*rank, event.thread));
            waiting.insert((*rank, event.thread));
            is_first && self.may_go(*number)
        });
        next.map(|next| self.held.remove(next))
    }

    /// What an event learns by before it is done.
    pub(crate) fn learns_by(&self, number: u64) -> Option<ObjectId> {
        self.awaits.get(&number).map(|(object, _)| *object)
    }

    /// An event was handed on; by what others learn of it.
    pub(crate) fn pass(&mut self, number: u64) -> Vec<ObjectId> {
        let objects = self.tells.get(&number).cloned().unwrap_or_default();
        if !objects.is_empty() {
            self.passed.insert(number);
        }
        objects
    }

    /// The number of the first event that is held back.
    pub(crate) fn first_held(&self) -> Option<u64> {
        self.held.iter().map(|(_, number, _)| *number).min()
    }

    /// Whether nobody waits any more.
    pub(crate) fn is_over(&self) -> bool {
        self.held.is_empty() && !self.is_full
    }
}

impl Course {
    /// A thread does something: what it knows of others then.
    fn learn(
        &mut self,
        (rank, event): (Rank, &Event),
        objects: &mut HashMap<(Rank, ObjectId), (Clock, ThreadId)>,
    ) {
        let tick = self.clock.entry(event.thread).or_insert(1);
        match &event.kind {
            EventKind::Release { object } | EventKind::ReleaseFenced { object } => {
                let own = self.clock.clone();
                let (known, by) = objects
                    .entry((rank, *object))
                    .or_insert((Clock::default(), event.thread));
                merge(known, &own);
                *by = event.thread;
                *self.clock.entry(event.thread).or_insert(1) += 1;
            }
            EventKind::Acquire { object } => {
                if let Some((known, by)) = objects.get(&(rank, *object)) {
                    if !self.has_begun {
                        self.maker = Some(*by);
                    }
                    merge(&mut self.clock, known);
                }
            }
            _ => *tick = (*tick).max(1),
        }
        self.has_begun = true;
    }
}

fn merge(into: &mut Clock, other: &Clock) {
    for (thread, tick) in other {
        let known = into.entry(*thread).or_insert(0);
        *known = (*known).max(*tick);
    }
}
