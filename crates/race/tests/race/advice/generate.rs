//! Random programs of several rounds without a race, and changes that take one synchronisation from them.

use super::program::{Around, Cell, Program, What};
use super::run::Choices;

/// How a program synchronises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Flushes of one target, and barriers.
    Flush,
    /// Flushes of all targets, and barriers.
    FlushAll,
    /// Puts with requests, flushes, and barriers.
    Requests,
    /// Each operation under a lock of its own, and barriers.
    Locks,
    /// Fences.
    Fence,
    /// Loads and stores of a shared window, `MPI_Win_sync`, and barriers.
    Shared,
    /// A producer, a consumer, and messages both ways.
    Producer,
    /// Two ranks that put in turns, and messages.
    PingPong,
    /// Post, start, complete, wait.
    Pscw,
}

pub(crate) const FORMS: [Form; 9] = [
    Form::Flush,
    Form::FlushAll,
    Form::Requests,
    Form::Locks,
    Form::Fence,
    Form::Shared,
    Form::Producer,
    Form::PingPong,
    Form::Pscw,
];

/// A correct program, and the same with less synchronisation; `None` if the change leaves nothing to look at.
pub(crate) fn program(form: Form, choices: &mut Choices) -> Option<(Program, Program)> {
    match form {
        Form::Producer | Form::PingPong => messages(form, choices),
        Form::Pscw => post_and_start(choices),
        _ => phases(form, choices),
    }
}

/// Phases of accesses that do not meet, each ended by what orders all of them.
fn phases(form: Form, choices: &mut Choices) -> Option<(Program, Program)> {
    let ranks = 2 + choices.below(2) as u32;
    let turns = 1 + choices.below(2) as u64;
    let mut body = Vec::new();
    let mut waiting: Vec<What> = Vec::new();
    for _ in 0..1 + choices.below(3) {
        // Cells and whether they are written.
        let mut touched: Vec<(u32, u64, bool)> = Vec::new();
        let mut ends = std::mem::take(&mut waiting);
        for _ in 0..1 + choices.below(4) {
            let rank = choices.below(ranks as usize) as u32;
            let cell = Cell {
                owner: choices.below(ranks as usize) as u32,
                number: choices.below(2) as u64,
                turns,
            };
            let writes = choices.below(2) == 0;
            let meets = |(owner, number, written): &(u32, u64, bool)| {
                (*owner, *number) == (cell.owner, cell.number) && (writes || *written)
            };
            if touched.iter().any(meets) {
                continue;
            }
            touched.push((cell.owner, cell.number, writes));
            access(form, rank, cell, writes, choices, &mut body, &mut ends);
        }
        body.append(&mut ends);
        match form {
            Form::Fence => {
                body.push(What::Fence { noprecede: false });
                // Buffers are free again in the next epoch.
                for (index, what) in body.iter().enumerate() {
                    let of = 10 * (index as u32 + 1);
                    if let What::Put { rank, .. } = *what
                        && choices.below(3) == 0
                    {
                        waiting.push(What::StoreBuffer { rank, of });
                    }
                }
            }
            _ => body.push(What::Barrier),
        }
    }
    let around = match form {
        Form::Fence => Around::Fence,
        Form::Locks => Around::Nothing,
        _ => Around::LockAll,
    };
    let mut program = Program::new(ranks, 2 + choices.below(2) as u64, around, &body);
    program.shared = form == Form::Shared;
    let broken = broken(&program, choices)?;
    Some((program, broken))
}

/// An access, and what completes it.
fn access(
    form: Form,
    rank: u32,
    cell: Cell,
    writes: bool,
    choices: &mut Choices,
    body: &mut Vec<What>,
    ends: &mut Vec<What>,
) {
    let target = cell.owner;
    if target == rank || form == Form::Shared {
        body.push(if writes {
            What::Store { rank, cell }
        } else {
            What::Load { rank, cell }
        });
        if form == Form::Shared {
            ends.push(What::Sync { rank });
        }
        return;
    }
    if form == Form::Locks {
        body.push(What::Lock { rank, target });
    }
    let request = form == Form::Requests;
    let of = 10 * (body.len() as u32 + 1);
    body.push(if writes {
        What::Put {
            rank,
            to: cell,
            request,
        }
    } else {
        What::Get { rank, from: cell }
    });
    // The buffer is used again, at once.
    if form != Form::Fence && choices.below(3) == 0 {
        body.push(if writes && request {
            What::WaitRequests { rank }
        } else {
            What::Flush {
                rank,
                target,
                local: true,
            }
        });
        body.push(if writes {
            What::StoreBuffer { rank, of }
        } else {
            What::LoadBuffer { rank, of }
        });
    }
    if request && writes && !ends.contains(&What::WaitRequests { rank }) {
        ends.push(What::WaitRequests { rank });
    }
    let flush = match form {
        Form::Locks => Some(What::Unlock { rank, target }),
        Form::Flush | Form::Requests => Some(What::Flush {
            rank,
            target,
            local: false,
        }),
        Form::FlushAll => Some(What::FlushAll { rank, local: false }),
        _ => None,
    };
    match flush {
        Some(flush) if form == Form::Locks || choices.below(2) == 0 => body.push(flush),
        Some(flush) if !ends.contains(&flush) => ends.push(flush),
        _ => {}
    }
}

