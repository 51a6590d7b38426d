//! Where the events of a moved call go: found in a first passage of the recording, used in a second one.
//!
//! Each time that a thread makes the call, its events are taken out, and put before the first event of the code that
//! the call is moved over, or after the last one. What the thread did before that code, or after it, says where it
//! begins and ends; where it did nothing there, the call stays where it is.
//!
//! What is accessed in the line of the call, its arguments and what its result goes to, stays where it is, and is
//! looked at as if it were moved along: it is not in the way.
//!
//! Of a statement that makes an access, all that is accessed in its line is moved, out of segments in which other
//! accesses stay: these come in no order.
//!
//! Limits: a loop within that code is not told from one around the call, if the call is not made in each round: in one
//! reading the call is moved over all rounds, in the other over one ([`crate::cut::Reading`]). Messages and collective
//! calls are matched by their numbers, so no such call is moved over another one, nor a wait over what begins
//! something that may be waited for, nor an atomic operation over one on the same word, if one of them brings a value:
//! it would bring another one; nor a collective call over an atomic operation that brings a value, for others may then
//! do theirs before it. A statement that makes an access, and a call that has buffers, is not moved over
//! what writes its bytes, or needs what it writes, nor over what brings the memory ([`crate::touched`]).

use crate::Recording;
use crate::cut::Reading;
use crate::replay::Stuck;
use crate::shift::{Shift, line_order};
use crate::spots::{Spot, Spots};
use crate::touched::{Touched, Types};
use crate::work::Work;
use farside_events::{Call, Event, EventKind, OperationId, OperationKind, Rank, StackId, ThreadId, WinId};
use farside_findings::Frame;
use farside_race::{Places, Site};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::cmp::Ordering;
use std::mem::{Discriminant, discriminant, take};

/// The events of a moved call, by where they come from and go to.
#[derive(Debug, Default)]
pub(crate) struct Moved {
    /// By their numbers in the recording.
    gone: HashSet<u64>,
    /// Those of which only what is accessed in the line of the statement is moved.
    parted: HashSet<u64>,
    /// By the number of the event that they are put before, or into.
    put: HashMap<u64, Vec<Event>>,
    /// What comes at the end.
    last: Vec<(Rank, Vec<Event>)>,
    /// Some code that the call is moved over is executed again and again without it.
    again: bool,
    types: Types,
}

/// A thread's way through the recording.
#[derive(Default)]
struct Course {
    /// For a call that is moved up: the first event of the code that it is moved over, as far as the thread is in it.
    start: Option<u64>,
    /// Where it was last in that code, and in which kind of event.
    latest: Option<(Frame, Option<Spot>, Option<Discriminant<Call>>)>,
    jumped: Calls,
    /// The call that it is in, or has just left: what one call does in several steps is one.
    group: Option<Group>,
    /// Operations that are moved.
    operations: HashSet<OperationId>,
    /// The thread is in the statement that makes an access, which is put before this event; `None` if that is not known
    /// yet, or it stays.
    statement: Option<Option<u64>>,
    /// What is accessed in the line of the call, before it or after it.
    beside: Touched,
    /// For a call that is moved down: its events, until the code that it is moved over ends.
    pending: Vec<Event>,
    moved: Calls,
}

struct Group {
    steps: Vec<Discriminant<Call>>,
    open: bool,
    /// Before which event it is put; `None` if that is not known yet, or it stays.
    at: Option<u64>,
}

/// What calls do for which numbers tell the partner, and what accesses touch.
#[derive(Clone, Debug, Default)]
struct Calls {
    collective: bool,
    receive: bool,
    completion: bool,
    request: bool,
    /// The words that atomic operations are on, and whether one of them brings what was there.
    words: HashMap<(WinId, Rank, i64), bool>,
    touched: Touched,
}

