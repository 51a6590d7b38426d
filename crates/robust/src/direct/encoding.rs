//! States as bytes and back: short numbers in one byte, longer ones in more (LEB128).

use super::causes::{Accesses, Causes};
use super::operation::{Operation, Request, Stage};
use super::set::Set;
use super::state::State;
use farside_pgas::ast::AtomicOperation;
use farside_pgas::calculus::Program;

/// Appends a state; different states give different bytes.
pub(super) fn encode(state: &State, bytes: &mut Vec<u8>) {
    let control = state.control.iter().map(|&number| number as u128);
    let memory = state
        .registers
        .iter()
        .chain(&state.memory)
        .map(|&value| u128::from(value));
    for number in control.chain(memory) {
        put(bytes, number);
    }
    put(bytes, state.open.len() as u128);
    for operation in &state.open {
        put_operation(bytes, operation);
    }
    let causes = &state.causes;
    for set in causes.operations.iter().chain(&causes.processes) {
        put(bytes, set.0);
    }
    for cell in &causes.cells {
        for set in [cell.writer, cell.of_writer, cell.readers, cell.of_readers] {
            put(bytes, set.0);
        }
    }
}

/// The state of these bytes, which [`encode`] made for the same program.
pub(super) fn decode(program: &Program, bytes: &[u8]) -> State {
    let mut bytes = Bytes(bytes);
    let ranks = program.ranks as usize;
    let cells = ranks * program.cells.len();
    let control = (0..ranks).map(|_| bytes.index()).collect();
    let registers = (0..ranks * program.registers.len())
        .map(|_| bytes.value())
        .collect();
    let memory = (0..cells).map(|_| bytes.value()).collect();
    let open: Vec<Operation> = (0..bytes.index()).map(|_| operation(&mut bytes)).collect();
    let operations = (0..open.len()).map(|_| bytes.set()).collect();
    let processes = (0..ranks).map(|_| bytes.set()).collect();
    let cells = (0..cells)
        .map(|_| Accesses {
            writer: bytes.set(),
            of_writer: bytes.set(),
            readers: bytes.set(),
            of_readers: bytes.set(),
        })
        .collect();
    State {
        control,
        registers,
        memory,
        open,
        causes: Causes {
            operations,
            processes,
            cells,
        },
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u128) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn put_option(bytes: &mut Vec<u8>, number: Option<usize>) {
    put(bytes, number.map_or(0, |number| number as u128 + 1));
}

fn put_operation(bytes: &mut Vec<u8>, operation: &Operation) {
    put(bytes, operation.rank as u128);
    put(bytes, operation.queue as u128);
    put(bytes, operation.target as u128);
    put_option(bytes, operation.handle);
    put(bytes, operation.after.0);
    put(
        bytes,
        u128::from(operation.fenced) << 1 | u128::from(operation.writes_target),
    );
    match &operation.stage {
        Stage::Waiting => put(bytes, 5),
        Stage::Delivering(destination, value) => {
            put(bytes, 0);
            put(bytes, *destination as u128);
            put(bytes, u128::from(*value));
        }
        Stage::Requested(Request::Copy { source, destination }) => {
            put(bytes, 1);
            put(bytes, *source as u128);
            put(bytes, *destination as u128);
        }
        Stage::Requested(Request::Atomic {
            at,
            operation,
            operand,
            expected,
            result,
        }) => {
            put(
                bytes,
                match operation {
                    AtomicOperation::FetchAdd => 2,
                    AtomicOperation::Swap => 3,
                    AtomicOperation::CompareSwap => 4,
                },
            );
            put(bytes, *at as u128);
            put(bytes, u128::from(*operand));
            put(
                bytes,
                expected.map_or(0, |expected| u128::from(expected as u64) + 1),
            );
            put_option(bytes, *result);
        }
    }
}

struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn number(&mut self) -> u128 {
        let (mut number, mut shift) = (0, 0);
        while let Some((&byte, rest)) = self.0.split_first() {
            self.0 = rest;
            number |= u128::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        number
    }

    fn index(&mut self) -> usize {
        self.number() as usize
    }

    fn value(&mut self) -> u32 {
        self.number() as u32
    }

    fn set(&mut self) -> Set {
        Set(self.number())
    }

    fn option(&mut self) -> Option<usize> {
        self.index().checked_sub(1)
    }
}

fn operation(bytes: &mut Bytes<'_>) -> Operation {
    let (rank, queue, target) = (bytes.index(), bytes.index(), bytes.index());
    let (handle, after, flags) = (bytes.option(), bytes.set(), bytes.index());
    let stage = match bytes.index() {
        0 => Stage::Delivering(bytes.index(), bytes.value()),
        1 => Stage::Requested(Request::Copy {
            source: bytes.index(),
            destination: bytes.index(),
        }),
        5 => Stage::Waiting,
        atomic => Stage::Requested(Request::Atomic {
            at: bytes.index(),
            operation: match atomic {
                2 => AtomicOperation::FetchAdd,
                3 => AtomicOperation::Swap,
                _ => AtomicOperation::CompareSwap,
            },
            operand: bytes.value(),
            expected: bytes.option().map(|expected| expected as u32),
            result: bytes.option(),
        }),
    };
    Operation {
        rank,
        queue,
        target,
        handle,
        writes_target: flags & 1 == 1,
        after,
        fenced: flags & 2 == 2,
        stage,
    }
}
