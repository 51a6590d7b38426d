//! Threads: the functions that a thread is in, and what it is doing in a call that has not returned.

use super::{Frame, Membership, Relaxed, Rounds};
use crate::communication::Under;
use crate::matching::MeetingKey;
use crate::value::Scalar;
use farside_events::StackId;
use foldhash::quality::FixedState;
use std::hash::BuildHasher as _;
use std::ops::Range;

/// One thread of a process.
#[derive(Debug, Default)]
pub(crate) struct Thread {
    /// The functions that it is in, the innermost last.
    frames: Vec<Frame>,
    has_ended: bool,
    /// Set while the thread is in a call that waits.
    entered: Option<Entered>,
    /// OpenMP regions that the thread leads: depth of the frame that began it, and the other threads.
    regions: Vec<(usize, Range<usize>)>,
    /// How many threads the next team is to have, if the program has said so.
    wanted_team: Option<u32>,
    team: Membership,
    /// How many OpenMP barriers and other team constructs the thread has met.
    team_step: u64,
    /// Threads (tasks) that must have ended before this one begins.
    after: Vec<usize>,
    /// Tasks that it made and has not waited for.
    children: Vec<usize>,
    /// The innermost task group, and its outer ones.
    groups: Vec<u64>,
    /// Whether it has copied what a single region gives, and waits until the others have.
    has_copied: bool,
    /// The loop whose rounds it takes.
    rounds: Option<Rounds>,
    /// What fences may make an order of.
    relaxed: Relaxed,
    /// The exception that is on its way or being handled: the object and its type.
    exception: Option<(u64, u64)>,
    /// What it ended with, for who joins it.
    result: Scalar,
}

/// What a thread waits for.
#[derive(Clone, Debug)]
pub(crate) enum Entered {
    /// Others, in a collective call.
    Meeting(MeetingKey),
    /// A communication, begun by the call.
    Begun(Under),
    /// An operation has been issued, its data have not moved.
    Issued(farside_events::OperationId, Option<farside_events::RequestId>),
    /// Anything that can be asked again.
    Condition,
    /// A signal of a condition variable, after so many.
    Signal(u32),
    /// A barrier of POSIX threads, which was full so often.
    Barrier(u32),
    /// A lock that a process has, by its rank.
    Holder(u32),
}

impl Thread {
    /// The functions that it is in, the innermost last, each with its block.
    pub(crate) fn trail(&self) -> Vec<(u32, u32)> {
        let frames = self.frames.iter();
        frames.map(|frame| (frame.function(), frame.block())).collect()
    }

    /// What the functions that it is in go on with, as one number.
    pub(crate) fn state(&self) -> u64 {
        FixedState::default().hash_one(&self.frames)
    }

    /// The calls that led to the function at hand.
    pub(crate) fn stack(&self) -> StackId {
        self.frames.last().map_or(StackId::UNKNOWN, Frame::stack)
    }

    /// A thread of a team that is about to begin.
    pub(crate) fn of(team: Membership) -> Self {
        Self {
            team,
            ..Self::default()
        }
    }

    /// The function that it is in; `None` if it has left the outermost one.
    pub(crate) fn frame(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// The function that it is in, to go on in it.
    pub(crate) fn frame_mut(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut()
    }

    /// How many functions it is in.
    pub(crate) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// It calls a function.
    pub(crate) fn push(&mut self, frame: Frame) {
        self.frames.push(frame);
    }

    /// The function that it is in is over.
    pub(super) fn pop(&mut self) -> Option<Frame> {
        self.frames.pop()
    }

    /// The function that it has called last is the one that called all others.
    pub(crate) fn put_below(&mut self) {
        self.frames.rotate_right(1);
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// It ends, wherever it is.
    pub(crate) fn end(&mut self) {
        self.frames.clear();
        self.has_ended = true;
    }

    /// It ends with a result, for who joins it.
    pub(crate) fn end_with(&mut self, result: Scalar) {
        self.end();
        self.result = result;
    }

    /// What it ended with.
    pub(crate) fn result(&self) -> Scalar {
        self.result
    }

    /// What it waits for, if it is in a call that waits.
    pub(crate) fn entered(&self) -> Option<&Entered> {
        self.entered.as_ref()
    }

    pub(crate) fn set_entered(&mut self, entered: Option<Entered>) {
        self.entered = entered;
    }

    /// Its relaxed accesses, of which fences may make an order.
    pub(crate) fn relaxed_mut(&mut self) -> &mut Relaxed {
        &mut self.relaxed
    }

    /// The exception that is on its way or being handled: the object and its type.
    pub(crate) fn exception(&self) -> Option<(u64, u64)> {
        self.exception
    }

    /// It throws an object of a type.
    pub(crate) fn throw(&mut self, object: u64, ty: u64) {
        self.exception = Some((object, ty));
    }
}

/// Its part in teams and tasks of OpenMP.
impl Thread {
    pub(crate) fn team(&self) -> Membership {
        self.team
    }

    /// The number of the next construct that all threads of the team meet.
    pub(crate) fn next_step(&mut self) -> u64 {
        self.team_step += 1;
        self.team_step
    }

    /// The next team is to have so many threads.
    pub(crate) fn ask_for_team(&mut self, size: u32) {
        self.wanted_team = Some(size);
    }

    /// How many threads a team that begins now is to have, if the program has said so.
    pub(crate) fn asked_team(&mut self) -> Option<u32> {
        self.wanted_team.take()
    }

    /// It begins a region with these other threads.
    pub(crate) fn begin_region(&mut self, team: Membership, others: Range<usize>) {
        (self.team, self.team_step) = (team, 0);
        self.regions.push((self.frames.len(), others));
    }

    /// The other threads of the region that the function at hand has begun.
    pub(crate) fn region(&self) -> Option<Range<usize>> {
        let (depth, others) = self.regions.last()?;
        (*depth == self.frames.len()).then(|| others.clone())
    }

    /// The region is over.
    pub(crate) fn leave_region(&mut self) {
        self.regions.pop();
        self.team = self.team.alone();
    }

    /// Threads that must have ended before it begins.
    pub(crate) fn after(&self) -> &[usize] {
        &self.after
    }

    /// They have ended.
    pub(crate) fn take_after(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.after)
    }

    /// Tasks that it made and has not waited for.
    pub(crate) fn children(&self) -> &[usize] {
        &self.children
    }

    /// It has waited for them.
    pub(crate) fn take_children(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.children)
    }

    /// The innermost task group, and its outer ones: their numbers, the innermost last.
    pub(super) fn groups(&self) -> &[u64] {
        &self.groups
    }

    /// It begins a task group.
    pub(super) fn enter_group(&mut self, group: u64) {
        self.groups.push(group);
    }

    /// The innermost task group is over.
    pub(crate) fn leave_group(&mut self) {
        self.groups.pop();
    }

    /// It makes a task, which is to begin after some others.
    pub(super) fn add_child(&mut self, number: usize, task: &mut Self, after: Vec<usize>) {
        self.children.push(number);
        task.groups.clone_from(&self.groups);
        task.after = after;
    }

    /// Whether it has copied what a single region gives, and waits until the others have.
    pub(crate) fn has_copied(&self) -> bool {
        self.has_copied
    }

    pub(crate) fn set_copied(&mut self, copied: bool) {
        self.has_copied = copied;
    }

    /// The loop whose rounds it takes.
    pub(crate) fn rounds(&self) -> Option<Rounds> {
        self.rounds
    }

    pub(crate) fn set_rounds(&mut self, rounds: Rounds) {
        self.rounds = Some(rounds);
    }
}