impl Calls {
    fn take(&mut self, kind: &EventKind) {
        match kind {
            EventKind::Operation(operation) => {
                self.request |= operation.request.is_some();
                let is_atomic = !matches!(operation.kind, OperationKind::Put | OperationKind::Get);
                if let Some(target) = operation.target.filter(|_| is_atomic) {
                    let word = (operation.win, target, operation.displacement);
                    *self.words.entry(word).or_default() |= operation.kind != OperationKind::Accumulate;
                }
            }
            EventKind::Enter { call, .. } => match call {
                Call::Collective { request, .. } => {
                    self.collective = true;
                    self.request |= request.is_some();
                }
                Call::Receive { request, .. } => {
                    self.receive = true;
                    self.request |= request.is_some();
                }
                Call::Send { request, .. } => self.request |= request.is_some(),
                Call::Completion { .. } => self.completion = true,
                _ => {}
            },
            _ => {}
        }
    }

    /// What an atomic operation brings is another value after one on the same word.
    fn bring_others(&self, others: &Self) -> bool {
        let mut words = self.words.iter();
        words.any(|(word, brings)| others.words.get(word).is_some_and(|other| *brings || *other))
    }

    /// What atomic operations bring depends on what others do meanwhile, which a collective call decides.
    fn bring_any(&self) -> bool {
        self.words.values().any(|brings| *brings)
    }

    fn may_pass(&self, others: &Self) -> bool {
        !(self.touched.needs_order(&others.touched)
            || self.collective && others.collective
            || self.receive && others.receive
            || self.request && others.completion
            || self.completion && others.request
            || self.collective && others.bring_any()
            || self.bring_others(others))
    }
}

impl Moved {
    /// Where the events go; stuck, if what becomes of them is not known. `None` if there is no time to see.
    pub(crate) fn of(
        shift: &Shift,
        recording: &Recording,
        (spots, places): (&mut Spots, &mut impl Places),
        until: Work,
    ) -> Option<Result<Self, Stuck>> {
        let mut moved = Self::default();
        let mut threads: HashMap<(Rank, ThreadId), Course> = HashMap::default();
        for next in recording.events_until(until) {
            let (number, rank, event) = next?;
            moved.types.take(rank, &event);
            let course = threads.entry((rank, event.thread)).or_default();
            let here = spots_of(rank, &event.kind, spots, places);
            let is_open = course.group.as_ref().is_some_and(|group| group.open);
            if !is_open && here.iter().any(|spot| shift.takes(spots.stack(*spot))) {
                let is_call = matches!(event.kind, EventKind::Enter { .. });
                if is_call && here != [shift.call()] {
                    // What else is called there is not known to come before or after.
                    return Some(Err(Stuck));
                }
                if !is_call {
                    let is_part = has_accesses(&event.kind);
                    let (own, others) = match is_part {
                        true => parted(|stack| shift.takes(stack), (rank, event), (spots, places)),
                        false => (Some(event), None),
                    };
                    let Some(own) = own else { continue };
                    let touched = Touched::of(rank, &own.kind, &moved.types);
                    // Of a segment it is not known which of its accesses come first.
                    let others = others.map(|others| Touched::of(rank, &others.kind, &moved.types));
                    let is_needed = others.is_some_and(|others| touched.needs_order(&others));
                    let own = (number, own, touched, is_part);
                    if is_needed || moved.of_statement(shift, own, course).is_err() {
                        return Some(Err(Stuck));
                    }
                    continue;
                }
            }
            course.statement = None;
            let is_beside = |stack: &[Frame]| shift.is_beside_call(stack);
            let may_part = !is_open && has_accesses(&event.kind);
            let (event, here) = match may_part && here.iter().any(|spot| is_beside(spots.stack(*spot))) {
                true => {
                    let (beside, event) = parted(is_beside, (rank, event), (spots, places));
                    let touched = beside.map(|beside| Touched::of(rank, &beside.kind, &moved.types));
                    course.beside.extend(touched.unwrap_or_default());
                    let Some(event) = event else { continue };
                    let here = spots_of(rank, &event.kind, spots, places);
                    (event, here)
                }
                false => (event, here),
            };
            let step = moved.event(shift, (number, rank, event), course, (&here, spots));
            if step.is_err() {
                return Some(Err(Stuck));
            }
        }
        for ((rank, _), mut course) in threads {
            if !course.pending.is_empty() {
                if !course.moved.may_pass(&course.jumped) {
                    return Some(Err(Stuck));
                }
                moved.last.push((rank, take(&mut course.pending)));
            }
        }
        Some(Ok(moved))
    }

