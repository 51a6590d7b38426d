//! Commands with their expressions evaluated, for a process in a state.

use farside_pgas::ast::{AtomicOperation, Completion, Direction};
use farside_pgas::calculus::{Command, Expression, Program, Register, Undefined};

/// A command whose operands are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Issued {
    Load {
        into: usize,
        cell: usize,
    },
    Store {
        cell: usize,
        value: u32,
    },
    Assign {
        into: usize,
        value: u32,
    },
    /// An assumption that holds.
    Assume,
    /// One that does not: nothing happens.
    Stuck,
    Remote(Remote),
    Barrier,
    Wait {
        queues: Vec<usize>,
        handles: Vec<usize>,
        completion: Completion,
    },
    Fence {
        queue: usize,
        target: Option<usize>,
    },
}

/// An operation on remote memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remote {
    pub(crate) kind: RemoteKind,
    /// popa: rank and cell.
    pub(crate) source: (usize, usize),
    /// popb: rank and cell; none if nothing is delivered.
    pub(crate) destination: Option<(usize, usize)>,
    /// The other process.
    pub(crate) target: usize,
    pub(crate) queue: usize,
    pub(crate) handle: Option<usize>,
    pub(crate) after_earlier: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RemoteKind {
    Read,
    Write,
    /// What popa does to what it reads.
    Atomic {
        operation: AtomicOperation,
        operand: u32,
        expected: Option<u32>,
    },
}

/// A number to add, below two domains: a negative one has two domains added to it, so that sums are the same modulo
/// the domain. None if no sum with it is in the domain.
pub(crate) fn addend(number: i64, domain: u32) -> Option<u32> {
    let domain = i64::from(domain);
    match number {
        _ if (0..domain).contains(&number) => u32::try_from(number).ok(),
        _ if (1 - domain..0).contains(&number) => u32::try_from(number + 2 * domain).ok(),
        _ => None,
    }
}

/// The number that an addend stands for.
fn added(addend: u32, domain: u32) -> i64 {
    match addend > domain {
        true => i64::from(addend) - 2 * i64::from(domain),
        false => i64::from(addend),
    }
}

impl RemoteKind {
    /// What popa would leave at the source, if that is a mistake: the domain does not have it, and does not wrap.
    pub(crate) fn outside(self, old: u32, program: &Program) -> Option<i64> {
        let domain = program.domain;
        match self {
            Self::Atomic {
                operation: AtomicOperation::FetchAdd,
                operand,
                ..
            } if !program.wraps => Some(i64::from(old) + added(operand, domain))
                .filter(|sum| !(0..i64::from(domain)).contains(sum)),
            _ => None,
        }
    }

    /// What popa leaves at the source, if it writes there. No sum is outside of the domain as long as the
    /// happens-before relation has no cycle (`domain`); after that, it is reduced.
    pub(crate) fn leaves(self, old: u32, domain: u32) -> Option<u32> {
        match self {
            Self::Read | Self::Write => None,
            Self::Atomic {
                operation,
                operand,
                expected,
            } => Some(match operation {
                AtomicOperation::FetchAdd => {
                    ((u64::from(old) + u64::from(operand)) % u64::from(domain)) as u32
                }
                AtomicOperation::Swap => operand,
                AtomicOperation::CompareSwap => {
                    if Some(old) == expected {
                        operand
                    } else {
                        old
                    }
                }
            }),
        }
    }
}

/// Whether a load of a process is possible where it reads a value: whether the value is what it waits for.
pub(crate) fn ends_poll(
    program: &Program,
    rank: usize,
    command: &Command,
    register: &impl Fn(Register) -> u32,
    value: u32,
) -> bool {
    match command {
        Command::Load {
            into,
            until: Some(until),
            ..
        } => {
            let register = |other: Register| if other == *into { value } else { register(other) };
            // An expression that has no value is none to wait for.
            until
                .value(rank as u32, program.ranks, &register)
                .is_ok_and(|ends| ends != 0)
        }
        _ => true,
    }
}

