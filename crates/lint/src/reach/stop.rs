//! What ended a simulation, or a process or thread in it, and the condition that led there.

use crate::budget::Resource;
use crate::ir::{End, Module, PlaceId};
use crate::loops::{immediate_dominators, successors};

/// Why something went no further.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cause {
    /// A call that ends the process: `exit`, with its status if that is known; `abort`; `MPI_Abort`.
    Call(String, Option<i32>),
    /// `main` returned, with its status if that is known.
    Returned(Option<i32>),
    /// A call that is not known here does not return.
    NoReturn(String),
    /// Nobody caught an exception.
    Exception,
    /// A call waits for what never comes.
    Waits(String),
    /// A limit of the simulation.
    Limit(Resource),
    /// A loop was left although its condition says that it goes on.
    LoopLeft,
    /// Functions within functions, too many of them.
    TooDeep,
    /// A jump that is not followed: to an address, or by an instruction that is not known.
    Jump,
}

/// What ended a process, a thread or a simulation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stop {
    pub(crate) cause: Cause,
    pub(crate) place: PlaceId,
    /// The functions that were being executed, the innermost last, each with its block.
    pub(crate) frames: Vec<(u32, u32)>,
}

impl Cause {
    /// In words, as they stand before `at FILE:LINE`.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Call(name, Some(status)) => format!("{name}({status})"),
            Self::Call(name, None) => name.clone(),
            Self::Returned(Some(status)) => format!("the end of main with status {status}"),
            Self::Returned(None) => "the end of main".into(),
            Self::NoReturn(name) if name.is_empty() => "code that no way leads out of".into(),
            Self::NoReturn(name) => format!("{name}, which does not return"),
            Self::Exception => "an exception that nobody catches".into(),
            Self::Waits(name) => format!("{name}, which waits for what never comes"),
            Self::Limit(Resource::Steps) => "the limit of steps (--steps raises it)".into(),
            Self::Limit(Resource::Time) => "the limit of time (--time raises it)".into(),
            Self::Limit(Resource::Memory) => "the limit of memory (--memory raises it)".into(),
            Self::LoopLeft => "a loop that was left before its end".into(),
            Self::TooDeep => "a recursion that was cut".into(),
            Self::Jump => "a jump that is not followed".into(),
        }
    }
}

/// The conditional branch that decided that control came to the innermost of these blocks, by function and block: the
/// nearest one of which another way goes on without it.
pub(crate) fn controlling(module: &Module, frames: &[(u32, u32)]) -> Option<(u32, u32)> {
    frames.iter().rev().find_map(|&(function, block)| {
        let code = &module.functions[function as usize];
        let dominator = immediate_dominators(code);
        let mut at = block as usize;
        loop {
            let above = *dominator.get(at)?;
            if above == at || above == usize::MAX {
                return None;
            }
            at = above;
            let end = &code.blocks[at].end;
            let decides = matches!(end, End::Branch { .. } | End::Switch { .. });
            if decides && goes_on_without(module, function, at, block as usize) {
                return Some((function, at as u32));
            }
        }
    })
}

/// Whether some way from the end of a block leads to the end of the function, and not through `without`.
fn goes_on_without(module: &Module, function: u32, from: usize, without: usize) -> bool {
    let code = &module.functions[function as usize];
    let mut seen = vec![false; code.blocks.len()];
    let mut waiting = successors(&code.blocks[from].end);
    while let Some(block) = waiting.pop() {
        if block == without || block >= seen.len() || std::mem::replace(&mut seen[block], true) {
            continue;
        }
        match &code.blocks[block].end {
            End::Return(_) | End::Resume => return true,
            end => waiting.extend(successors(end)),
        }
    }
    false
}
