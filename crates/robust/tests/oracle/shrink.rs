//! Smaller programs with the same fault.

use crate::automaton::without;
use crate::generate::Drawn;
use farside_pgas::ast::{Completion, Order};
use farside_pgas::calculus::{Command, Expression};

/// Makes a program smaller as long as the property holds.
pub(crate) fn shrink(mut drawn: Drawn, holds: &dyn Fn(&Drawn) -> bool) -> Drawn {
    while let Some(smaller) = smaller(&drawn).into_iter().find(holds) {
        drawn = smaller;
    }
    drawn
}

/// Programs with one thing less.
fn smaller(drawn: &Drawn) -> Vec<Drawn> {
    let mut found = Vec::new();
    let program = &drawn.program;
    // A barrier of each process at once, or one would wait for ever.
    for count in 0..2 {
        let mut fewer = drawn.clone();
        let mut gone = 0;
        for code in &mut fewer.program.codes {
            let barriers = code.transitions.iter().enumerate();
            let mut barriers = barriers.filter(|(_, known)| known.command == Command::Barrier);
            if let Some((index, _)) = barriers.nth(count) {
                gone += 1;
                *code = without(code, index, true);
            }
        }
        if gone > 0 {
            found.push(fewer);
        }
    }
    for (code, automaton) in program.codes.iter().enumerate() {
        for (index, transition) in automaton.transitions.iter().enumerate() {
            for joined in [false, true] {
                let mut fewer = drawn.clone();
                fewer.program.codes[code] = without(automaton, index, joined);
                found.push(fewer);
            }
            for command in simpler(&transition.command) {
                let mut fewer = drawn.clone();
                fewer.program.codes[code].transitions[index].command = command;
                found.push(fewer);
            }
        }
    }
    for queue in 0..program.queues.len() {
        if program.queues[queue].order != Order::Ordered {
            let mut fewer = drawn.clone();
            fewer.program.queues[queue].order = Order::Ordered;
            found.push(fewer);
        }
    }
    for rank in 0..program.ranks as usize {
        for cell in 0..program.cells.len() {
            if program.first_cells[rank][cell] != 0 {
                let mut fewer = drawn.clone();
                fewer.program.first_cells[rank][cell] = 0;
                found.push(fewer);
            }
        }
    }
    found
}

fn simpler(command: &Command) -> Vec<Command> {
    let mut found = Vec::new();
    let zero = Expression::Constant(0);
    match command {
        Command::Transfer(transfer) => {
            if transfer.handle.is_some() {
                let mut simple = transfer.clone();
                simple.handle = None;
                found.push(Command::Transfer(simple));
            }
            if transfer.after_earlier {
                let mut simple = transfer.clone();
                simple.after_earlier = false;
                found.push(Command::Transfer(simple));
            }
        }
        Command::Atomic(atomic) => {
            if atomic.handle.is_some() {
                let mut simple = atomic.clone();
                simple.handle = None;
                found.push(Command::Atomic(simple));
            }
            if atomic.local.is_some() {
                let mut simple = atomic.clone();
                simple.local = None;
                found.push(Command::Atomic(simple));
            }
        }
        Command::Wait {
            queues,
            handles,
            completion: Completion::Local,
        } => found.push(Command::Wait {
            queues: queues.clone(),
            handles: handles.clone(),
            completion: Completion::Full,
        }),
        Command::Store { address, value } if *value != zero => found.push(Command::Store {
            address: address.clone(),
            value: zero,
        }),
        _ => {}
    }
    found
}
