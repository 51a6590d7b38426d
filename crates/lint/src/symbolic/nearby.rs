//! Answers near those at hand, found by trying: most questions have one of a few small numbers, or none.

use super::answers::{Answer, Answers};
use super::input::{Input, List};
use super::steps::Steps;

/// Numbers that are tried; of most that may be none, less than one of something is done by nobody.
const NUMBERS: std::ops::RangeInclusive<i64> = 0..=64;
/// Steps that are computed for one question.
const STEPS: usize = 1 << 21;

/// Tries all numbers up to 64 for the texts that are numbers, and lists that are as long as now or shorter; the words
/// stay as they are. Excluded: by no such answers; unknown: not all were tried.
pub(super) fn search(steps: &mut Steps<'_>, answers: &Answers) -> Answer {
    let numbers: Vec<Input> = steps.numbers().into_iter().cloned().collect();
    let varied: Vec<Input> = numbers
        .into_iter()
        .filter(|input| answers.text(input).trim().parse::<i64>().is_ok())
        .collect();
    let lists: Vec<List> = steps.lists().into_iter().cloned().collect();
    if varied.len() > 2 || lists.len() > 1 {
        return Answer::Unknown;
    }
    let lengths = match lists.first().and_then(|list| Some((list, answers.length(list)?))) {
        Some((list, length)) => (0..=length)
            .rev()
            .map(|length| shortened(answers, list, length))
            .collect(),
        None if lists.is_empty() => vec![answers.clone()],
        None => return Answer::Unknown,
    };
    for answers in lengths {
        let mut tried = vec![answers];
        for input in &varied {
            let with = |number: i64, answers: &Answers| {
                let mut other = answers.clone();
                // A text that is not there any more stays away.
                if answers.has(input) {
                    other.set_text(input, number.to_string());
                }
                other
            };
            let numbers = NUMBERS.skip(1).chain([*NUMBERS.start()]);
            let numbers: Vec<i64> = numbers.collect();
            tried = tried
                .iter()
                .flat_map(|answers| {
                    numbers
                        .iter()
                        .map(|number| with(*number, answers))
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        for answers in tried {
            if steps.hold(&answers) {
                return Answer::Found(answers);
            }
            if steps.computed() > STEPS {
                return Answer::Unknown;
            }
        }
    }
    Answer::Excluded
}

fn shortened(answers: &Answers, list: &List, length: usize) -> Answers {
    let mut shorter = answers.clone();
    if answers.length(list) != Some(length) {
        shorter.set_length(list, length);
    }
    shorter
}
