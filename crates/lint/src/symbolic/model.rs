//! The answers of a solver's model.

use super::answers::Answers;
use super::input::{Input, List};
use rustc_hash::FxHashMap as HashMap;

/// The variables of a question, by place: numbers `n0`, which word each text is (`w0`; 0: its number), lengths `c0`.
pub(super) struct Variables<'q> {
    inputs: &'q [Input],
    lists: &'q [List],
    words: &'q [String],
}

impl<'q> Variables<'q> {
    /// Those of these inputs and lists; texts may be these words.
    pub(super) fn of(inputs: &'q [Input], lists: &'q [List], words: &'q [String]) -> Self {
        Self { inputs, lists, words }
    }
}

/// Answers that are these but for what a model says of some variables: `((n0 #x000000000000000a) (w0 #x0...))`; none if
/// it says nothing.
pub(super) fn answers(before: &Answers, variables: &Variables<'_>, model: &str) -> Option<Answers> {
    let values = values(model);
    let mut answers = before.clone();
    for (nth, list) in variables.lists.iter().enumerate() {
        answers.set_length(list, *values.get(format!("c{nth}").as_str())? as usize);
    }
    for (nth, input) in variables.inputs.iter().enumerate() {
        let word = *values.get(format!("w{nth}").as_str())? as usize;
        let number = *values.get(format!("n{nth}").as_str())? as i64;
        let text = match word.checked_sub(1).and_then(|word| variables.words.get(word)) {
            Some(word) => word.clone(),
            None => number.to_string(),
        };
        answers.set_text(input, text);
    }
    Some(answers)
}

/// The values of the variables.
fn values(model: &str) -> HashMap<&str, u64> {
    let is_bound = |letter: char| letter == '(' || letter == ')' || letter.is_whitespace();
    let words: Vec<&str> = model.split(is_bound).filter(|word| !word.is_empty()).collect();
    let pairs = words.chunks_exact(2).filter_map(|pair| {
        let digits = pair[1].strip_prefix("#x")?;
        Some((pair[0], u64::from_str_radix(digits, 16).ok()?))
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_says_numbers_words_and_how_many_there_are() {
        let (inputs, words) = (
            [Input::Argument(2), Input::Variable("MODE".into())],
            ["late".into()],
        );
        let variables = Variables::of(&inputs, &[List::Arguments], &words);
        let model = "((n0 #x000000000000000a)\n (w0 #x0000000000000000)\n (n1 #x0000000000000000)\n \
                     (w1 #x0000000000000001) (c0 #x0000000000000002))";
        let found = answers(&Answers::default(), &variables, model).expect("a model");
        assert_eq!(found.arguments(), ["4", "10"]);
        assert_eq!(found.variable("MODE"), Some("late"));
        assert_eq!(answers(&Answers::default(), &variables, "unsat"), None);
    }
}
