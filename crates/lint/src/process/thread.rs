//! Threads: call frames, and what a thread is doing in a call that has not returned.

use super::Rounds;
use crate::ir::{BlockId, Function, Register};
use crate::loops::Repetition;
use crate::matching::MeetingKey;
use crate::value::Value;
use farside_events::StackId;

/// One thread of a process.
#[derive(Debug, Default)]
pub(crate) struct Thread {
    pub(crate) frames: Vec<Frame>,
    pub(crate) state: ThreadState,
    /// Set while the thread is in a call that waits.
    pub(crate) entered: Option<Entered>,
    /// OpenMP regions that the thread leads: depth of the frame that began it, first and number of the other threads.
    pub(crate) regions: Vec<(usize, usize, usize)>,
    /// How many threads the next team is to have, if the program has said so.
    pub(crate) wanted_team: Option<u32>,
    /// The number that `omp_get_thread_num` gives, and the size of the team.
    pub(crate) team: (u32, u32),
    /// How many OpenMP barriers and other team constructs the thread has met.
    pub(crate) team_step: u64,
    pub(crate) team_id: u64,
    /// Threads (tasks) that must have ended before this one begins.
    pub(crate) after: Vec<usize>,
    /// Tasks that it made and has not waited for.
    pub(crate) children: Vec<usize>,
    /// The innermost task group, and its outer ones.
    pub(crate) groups: Vec<u64>,
    /// Whether it has copied what a single region gives, and waits until the others have.
    pub(crate) copied: bool,
    /// The loop whose rounds it takes.
    pub(crate) rounds: Option<Rounds>,
    /// The exception that is on its way or being handled: the object and its type.
    pub(crate) exception: Option<(u64, u64)>,
}

/// Whether a thread can go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ThreadState {
    #[default]
    Running,
    Ended,
}

/// What a thread waits for.
#[derive(Clone, Debug)]
pub(crate) enum Entered {
    /// Others, in a collective call.
    Meeting(MeetingKey),
    /// A message, by the number of its post.
    Receive(u64),
    /// The receiver of a synchronous send, by the number of the message.
    Delivery(u64),
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
}
