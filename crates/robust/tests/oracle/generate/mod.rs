//! Random programs: 2 to 4 processes, 1 to 3 cells, values below 2 or 3, queues of all orders.
//!
//! Three of ten have the same code for all processes. Of the others, three of seven start from a known shape (a message
//! with a flag, store buffering, a round of exchange) whose synchronisation is drawn, so that many programs are robust
//! for a reason that one change takes away; the rest is drawn freely.

mod commands;
mod shapes;

use crate::automaton::Code;
use crate::random::Random;
use commands::condition;
use farside_pgas::ast::{BinaryOperator, Order};
use farside_pgas::calculus::{Automaton, Command, Expression, Program, Queue};

/// A program and how far to explore it.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub(crate) program: Program,
    /// Most open operations of a process; nothing if it has no loop around an operation.
    pub(crate) bound: Option<usize>,
}

/// The program of a seed.
pub(crate) fn generate(seed: u64) -> Drawn {
    let mut random = Random::new(seed);
    let same = random.chance(30);
    let ranks = match same {
        true => random.pick(&[2, 3, 3, 4]),
        false => random.pick(&[2, 2, 3]),
    };
    let cells = 1 + random.below(3);
    let domain = 2 + random.below(2) as u32;
    let mut queues = Vec::new();
    for group in 0..1 + random.below(2) {
        let order = random.pick(&[
            Order::Ordered,
            Order::PerTarget,
            Order::Unordered,
            Order::Unordered,
        ]);
        let count = if random.chance(20) { 2 } else { 1 };
        queues.extend((0..count).map(|index| Queue {
            name: format!("q{group}[{index}]"),
            order,
        }));
    }
    let registers = 1 + random.below(2);
    let handles = random.below(3);
    let value = |random: &mut Random| {
        if random.chance(50) {
            0
        } else {
            random.below(domain as usize) as u32
        }
    };
    let mut first_cells: Vec<Vec<u32>> = (0..ranks)
        .map(|_| (0..cells).map(|_| value(&mut random)).collect())
        .collect();
    if same && random.chance(70) {
        first_cells = vec![first_cells[0].clone(); ranks];
    }
    let mut program = Program {
        name: format!("random-{seed}"),
        ranks: ranks as u32,
        domain,
        wraps: false,
        registers: (0..registers).map(|index| format!("r{index}")).collect(),
        cells: (0..cells).map(|index| format!("m[{index}]")).collect(),
        queues,
        handles: (0..handles).map(|index| format!("h{index}")).collect(),
        first_registers: vec![vec![0; registers]; ranks],
        first_cells,
        codes: Vec::new(),
        code_of_rank: Vec::new(),
    };
    // Most are small, for what is wrong can mostly be seen in small ones.
    let more = random.pick(&[0, 0, 0, 1, 2]);
    let mut writer = Writer {
        random: &mut random,
        program: &program,
        same,
        operations: match (same, ranks) {
            (false, 2) => 5 + more,
            (false, _) => 4 + more,
            (true, 2) => 3 + more,
            (true, 3) => 2 + more,
            (true, _) => 1 + more / 2,
        },
        looped: false,
        barriers: 0,
        waits: 0,
    };
    writer.barriers = writer.random.pick(&[2, 6, 25]);
    writer.waits = writer.random.pick(&[0, 15, 35]);
    let codes = writer.codes();
    let looped = writer.looped;
    let bound = looped.then(|| 1 + random.below(if ranks == 2 { 3 } else { 2 }));
    for code in codes {
        let known = program.codes.iter().position(|known| *known == code);
        program.code_of_rank.push(known.unwrap_or(program.codes.len()));
        if known.is_none() {
            program.codes.push(code);
        }
    }
    Drawn { program, bound }
}

struct Writer<'r> {
    random: &'r mut Random,
    program: &'r Program,
    /// All processes run the same code.
    same: bool,
    /// How many more to write.
    operations: usize,
    /// There is an operation in a loop.
    looped: bool,
    /// Of a hundred pieces, how many are barriers.
    barriers: usize,
    /// Of a hundred others, how many are waits and fences, besides the usual ones.
    waits: usize,
}