    /// Whether the other reading is another change.
    pub(crate) fn is_read_in_two_ways(&self) -> bool {
        self.again
    }

    /// What comes in the place of an event of the recording.
    pub(crate) fn rewrite(
        &mut self,
        shift: &Shift,
        (number, rank, event): (u64, Rank, Event),
        (spots, places): (&mut Spots, &mut impl Places),
    ) -> Vec<Event> {
        let event = match self.parted.contains(&number) {
            true => match parted(|stack| shift.takes(stack), (rank, event), (spots, places)).1 {
                Some(event) => event,
                None => return self.put.remove(&number).unwrap_or_default(),
            },
            false => event,
        };
        let Some(mut moved) = self.put.remove(&number) else {
            return match self.gone.contains(&number) {
                true => Vec::new(),
                false => vec![event],
            };
        };
        for one in &mut moved {
            one.time = event.time;
        }
        if self.gone.contains(&number) {
            return moved;
        }
        let is_jumped = |pc, stack| {
            let spot = spots.of(Site { rank, pc, stack }, places);
            shift.jumps(spots.stack(spot)).is_some()
        };
        if !has_accesses(&event.kind) {
            moved.push(event);
            return moved;
        }
        let (there, elsewhere) = divided(event, is_jumped);
        let (first, second) = match shift.goes_up() {
            true => (elsewhere, there),
            false => (there, elsewhere),
        };
        first.into_iter().chain(moved).chain(second).collect()
    }

    /// Whether something is put after all events.
    pub(crate) fn has_last(&self) -> bool {
        !self.last.is_empty()
    }

    /// What was put after all events.
    pub(crate) fn last(&mut self) -> Vec<(Rank, Vec<Event>)> {
        take(&mut self.last)
    }

    fn event(
        &mut self,
        shift: &Shift,
        (number, rank, event): (u64, Rank, Event),
        course: &mut Course,
        (here, spots): (&[Spot], &Spots),
    ) -> Result<(), Stuck> {
        if let Some(group) = course.group.as_mut().filter(|group| group.open) {
            group.open = !matches!(event.kind, EventKind::Leave(_));
            // A collective call brings what is needed after it, or takes along what was written before it.
            let touched = Touched::of(rank, &event.kind, &self.types);
            course.moved.touched.extend(touched);
            if shift.goes_up() && !course.moved.may_pass(&course.jumped) {
                return Err(Stuck);
            }
            self.of_call(shift, (number, event), course);
            return Ok(());
        }
        match &event.kind {
            EventKind::Enter { call, .. } if here == [shift.call()] => {
                let step = discriminant(call);
                match &mut course.group {
                    Some(group) if !group.steps.contains(&step) => {
                        group.steps.push(step);
                        group.open = true;
                    }
                    _ => self.begin(shift, number, course, step)?,
                }
                course.moved.take(&event.kind);
                if shift.goes_up() && !course.moved.may_pass(&course.jumped) {
                    return Err(Stuck);
                }
                self.of_call(shift, (number, event), course);
                Ok(())
            }
            EventKind::Operation(_) if here == [shift.call()] => {
                let at = match &course.group {
                    // One call may make several.
                    Some(group) if group.steps.is_empty() => group.at,
                    _ => self.destination(shift, number, course)?,
                };
                course.group = Some(Group {
                    steps: Vec::new(),
                    open: false,
                    at,
                });
                course.moved.take(&event.kind);
                let touched = Touched::of(rank, &event.kind, &self.types);
                course.moved.touched.extend(touched);
                if shift.goes_up() && !course.moved.may_pass(&course.jumped) {
                    return Err(Stuck);
                }
                if let EventKind::Operation(operation) = &event.kind {
                    course.operations.insert(operation.id);
                }
                self.of_call(shift, (number, event), course);
                Ok(())
            }
            // What it brought goes with it.
            EventKind::Fetched { operation, .. } | EventKind::Withdrawn { operation }
                if course.operations.contains(operation) =>
            {
                if course.group.is_none() {
                    return Err(Stuck);
                }
                self.of_call(shift, (number, event), course);
                Ok(())
            }
            EventKind::ThreadEnd | EventKind::Exit => self.outside(number, course),
            // The memory is not there before.
            EventKind::Window(_) => {
                let touched = Touched::of(rank, &event.kind, &self.types);
                course.jumped.touched.extend(touched);
                Ok(())
            }
            _ if here.is_empty() => Ok(()),
            _ => {
                course.group = None;
                let touched = Touched::of(rank, &event.kind, &self.types);
                self.passes(shift, (number, &event.kind, touched), course, (here, spots))
            }
        }
    }

