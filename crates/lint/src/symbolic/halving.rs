//! Answers that are numbers, found by halving what they may be: of most that is asked after [trying those that are
//! near](super::nearby), a few ranges show that there are none, or where one is.

use super::answers::{Answer, Answers};
use super::input::Input;
use super::range::Range;
use super::steps::Steps;

/// Steps that are computed for one question.
const STEPS: usize = 1 << 16;
/// More numbers at once are left to the solver.
const NUMBERS: usize = 3;

/// What each number may be; those that are nearest to zero are looked at first.
#[derive(Clone)]
struct Part(Vec<(i64, i64)>);

/// Looks among all numbers for the texts that are numbers, and leaves all else as it is. Excluded: it cannot be by any
/// numbers or words; unknown: ask the solver.
pub(super) fn search(steps: &mut Steps<'_>, answers: &Answers) -> Answer {
    let inputs: Vec<Input> = steps.numbers().into_iter().cloned().collect();
    let are_there = inputs.iter().all(|input| answers.has(input));
    // What a list is long, or a text is for a word, may be otherwise, too.
    let only_numbers = steps.lists().is_empty() && !steps.has_words();
    if inputs.is_empty() || inputs.len() > NUMBERS || !are_there || !only_numbers {
        return Answer::Unknown;
    }
    let begin = steps.computed();
    let (below, above) = ((i64::from(i32::MIN), -1), (0, i64::from(i32::MAX)));
    let mut open = vec![Part(Vec::new())];
    for _ in &inputs {
        let with = |part: &Part, range| Part([&part.0[..], &[range]].concat());
        open = open
            .iter()
            .flat_map(|part| [with(part, below), with(part, above)])
            .collect();
    }
    while let Some(part) = open.pop() {
        if steps.computed() - begin > STEPS {
            return Answer::Unknown;
        }
        let range = |input: &Input| {
            let nth = inputs.iter().position(|known| known == input);
            nth.map(|nth| Range::between(part.0[nth].0, part.0[nth].1))
        };
        match steps.hold_within(&range, answers) {
            Some(false) => {}
            None if part.0.iter().any(|(least, largest)| least < largest) => open.extend(part.halves()),
            // By all numbers of the part, or there is one of each.
            _ => {
                let mut found = answers.clone();
                for (input, ends) in inputs.iter().zip(&part.0) {
                    found.set_text(input, nearest(*ends).to_string());
                }
                if steps.hold(&found) {
                    return Answer::Found(found);
                }
            }
        }
    }
    Answer::Excluded
}

impl Part {
    /// Both halves of the widest range; the one that is nearer to zero is the last.
    fn halves(&self) -> [Self; 2] {
        let widths = self.0.iter().map(|(least, largest)| largest - least);
        let widest = widths.enumerate().max_by_key(|(_, width)| *width);
        let nth = widest.map_or(0, |(nth, _)| nth);
        let (least, largest) = self.0[nth];
        let middle = least + (largest - least) / 2;
        let with = |range| {
            let mut part = self.clone();
            part.0[nth] = range;
            part
        };
        let (low, high) = (with((least, middle)), with((middle + 1, largest)));
        if least >= 0 { [high, low] } else { [low, high] }
    }
}

/// The number of a range that is nearest to zero.
fn nearest((least, largest): (i64, i64)) -> i64 {
    if least >= 0 { least } else { largest }
}
