//! What each of the next rounds does: steps are guessed from one round, and proved.

use super::{Before, Carried, Circle, Round, follow};
use crate::execute::rounds::line::Line;
use crate::stacks::Stacks;

/// What each of the next rounds of a loop does, if lines say that; and how many instructions it took to know.
pub(in crate::execute::rounds) fn proved(
    before: Before,
    stacks: &mut Stacks,
    circle: Circle,
) -> (Option<Round>, u64) {
    let mut length = 0;
    let mut once = |carried: &Carried| {
        let round = follow(before, stacks, circle, carried);
        length += round.as_ref().map_or(0, |round| round.length);
        round
    };
    let round = once(&Carried::default()).and_then(|first| {
        let mut carried = guess(before, &first);
        // Each time, one guess less is left.
        for _ in 0..=first.registers.len() + first.cells.len() {
            let round = once(&carried)?;
            if !refuted(&mut carried, &round, before.depth()) {
                return Some(round);
            }
        }
        None
    });
    (round, length)
}

/// The steps of what goes from round to round, as the first one shows them.
fn guess(before: Before, first: &Round) -> Carried {
    let depth = before.depth();
    let through =
        |start: Option<Line>, end: Option<Line>| start.zip(end).and_then(|(a, b)| Line::through(a, b, depth));
    let mut carried = Carried::default();
    for register in &first.carried {
        if let Some(end) = first.registers.get(register) {
            let line = through(before.register(*register), *end);
            carried.registers.insert(*register, line);
        }
    }
    for (address, cell) in first.cells.iter().filter(|(_, cell)| cell.is_written) {
        let start = before.cell(*address, cell.size).flatten();
        carried.cells.insert(*address, through(start, cell.value));
    }
    carried
}

/// Whether some value is not carried on as it was guessed; it is no line then.
fn refuted(carried: &mut Carried, round: &Round, depth: usize) -> bool {
    let mut wrong = false;
    let is_wrong = |guess: &mut Option<Line>, end: Option<Line>| {
        let wrong = guess.is_some_and(|line| !end.is_some_and(|end| line.goes_on(end, depth)));
        if wrong {
            *guess = None;
        }
        wrong
    };
    for (register, guess) in &mut carried.registers {
        if let Some(end) = round.registers.get(register) {
            wrong |= is_wrong(guess, *end);
        }
    }
    for (address, guess) in &mut carried.cells {
        // Where there is no cell, it is not the same variable in each round, after all.
        let end = round.cells.get(address).and_then(|cell| cell.value);
        wrong |= is_wrong(guess, end);
    }
    wrong
}