    /// A thread begins to make the call.
    fn begin(
        &mut self,
        shift: &Shift,
        number: u64,
        course: &mut Course,
        step: Discriminant<Call>,
    ) -> Result<(), Stuck> {
        let at = self.destination(shift, number, course)?;
        course.group = Some(Group {
            steps: vec![step],
            open: true,
            at,
        });
        Ok(())
    }

    /// A thread comes to what is moved: before which event that is put; `None` if it is not known yet, or it stays.
    fn destination(&mut self, shift: &Shift, number: u64, course: &mut Course) -> Result<Option<u64>, Stuck> {
        let at = match shift.goes_up() {
            true => course.start.take(),
            false => {
                self.outside(number, course)?;
                None
            }
        };
        if at.is_none() {
            course.jumped = Calls::default();
        }
        (course.latest, course.moved) = (None, Calls::default());
        course.moved.touched.extend(take(&mut course.beside));
        Ok(at)
    }

    /// An event of the call.
    fn of_call(&mut self, shift: &Shift, (number, event): (u64, Event), course: &mut Course) {
        let Some(group) = &course.group else { return };
        match (shift.goes_up(), group.at) {
            (true, Some(at)) => self.put.entry(at).or_default().push(event),
            (true, None) => return,
            (false, _) => course.pending.push(event),
        }
        self.gone.insert(number);
    }

    /// What a statement accesses.
    fn of_statement(
        &mut self,
        shift: &Shift,
        (number, event, touched, is_part): (u64, Event, Touched, bool),
        course: &mut Course,
    ) -> Result<(), Stuck> {
        let at = match course.statement {
            Some(at) => at,
            None => {
                let at = self.destination(shift, number, course)?;
                (course.group, course.statement) = (None, Some(at));
                at
            }
        };
        course.moved.take(&event.kind);
        course.moved.touched.extend(touched);
        match (shift.goes_up(), at) {
            (true, None) => return Ok(()),
            (true, Some(_)) if !course.moved.may_pass(&course.jumped) => return Err(Stuck),
            (true, Some(at)) => self.put.entry(at).or_default().push(event),
            (false, _) => course.pending.push(event),
        }
        let gone = if is_part { &mut self.parted } else { &mut self.gone };
        gone.insert(number);
        Ok(())
    }

