//! Threads: call frames, and what a thread is doing in a call that has not returned.

use super::{Membership, Rounds};
use crate::communication::Under;
use crate::ir::{BlockId, Function, Register};
use crate::loops::Repetition;
use crate::matching::MeetingKey;
use crate::value::Value;
use farside_events::StackId;
use std::ops::Range;

/// One thread of a process.
#[derive(Debug, Default)]
pub(crate) struct Thread {
    pub(crate) frames: Vec<Frame>,
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
    pub(super) after: Vec<usize>,
    /// Tasks that it made and has not waited for.
    pub(super) children: Vec<usize>,
    /// The innermost task group, and its outer ones.
    pub(super) groups: Vec<u64>,
    /// Whether it has copied what a single region gives, and waits until the others have.
    has_copied: bool,
    /// The loop whose rounds it takes.
    rounds: Option<Rounds>,
    /// The exception that is on its way or being handled: the object and its type.
    exception: Option<(u64, u64)>,
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
}

/// A function that is being executed.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) function: u32,
    pub(crate) block: BlockId,
    /// The block before it.
    pub(crate) previous: BlockId,
    pub(crate) index: usize,
    pub(crate) registers: Vec<Value>,
    /// What receives the result in the caller.
    pub(crate) result: Option<Register>,
    /// Whether the caller's call instruction is executed once more after this frame.
    pub(crate) again: bool,
    pub(crate) locals: Vec<u64>,
    /// The calls that led here.
    pub(crate) stack: StackId,
    /// How often each block's branch stayed in its loop.
    pub(crate) turns: Vec<u32>,
    /// What the rounds of loops were like whose end the outside world decides, by the block of the branch.
    pub(crate) repetitions: Vec<(BlockId, Repetition)>,
}

impl Frame {
    /// A function that is about to begin, with these arguments.
    pub(crate) fn of(index: u32, function: &Function, arguments: Vec<Value>, stack: StackId) -> Self {
        let mut registers = arguments;
        registers.resize(
            (function.registers as usize).max(function.parameters as usize),
            Value::default(),
        );
        Self {
            function: index,
            block: 0,
            previous: 0,
            index: 0,
            registers,
            result: None,
            again: false,
            locals: Vec::new(),
            stack,
            turns: vec![0; function.blocks.len()],
            repetitions: Vec::new(),
        }
    }
}

impl Thread {
    /// The functions that it is in, the innermost last, each with its block.
    pub(crate) fn trail(&self) -> Vec<(u32, u32)> {
        let frames = self.frames.iter();
        frames.map(|frame| (frame.function, frame.block)).collect()
    }

    /// The calls that led to the function at hand.
    pub(crate) fn stack(&self) -> StackId {
        self.frames.last().map_or(StackId::UNKNOWN, |frame| frame.stack)
    }

    /// A thread of a team that is about to begin.
    pub(crate) fn of(team: Membership) -> Self {
        Self {
            team,
            ..Self::default()
        }
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// It ends, wherever it is.
    pub(crate) fn end(&mut self) {
        self.frames.clear();
        self.has_ended = true;
    }

    /// What it waits for, if it is in a call that waits.
    pub(crate) fn entered(&self) -> Option<&Entered> {
        self.entered.as_ref()
    }

    pub(crate) fn set_entered(&mut self, entered: Option<Entered>) {
        self.entered = entered;
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

    /// The innermost task group is over.
    pub(crate) fn leave_group(&mut self) {
        self.groups.pop();
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