/// The command for a process whose registers `register` gives.
///
/// # Errors
/// What cannot be evaluated, values that the domain does not have, and ranks, addresses and queues that are not there;
/// of several, that of a value.
pub(crate) fn issue(
    program: &Program,
    rank: usize,
    command: &Command,
    register: &impl Fn(Register) -> u32,
) -> Result<Issued, Undefined> {
    let number = |expression: &Expression| expression.value(rank as u32, program.ranks, register);
    let index = |expression: &Expression, count: usize| {
        usize::try_from(number(expression)?)
            .ok()
            .filter(|&index| index < count)
            .ok_or(Undefined::OutOfRange)
    };
    let value = |expression: &Expression| {
        let value = number(expression)?;
        let known = u32::try_from(value).ok().filter(|&value| value < program.domain);
        known.ok_or(Undefined::OutsideDomain(value))
    };
    let (cells, ranks, queues) = (program.cells.len(), program.ranks as usize, program.queues.len());
    let handle = |handle: &Option<Expression>| {
        handle
            .as_ref()
            .map(|handle| index(handle, program.handles.len()))
            .transpose()
    };
    Ok(match command {
        Command::Load { into, address, .. } => Issued::Load {
            into: into.0,
            cell: index(address, cells)?,
        },
        Command::Store {
            address,
            value: stored,
        } => Issued::Store {
            value: value(stored)?,
            cell: index(address, cells)?,
        },
        Command::Assign {
            into,
            value: assigned,
        } => Issued::Assign {
            into: into.0,
            value: value(assigned)?,
        },
        Command::Assume { condition, .. } => {
            if number(condition)? == 0 {
                Issued::Stuck
            } else {
                Issued::Assume
            }
        }
        Command::Transfer(transfer) => {
            let target = index(&transfer.rank, ranks)?;
            let local = (rank, index(&transfer.local, cells)?);
            let remote = (target, index(&transfer.remote, cells)?);
            let (kind, source, destination) = match transfer.direction {
                Direction::Read => (RemoteKind::Read, remote, local),
                Direction::Write => (RemoteKind::Write, local, remote),
            };
            Issued::Remote(Remote {
                kind,
                source,
                destination: Some(destination),
                target,
                queue: index(&transfer.queue, queues)?,
                handle: handle(&transfer.handle)?,
                after_earlier: transfer.after_earlier,
            })
        }
        Command::Atomic(atomic) => {
            let operand = match atomic.operation {
                AtomicOperation::FetchAdd => {
                    let number = number(&atomic.operand)?;
                    addend(number, program.domain).ok_or(Undefined::OutsideDomain(number))?
                }
                AtomicOperation::Swap | AtomicOperation::CompareSwap => value(&atomic.operand)?,
            };
            let expected = atomic.expected.as_ref().map(value).transpose()?;
            let target = index(&atomic.rank, ranks)?;
            let local = atomic
                .local
                .as_ref()
                .map(|local| index(local, cells))
                .transpose()?;
            Issued::Remote(Remote {
                kind: RemoteKind::Atomic {
                    operation: atomic.operation,
                    operand,
                    expected,
                },
                source: (target, index(&atomic.remote, cells)?),
                destination: local.map(|cell| (rank, cell)),
                target,
                queue: index(&atomic.queue, queues)?,
                handle: handle(&atomic.handle)?,
                after_earlier: false,
            })
        }
        Command::Barrier => Issued::Barrier,
        Command::Wait {
            queues: waited,
            handles,
            completion,
        } => Issued::Wait {
            queues: waited
                .iter()
                .map(|queue| index(queue, queues))
                .collect::<Result<_, _>>()?,
            handles: handles
                .iter()
                .map(|handle| index(handle, program.handles.len()))
                .collect::<Result<_, _>>()?,
            completion: *completion,
        },
        Command::Fence { queue, rank } => Issued::Fence {
            queue: index(queue, queues)?,
            target: rank.as_ref().map(|rank| index(rank, ranks)).transpose()?,
        },
    })
}