    /// A thread comes to places that are not the call.
    fn passes(
        &mut self,
        shift: &Shift,
        (number, kind, touched): (u64, &EventKind, Touched),
        course: &mut Course,
        (here, spots): (&[Spot], &Spots),
    ) -> Result<(), Stuck> {
        let frames: Vec<&Frame> = here
            .iter()
            .filter_map(|spot| shift.jumps(spots.stack(*spot)))
            .collect();
        let by_line = |a: &&&Frame, b: &&&Frame| line_order(a, b).unwrap_or(Ordering::Equal);
        let (Some(first), Some(last)) = (frames.iter().min_by(by_line), frames.iter().max_by(by_line)) else {
            return self.outside(number, course);
        };
        let only = (here.len() == 1).then(|| here[0]);
        let step = match kind {
            EventKind::Enter { call, .. } => Some(discriminant(call)),
            _ => None,
        };
        let is_again = course.latest.as_ref().is_some_and(|(frame, spot, known)| {
            let is_same = only.is_some() && *spot == only && *known == step;
            line_order(first, frame) == Some(Ordering::Less) || is_same
        });
        self.again |= is_again;
        let (is_mixed, is_split) = (
            frames.len() < here.len(),
            is_again && shift.reading() == Reading::Within,
        );
        if shift.goes_up() {
            if course.start.is_none() || is_mixed || is_split {
                (course.start, course.jumped) = (Some(number), Calls::default());
            }
        } else if is_mixed || is_split {
            // Of what is mixed, one part comes before the call and the other after it.
            return self.outside(number, course);
        }
        course.jumped.take(kind);
        course.jumped.touched.extend(touched);
        course.latest = Some(((**last).clone(), only, step));
        Ok(())
    }

    /// A thread leaves the code that the call is moved over: before this event.
    fn outside(&mut self, number: u64, course: &mut Course) -> Result<(), Stuck> {
        course.moved.touched.extend(take(&mut course.beside));
        let is_known = course.pending.is_empty() || course.moved.may_pass(&course.jumped);
        if !course.pending.is_empty() {
            self.put.insert(number, take(&mut course.pending));
        }
        (course.start, course.latest, course.jumped) = (None, None, Calls::default());
        is_known.then_some(()).ok_or(Stuck)
    }
}

/// What of the accesses of an event has such a stack, and the others.
fn parted(
    has: impl Fn(&[Frame]) -> bool,
    (rank, event): (Rank, Event),
    (spots, places): (&mut Spots, &mut impl Places),
) -> (Option<Event>, Option<Event>) {
    let is_own = |pc, stack| {
        let spot = spots.of(Site { rank, pc, stack }, places);
        has(spots.stack(spot))
    };
    divided(event, is_own)
}

/// Whether an event is accesses of a segment.
fn has_accesses(kind: &EventKind) -> bool {
    matches!(kind, EventKind::Accesses(_) | EventKind::Scattered(_))
}

/// The accesses of an event from places of one kind, and the others, with what is no access.
fn divided(
    event: Event,
    mut is_first: impl FnMut(Option<u64>, StackId) -> bool,
) -> (Option<Event>, Option<Event>) {
    let Event { time, thread, kind } = event;
    let event = |kind| Event { time, thread, kind };
    match kind {
        EventKind::Accesses(runs) => {
            let (first, others): (Vec<_>, Vec<_>) = runs
                .into_iter()
                .partition(|run| is_first(Some(run.pc), run.stack));
            let part = |runs: Vec<_>| (!runs.is_empty()).then(|| event(EventKind::Accesses(runs)));
            (part(first), part(others))
        }
        EventKind::Scattered(sets) => {
            let (first, others): (Vec<_>, Vec<_>) = sets
                .into_iter()
                .partition(|set| is_first(Some(set.pc), set.stack));
            let part = |sets: Vec<_>| (!sets.is_empty()).then(|| event(EventKind::Scattered(sets)));
            (part(first), part(others))
        }
        kind => (None, Some(event(kind))),
    }
}

/// The places of an event.
fn spots_of(rank: Rank, kind: &EventKind, spots: &mut Spots, places: &mut impl Places) -> Vec<Spot> {
    let mut spot = |pc, stack| spots.of(Site { rank, pc, stack }, places);
    match kind {
        EventKind::Enter { stack, .. } if *stack != StackId::UNKNOWN => vec![spot(None, *stack)],
        EventKind::Operation(operation) => vec![spot(None, operation.stack)],
        EventKind::Accesses(runs) => runs.iter().map(|run| spot(Some(run.pc), run.stack)).collect(),
        EventKind::Scattered(sets) => sets.iter().map(|set| spot(Some(set.pc), set.stack)).collect(),
        _ => Vec::new(),
    }
}