impl Writer<'_> {
    fn codes(&mut self) -> Vec<Automaton> {
        let ranks = self.program.ranks as usize;
        if self.same {
            let mut code = match self.random.below(5) {
                0 => self.exchange().swap_remove(0),
                1 if self.program.domain >= self.program.ranks => self.names(),
                _ => Code::default(),
            };
            for _ in 0..2 + self.random.below(6 - ranks) {
                self.piece(0, std::slice::from_mut(&mut code));
            }
            return vec![code.finish(); ranks];
        }
        let mut codes = match self.random.below(7) {
            0 => self.message(),
            1 => self.buffering(),
            2 => self.exchange(),
            _ => vec![Code::default(); ranks],
        };
        for _ in 0..2 * ranks + self.random.below(4 + self.operations / 2) {
            let rank = self.random.below(ranks);
            let short = codes[rank].at < 7;
            if short && (self.operations > 0 || self.random.chance(50)) {
                self.piece(rank, &mut codes);
            }
        }
        codes.into_iter().map(Code::finish).collect()
    }

    /// Something at the end of a code; a barrier is for all.
    fn piece(&mut self, rank: usize, codes: &mut [Code]) {
        if self.random.chance(self.barriers) {
            // Now and then any number of them, with something of each process in between.
            let turns = self.random.chance(15);
            for code in codes {
                if turns {
                    let start = code.at;
                    let command = self.plain();
                    code.step(command);
                    code.step_to(Command::Barrier, start);
                } else {
                    code.step(Command::Barrier);
                }
            }
            return;
        }
        let code = &mut codes[rank];
        if self.random.chance(self.waits) {
            let command = self.synchronise(rank);
            code.step(command);
            return;
        }
        match self.random.below(100) {
            0..30 if self.operations > 0 => {
                let command = self.transfer(rank);
                code.step(command);
            }
            30..42 if self.operations > 0 => {
                let command = self.atomic(rank);
                code.step(command);
            }
            42..46 if self.operations > 0 => self.looping(rank, code),
            46..62 => {
                let command = self.load();
                code.step(command);
            }
            62..72 => {
                let command = self.store();
                code.step(command);
            }
            72..88 => {
                let command = self.synchronise(rank);
                code.step(command);
            }
            88..92 => {
                let (load, assume) = (self.load(), self.assume());
                code.step(load);
                code.step(assume);
            }
            92..94 => self.spin(code),
            94..95 => self.branch(rank, code),
            95..98 => {
                // Polls until the value is there: as loads like others, or as one that waits for it.
                let (start, load) = (code.at, self.load());
                let Command::Load {
                    into, ref address, ..
                } = load
                else {
                    return;
                };
                let wanted = i64::from(self.random.chance(70));
                if self.random.chance(60) {
                    code.step(commands::awaiting(into, address.clone(), wanted));
                    return;
                }
                code.step(load);
                let read = code.at;
                let seen = Expression::Register(into);
                code.step_to(condition(BinaryOperator::NotEqual, seen.clone(), wanted), start);
                code.at = read;
                code.step(condition(BinaryOperator::Equal, seen, wanted));
            }
            _ => {
                let command = self.assign();
                code.step(command);
            }
        }
    }

    /// Any number of turns.
    fn looping(&mut self, rank: usize, code: &mut Code) {
        self.looped = true;
        let start = code.at;
        let first = self.operation(rank);
        match self.random.below(3) {
            0 => code.step_to(first, start),
            1 => {
                code.step(first);
                let second = self.synchronise(rank);
                code.step_to(second, start);
            }
            _ => {
                let load = self.load();
                code.step(load);
                code.step_to(first, start);
            }
        }
    }

    /// Any number of turns without an operation; others must go on all the same.
    fn spin(&mut self, code: &mut Code) {
        let start = code.at;
        let command = self.plain();
        if self.random.chance(50) {
            code.step(command);
            let second = self.plain();
            code.step_to(second, start);
        } else {
            code.step_to(command, start);
        }
    }

    /// One way or the other, and on from the same state.
    fn branch(&mut self, rank: usize, code: &mut Code) {
        let what = if self.same && self.random.chance(60) {
            Expression::Me
        } else {
            Expression::Register(self.register())
        };
        let start = code.at;
        code.step(condition(BinaryOperator::Equal, what.clone(), 0));
        let command = match self.operations {
            0 => self.store(),
            _ => self.operation(rank),
        };
        code.step(command);
        let join = code.at;
        code.at = start;
        code.step_to(condition(BinaryOperator::NotEqual, what, 0), join);
    }
}
