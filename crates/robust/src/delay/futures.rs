//! What a process can still access: an over-approximation from its control state, with no look at values.
//!
//! Limits: see [`MOST_WORDS`]; beyond it, sets are coarser, which costs states and nothing else.

use super::accesses::{Access, Accesses};
use crate::range::within;
use farside_pgas::ast::{Completion, Direction};
use farside_pgas::calculus::{Automaton, Command, Expression, Program, Transition};

/// Most memory for the sets of a program.
const MOST_WORDS: usize = 1 << 23;

/// A command that accesses memory, wherever its operands may point.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    /// Of load, store and popa.
    pub(super) first: Accesses,
    /// Of popb.
    pub(super) second: Accesses,
    /// It is an operation.
    pub(super) remote: bool,
    /// It is an operation, and all that can follow it is a wait for it.
    pub(super) waits: bool,
}

/// The future accesses of each process from each control state.
#[derive(Clone, Debug)]
pub(super) struct Futures {
    pub(super) width: usize,
    /// Until its next barrier, by rank and control state.
    near: Vec<Vec<Accesses>>,
    /// For ever.
    far: Vec<Vec<Accesses>>,
    /// By rank and transition.
    commands: Vec<Vec<Option<Reach>>>,
    /// By rank and control state, the transitions that can be reached before a barrier.
    reached: Vec<Vec<Vec<u64>>>,
}

impl Futures {
    /// Of a program that is [specialised](super::specialise::specialise).
    pub(super) fn new(program: &Program) -> Self {
        let sizes = |code: &Automaton| code.states + code.transitions.len();
        let sets: usize = program.codes.iter().map(sizes).sum();
        let addresses = program.ranks as usize * program.cells.len();
        let width = addresses
            .min((64 * MOST_WORDS / (4 * sets.max(1))).max(64))
            .max(1);
        let ranks = 0..program.ranks as usize;
        let commands: Vec<Vec<Option<Reach>>> = ranks
            .clone()
            .map(|rank| {
                let code = &program.codes[rank];
                let reach = |transition: &Transition| reach(program, rank, transition, width);
                code.transitions.iter().map(reach).collect()
            })
            .collect();
        let of = |across: bool| {
            ranks
                .clone()
                .map(|rank| of_code(&program.codes[rank], &commands[rank], width, across))
                .collect()
        };
        Self {
            width,
            near: of(false),
            far: of(true),
            reached: ranks.clone().map(|rank| reached(&program.codes[rank])).collect(),
            commands,
        }
    }

    /// The accesses of a process before it passes a barrier.
    pub(super) fn near(&self, rank: usize, control: usize) -> &Accesses {
        &self.near[rank][control]
    }

    /// All its accesses.
    pub(super) fn far(&self, rank: usize, control: usize) -> &Accesses {
        &self.far[rank][control]
    }

    /// The commands that access memory before it passes a barrier.
    pub(super) fn commands(&self, rank: usize, control: usize) -> impl Iterator<Item = &Reach> {
        let reached = &self.reached[rank][control];
        let within = |index: &usize| reached[index / 64] >> (index % 64) & 1 == 1;
        let commands = &self.commands[rank];
        (0..commands.len())
            .filter(within)
            .filter_map(|index| commands[index].as_ref())
    }

    /// The command of a transition.
    pub(super) fn command(&self, rank: usize, transition: usize) -> Option<&Reach> {
        self.commands[rank][transition].as_ref()
    }
}

/// Runs over a code backwards until nothing is added: `add` adds what is known of the second state to the first, and
/// says whether that was new.
fn backwards(code: &Automaton, across: bool, mut add: impl FnMut(usize, usize) -> bool) {
    let mut before = vec![Vec::new(); code.states];
    for transition in &code.transitions {
        if across || transition.command != Command::Barrier {
            before[transition.to].push(transition.from);
        }
    }
    let mut changed: Vec<usize> = (0..code.states).collect();
    while let Some(state) = changed.pop() {
        for &from in &before[state] {
            if add(from, state) {
                changed.push(from);
            }
        }
    }
}