/// Takes out or weakens one synchronisation.
fn broken(program: &Program, choices: &mut Choices) -> Option<Program> {
    let candidates: Vec<usize> = (0..program.body.len())
        .filter(|&index| {
            let what = program.body[index].what;
            what.synchronises()
                && !matches!(what, What::Sync { .. } | What::Lock { .. } | What::Unlock { .. })
        })
        .collect();
    let index = *candidates.get(choices.below(candidates.len().max(1)))?;
    let mut broken = program.clone();
    let weaker = match program.body[index].what {
        What::Flush {
            rank,
            target,
            local: false,
        } => Some(What::Flush {
            rank,
            target,
            local: true,
        }),
        What::FlushAll { rank, local: false } => Some(What::FlushAll { rank, local: true }),
        What::Fence { noprecede: false } => Some(What::Fence { noprecede: true }),
        _ => None,
    };
    match weaker {
        Some(weaker) if choices.below(3) == 0 => broken.body[index].what = weaker,
        _ => {
            broken.body.remove(index);
        }
    }
    Some(broken)
}

fn messages(form: Form, choices: &mut Choices) -> Option<(Program, Program)> {
    let turns = 1 + choices.below(2) as u64;
    let cell = |owner| Cell {
        owner,
        number: 0,
        turns,
    };
    let put = |rank: u32| {
        let to = cell(1 - rank);
        let target = 1 - rank;
        [
            What::Put {
                rank,
                to,
                request: false,
            },
            What::Flush {
                rank,
                target,
                local: false,
            },
            What::Send {
                rank,
                to: target,
                number: rank,
            },
        ]
    };
    let receive = |rank: u32| What::Receive {
        rank,
        from: 1 - rank,
        number: 1 - rank,
        first_round: true,
    };
    let load = |rank: u32| What::Load {
        rank,
        cell: cell(rank),
    };
    let first = [put(0).as_slice(), &[receive(0)]].concat();
    let (first, second) = match form {
        Form::PingPong => {
            let first = [first, vec![load(0)]].concat();
            let second = [&[receive(1), load(1)], put(1).as_slice()].concat();
            (first, second)
        }
        _ => {
            let answer = What::Send {
                rank: 1,
                to: 0,
                number: 1,
            };
            (first, vec![receive(1), load(1), answer])
        }
    };
    // Two branches, either of them first.
    let body = if choices.below(2) == 0 {
        [first, second].concat()
    } else {
        [second, first].concat()
    };
    let rounds = 2 + choices.below(3) as u64;
    let program = Program::new(2, rounds, Around::LockAll, &body);
    let mut broken = program.clone();
    if choices.below(3) == 0 {
        broken
            .body
            .retain(|line| !matches!(line.what, What::Flush { rank: 0, .. }));
    } else {
        let taken = choices.below(2) as u32;
        broken.body.retain(|line| match line.what {
            What::Send { number, .. } | What::Receive { number, .. } => number != taken,
            _ => true,
        });
    }
    Some((program, broken))
}

fn post_and_start(choices: &mut Choices) -> Option<(Program, Program)> {
    let cell = Cell {
        owner: 1,
        number: 0,
        turns: 1 + choices.below(2) as u64,
    };
    let load = if choices.below(2) == 0 {
        What::Load { rank: 1, cell }
    } else {
        What::Store { rank: 1, cell }
    };
    let put = What::Put {
        rank: 0,
        to: cell,
        request: false,
    };
    let (start, complete) = (What::Start { rank: 0, to: 1 }, What::Complete { rank: 0 });
    let (post, wait) = (What::Post { rank: 1, to: 0 }, What::Wait { rank: 1 });
    let origin_first = choices.below(2) == 0;
    let of = if origin_first { 20 } else { 50 };
    let buffer = What::StoreBuffer { rank: 0, of };
    let text = |origin: [What; 4], target: [What; 3]| {
        if origin_first {
            [origin.as_slice(), &target].concat()
        } else {
            [target.as_slice(), &origin].concat()
        }
    };
    let rounds = 2 + choices.below(2) as u64;
    let program = |origin, target| Program::new(2, rounds, Around::Nothing, &text(origin, target));
    let right = program([start, put, complete, buffer], [post, wait, load]);
    let wrong = if choices.below(2) == 0 {
        program([start, put, complete, buffer], [post, load, wait])
    } else {
        program([start, put, buffer, complete], [post, wait, load])
    };
    Some((right, wrong))
}