fn of_code(code: &Automaton, commands: &[Option<Reach>], width: usize, across: bool) -> Vec<Accesses> {
    let mut sets = vec![Accesses::empty(width); code.states];
    for (transition, reach) in code.transitions.iter().zip(commands) {
        if let Some(reach) = reach {
            sets[transition.from].extend(&reach.first);
            sets[transition.from].extend(&reach.second);
        }
    }
    backwards(code, across, |from, to| {
        let set = sets[to].clone();
        sets[from].extend(&set)
    });
    sets
}

fn reached(code: &Automaton) -> Vec<Vec<u64>> {
    let mut sets = vec![vec![0_u64; code.transitions.len().div_ceil(64)]; code.states];
    for (index, transition) in code.transitions.iter().enumerate() {
        sets[transition.from][index / 64] |= 1 << (index % 64);
    }
    backwards(code, false, |from, to| {
        let set = sets[to].clone();
        let mut new = false;
        for (word, other) in sets[from].iter_mut().zip(set) {
            new |= other & !*word != 0;
            *word |= other;
        }
        new
    });
    sets
}

/// By cell: whether some process waits for a value of it.
pub(super) fn polled(program: &Program) -> Vec<bool> {
    let mut polled = vec![false; program.cells.len()];
    for transition in program.codes.iter().flat_map(|code| &code.transitions) {
        if let Command::Load {
            address,
            until: Some(_),
            ..
        } = &transition.command
        {
            polled[within(program, address, program.cells.len())].fill(true);
        }
    }
    polled
}

/// The accesses that a command can have; none if it has none.
fn reach(program: &Program, rank: usize, transition: &Transition, width: usize) -> Option<Reach> {
    let cells = program.cells.len();
    let within = |expression: &Expression, count: usize| within(program, expression, count);
    let all = |ranks: std::ops::Range<usize>, address: &Expression, writes| {
        let mut set = Accesses::empty(width);
        for rank in ranks {
            for cell in within(address, cells) {
                set.insert(Access {
                    address: rank * cells + cell,
                    writes,
                });
            }
        }
        set
    };
    let (own, none) = (rank..rank + 1, Accesses::empty(width));
    let (first, second, operation) = match &transition.command {
        Command::Load { address, .. } => (all(own, address, false), none, None),
        Command::Store { address, .. } => (all(own, address, true), none, None),
        Command::Transfer(transfer) => {
            let remote = within(&transfer.rank, program.ranks as usize);
            let (first, second) = match transfer.direction {
                Direction::Read => (
                    all(remote, &transfer.remote, false),
                    all(own, &transfer.local, true),
                ),
                Direction::Write => (
                    all(own, &transfer.local, false),
                    all(remote, &transfer.remote, true),
                ),
            };
            (first, second, Some((&transfer.queue, &transfer.handle)))
        }
        Command::Atomic(atomic) => {
            let remote = within(&atomic.rank, program.ranks as usize);
            let second = atomic.local.as_ref().map_or(none, |local| all(own, local, true));
            (
                all(remote, &atomic.remote, true),
                second,
                Some((&atomic.queue, &atomic.handle)),
            )
        }
        _ => return None,
    };
    let waits = operation.is_some_and(|(queue, handle)| {
        is_awaited(&program.codes[rank], transition.to, queue, handle.as_ref())
    });
    Some(Reach {
        first,
        second,
        remote: operation.is_some(),
        waits,
    })
}

/// Whether all that can be done in a state is to wait until an operation with this queue and handle is complete.
fn is_awaited(code: &Automaton, state: usize, queue: &Expression, handle: Option<&Expression>) -> bool {
    let known = |expression: &Expression| matches!(expression, Expression::Constant(_));
    let mut next = code
        .transitions
        .iter()
        .filter(|transition| transition.from == state)
        .peekable();
    next.peek().is_some()
        && next.all(|transition| match &transition.command {
            Command::Wait {
                queues,
                handles,
                completion: Completion::Full,
            } => {
                (known(queue) && queues.contains(queue))
                    || handle.is_some_and(|handle| known(handle) && handles.contains(handle))
            }
            _ => false,
        })
}
