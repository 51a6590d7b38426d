//! Questions to a solver: with which answers do conditions go this way?

use super::answers::{Answer, Answers, MOST};
use super::asking::{Said, Verdict};
use super::halving;
use super::input::{Condition, Input, List};
use super::model::{self, Variables};
use super::nearby;
use super::slice::Slice;
use super::smt::{constant, low, operation, relation, shifted, wide};
use super::solver::Solver;
use super::steps::Steps;
use super::terms::{Part, Term, Terms};
use crate::ir::Arithmetic;
use crate::value::{NEGATED, Symbol, mask, signed};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::fmt::Write as _;

/// Terms of one question, at most, and how deep they are.
const TERMS: usize = 4096;
const DEEPEST: u32 = 256;
/// Conditions that the solver is told of at once.
const AT_ONCE: usize = 8;
/// Where answers are looked for first: small ones are what most programs are for.
const NEAREST: Bounds = Bounds::of((0, 64), true, 0);
/// Where they are looked for next, if there are some anywhere.
const NEAR: [Bounds; 3] = [
    Bounds::of((0, 64), true, 1),
    Bounds::of((0, 64), false, 1),
    Bounds::of((-(1 << 16), 1 << 16), false, 4),
];
/// Where answers may be at all.
const ANYWHERE: Bounds = Bounds::of((i32::MIN as i64, i32::MAX as i64), false, MOST);

/// Where answers are looked for.
#[derive(Clone, Copy)]
struct Bounds {
    /// The least number and the largest.
    numbers: (i64, i64),
    /// Whether words stay as they are.
    keeps_words: bool,
    /// How many texts more than now there may be in a list.
    more: usize,
}

impl Bounds {
    const fn of(numbers: (i64, i64), keeps_words: bool, more: usize) -> Self {
        Self {
            numbers,
            keeps_words,
            more,
        }
    }
}

/// Conditions on inputs, in the language of the solver.
pub(crate) struct Question<'t> {
    terms: &'t Terms,
    answers: &'t Answers,
    /// Conditions that are to hold, or not.
    given: Vec<(Symbol, bool)>,
    /// What the question is about; the rest stays as it is.
    slice: Slice,
    /// The condition in question, and those of the given ones that belong to it, by number, also as steps.
    conditions: Vec<(Symbol, bool)>,
    steps: Steps<'t>,
    /// Those that the solver is told of.
    told: HashSet<usize>,
    /// Definitions, in an order in which each needs only those before it.
    definitions: String,
    /// The names of what was defined, and what can not be said.
    defined: HashMap<Symbol, Option<String>>,
    inputs: Vec<Input>,
    lists: Vec<List>,
    words: Vec<String>,
    /// The conditions.
    asserted: String,
}

impl<'t> Question<'t> {
    /// None yet, about what a simulation of these answers computed.
    pub(crate) fn about(terms: &'t Terms, answers: &'t Answers) -> Self {
        Self {
            terms,
            answers,
            given: Vec::new(),
            slice: Slice::default(),
            conditions: Vec::new(),
            steps: Steps::of(terms, DEEPEST, TERMS),
            told: HashSet::default(),
            definitions: String::new(),
            defined: HashMap::default(),
            inputs: Vec::new(),
            lists: Vec::new(),
            words: Vec::new(),
            asserted: String::new(),
        }
    }

    /// A condition is to hold, or not.
    pub(crate) fn assert(&mut self, condition: Symbol, truth: bool) {
        self.given.push((condition, truth));
    }

    /// Looks for answers near those at hand by which all conditions that were asserted are so, and this one, too. A
    /// condition that cannot be said is left out; of this one, `None`.
    pub(crate) fn nearby(&mut self, condition: Symbol, truth: bool) -> Option<Answer> {
        let known = (self.terms, self.answers);
        let (slice, given) = Slice::of(known, &self.given, condition, DEEPEST);
        self.slice = slice;
        self.steps = Steps::of(self.terms, DEEPEST, TERMS);
        self.conditions.clear();
        for (symbol, truth) in [(condition, truth)].into_iter().chain(given) {
            if self.steps.want(symbol, truth) {
                self.conditions.push((symbol, truth));
            } else if symbol == condition {
                return None;
            }
        }
        Some(nearby::search(&mut self.steps, self.answers))
    }

    /// Looks for answers among all numbers, after [`Question::nearby`] has found none, or not tried all.
    pub(crate) fn anywhere(&mut self) -> Answer {
        halving::search(&mut self.steps, self.answers)
    }

    /// Asks the solver for answers, after [`Question::anywhere`] could not say.
    pub(crate) fn answer(mut self, (solver, said): (&mut dyn Solver, &mut Said), nearby: &Answer) -> Answer {
        self.asked((solver, said), nearby).unwrap_or(Answer::Unknown)
    }

    /// Likewise; `None`: the solver is gone.
    fn asked(&mut self, (solver, said): (&mut dyn Solver, &mut Said), nearby: &Answer) -> Option<Answer> {
        self.take(0)?;
        if let Answer::Unknown = nearby {
            let nearest = self.within((&mut *solver, &mut *said), NEAREST)?;
            if let Answer::Found(_) = nearest {
                return Some(nearest);
            }
        }
        // Most of what has no answer nearby has none at all.
        let anywhere = self.within((&mut *solver, &mut *said), ANYWHERE)?;
        if let Answer::Found(_) = anywhere {
            // Where there are only numbers, all that is as near as these was tried.
            let only_numbers = self.lists.is_empty() && self.words.is_empty();
            let tried = match (nearby, only_numbers) {
                (Answer::Excluded, true) => 2,
                _ => 0,
            };
            for bounds in NEAR.into_iter().skip(tried) {
                let near = self.within((&mut *solver, &mut *said), bounds)?;
                if let Answer::Found(_) = near {
                    return Some(near);
                }
            }
        }
        Some(anywhere)
    }

    /// Answers within these bounds. Most conditions hold by whatever answers the others leave, so that the solver is
    /// told of one only when it has found answers by which that one does not hold.
    fn within(&mut self, (solver, said): (&mut dyn Solver, &mut Said), bounds: Bounds) -> Option<Answer> {
        loop {
            let answers = match self.checked((&mut *solver, &mut *said), bounds)? {
                Answer::Found(answers) => answers,
                other => return Some(other),
            };
            let failing = self.steps.failing(&answers, AT_ONCE);
            let told = self.told.len();
            for nth in failing {
                self.take(nth);
            }
            if self.told.len() == told {
                return Some(Answer::Found(self.shortened(answers)));
            }
        }
    }

    /// The same answers with lists that are no longer than the conditions want.
    fn shortened(&mut self, mut answers: Answers) -> Answers {
        for list in &self.lists {
            while let Some(longest) = answers.length(list).and_then(|length| length.checked_sub(1)) {
                let mut shorter = answers.clone();
                shorter.set_length(list, longest);
                // A command line of the user stays as it is.
                if shorter.length(list) != Some(longest) || !self.steps.hold(&shorter) {
                    break;
                }
                answers = shorter;
            }
        }
        answers
    }

    /// The solver is to be told of a condition.
    fn take(&mut self, nth: usize) -> Option<()> {
        if self.told.insert(nth) {
            let (symbol, truth) = self.conditions[nth];
            let name = self.define(symbol, 0)?;
            let truth = constant(u64::from(truth));
            let _ = writeln!(self.asserted, "(assert (= {name} {truth}))");
        }
        Some(())
    }

    /// What the solver is told.
    fn script(&self) -> String {
        let mut script = String::new();
        let number = "(_ BitVec 64)";
        for (nth, _) in self.inputs.iter().enumerate() {
            let _ = writeln!(
                script,
                "(declare-const n{nth} {number})\n(declare-const w{nth} {number})"
            );
            let _ = writeln!(
                script,
                "(assert (bvule w{nth} {}))",
                constant(self.words.len() as u64)
            );
        }
        for (nth, list) in self.lists.iter().enumerate() {
            let most = if matches!(list, List::Variable(_)) {
                1
            } else {
                MOST
            };
            let _ = writeln!(
                script,
                "(declare-const c{nth} {number})\n(assert (bvule c{nth} {}))",
                constant(most as u64)
            );
        }
        script.push_str(&self.definitions);
        script.push_str(&self.asserted);
        script
    }

    /// What the solver says of what it was told, within these bounds.
    fn checked(&self, (solver, said): (&mut dyn Solver, &mut Said), bounds: Bounds) -> Option<Answer> {
        let script = format!("{}{}", self.script(), self.limits(bounds));
        let verdict = said.check(solver, &script, &self.wanted())?;
        Some(match verdict {
            Verdict::Satisfied(values) => {
                let variables = Variables::of(&self.inputs, &self.lists, &self.words);
                model::answers(self.answers, &variables, &values).map_or(Answer::Unknown, Answer::Found)
            }
            Verdict::Excluded => Answer::Excluded,
            Verdict::Unknown => Answer::Unknown,
        })
    }

    /// What keeps numbers and lists small, and words what they are.
    fn limits(&self, bounds: Bounds) -> String {
        let Bounds {
            numbers: (lowest, highest),
            keeps_words,
            more,
        } = bounds;
        let mut limits = String::new();
        for (nth, list) in self.lists.iter().enumerate() {
            let most = self.answers.length(list).unwrap_or(MOST) + more;
            let _ = writeln!(limits, "(assert (bvule c{nth} {}))", constant(most as u64));
        }
        for (nth, input) in self.inputs.iter().enumerate() {
            let _ = writeln!(
                limits,
                "(assert (and (bvsle {} n{nth}) (bvsle n{nth} {})))",
                constant(lowest as u64),
                constant(highest as u64)
            );
            let known = self
                .words
                .iter()
                .position(|word| word == self.answers.text(input));
            if keeps_words {
                let word = known.map_or(0, |known| known as u64 + 1);
                let _ = writeln!(limits, "(assert (= w{nth} {}))", constant(word));
            }
        }
        limits
    }

    fn wanted(&self) -> String {
        let mut names = String::new();
        for nth in 0..self.inputs.len() {
            let _ = write!(names, " n{nth} w{nth}");
        }
        for nth in 0..self.lists.len() {
            let _ = write!(names, " c{nth}");
        }
        format!("(get-value ({}))\n", names.trim())
    }

    /// The name of a number of 64 bits: the value of a symbol, sign-extended, or 0 or 1.
    fn define(&mut self, symbol: Symbol, depth: u32) -> Option<String> {
        let (plain, negated) = (symbol & !NEGATED, symbol & NEGATED != 0);
        if !self.defined.contains_key(&plain) {
            let name = self.express(plain, depth).map(|text| {
                let name = format!("t{}", self.defined.len());
                let _ = writeln!(self.definitions, "(define-fun {name} () (_ BitVec 64) {text})");
                name
            });
            self.defined.insert(plain, name);
        }
        let name = self.defined[&plain].clone()?;
        Some(match negated {
            true => format!("(bvxor {name} {})", constant(1)),
            false => name,
        })
    }

    fn express(&mut self, symbol: Symbol, depth: u32) -> Option<String> {
        if depth > DEEPEST || self.defined.len() > TERMS {
            return None;
        }
        Some(match self.terms.get(symbol)? {
            Term::Number(input) => self.number(input),
            Term::Length(list, more) => format!("(bvadd {} {})", self.length(list), constant(*more)),
            Term::Choice(condition, yes, no) => {
                let holds = self.condition(condition);
                format!("(ite {holds} {} {})", constant(*yes), constant(*no))
            }
            Term::Arithmetic(
                operator @ (Arithmetic::SDiv | Arithmetic::SRem),
                bits,
                [left, Part::Known(by)],
            ) if by.is_power_of_two() && signed(mask(*by, *bits), *bits) > 0 => {
                let value = self.part(*left, *bits, depth)?;
                let quotient = shifted(&value, by.trailing_zeros());
                match operator {
                    Arithmetic::SDiv => quotient,
                    _ => format!("(bvsub {value} (bvmul {quotient} {}))", constant(*by)),
                }
            }
            Term::Arithmetic(operator, bits, [left, right]) => {
                let [left, right] = [self.part(*left, *bits, depth)?, self.part(*right, *bits, depth)?];
                let operation = operation(*operator);
                if operator.divides() {
                    // A division by zero ends the program.
                    let _ = writeln!(self.asserted, "(assert (distinct {right} {}))", constant(0));
                }
                if let (Arithmetic::Add | Arithmetic::Sub | Arithmetic::Mul, 2..64) = (operator, *bits) {
                    return Some(self.whole(&format!("({operation} {left} {right})"), *bits));
                }
                let result = format!("({operation} {} {})", low(&left, *bits), low(&right, *bits));
                wide(&result, *bits)
            }
            Term::Compare(predicate, bits, [left, right]) => {
                let [left, right] = [self.part(*left, *bits, depth)?, self.part(*right, *bits, depth)?];
                let holds = format!("({} {left} {right})", relation(*predicate)?);
                format!("(ite {holds} {} {})", constant(1), constant(0))
            }
            Term::Truncate(bits, part) => {
                let value = self.part(*part, 64, depth)?;
                wide(&low(&value, *bits), *bits)
            }
        })
    }

    /// A result that fits into so many bits: what an `int` does that overflows is not defined (C17 §6.5).
    fn whole(&mut self, result: &str, bits: u32) -> String {
        let name = format!("f{}", self.defined.len());
        let _ = writeln!(self.definitions, "(define-fun {name} () (_ BitVec 64) {result})");
        let fits = wide(&low(&name, bits), bits);
        let _ = writeln!(self.asserted, "(assert (= {name} {fits}))");
        name
    }

    fn part(&mut self, part: Part, bits: u32, depth: u32) -> Option<String> {
        match part {
            Part::Known(value) if bits == 1 => Some(constant(value & 1)),
            Part::Known(value) => Some(constant(signed(mask(value, bits), bits) as u64)),
            Part::Of(symbol) => self.define(symbol, depth + 1),
        }
    }

    fn number(&mut self, input: &Input) -> String {
        let nth = self.input(input);
        // What begins with no number is zero.
        format!("(ite (= w{nth} {zero}) n{nth} {zero})", zero = constant(0))
    }

    fn condition(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Longer(list, nth) => {
                format!("(bvugt {} {})", self.length(list), constant(*nth as u64))
            }
            Condition::Is(input, word) => {
                let nth = self.input(input);
                let known = place(&mut self.words, word);
                format!("(= w{nth} {})", constant(known as u64 + 1))
            }
        }
    }

    fn length(&mut self, list: &List) -> String {
        format!("c{}", place(&mut self.lists, list))
    }

    /// The number of an input, which is there.
    fn input(&mut self, input: &Input) -> usize {
        let before = self.inputs.len();
        let nth = place(&mut self.inputs, input);
        if nth == before {
            let (list, least) = input.place();
            if self.slice.has_length(&list) {
                let length = self.length(&list);
                let _ = writeln!(
                    self.asserted,
                    "(assert (bvugt {length} {}))",
                    constant(least as u64)
                );
            }
            // What it is now is one of the words, if that is no number.
            let text = self.answers.text(input).trim().to_owned();
            if text.parse::<i64>().is_err() {
                place(&mut self.words, &text);
            }
        }
        nth
    }
}

/// The place of something in a list, to which it is added if it is not there.
fn place<T: PartialEq + Clone>(list: &mut Vec<T>, wanted: &T) -> usize {
    list.iter().position(|known| known == wanted).unwrap_or_else(|| {
        list.push(wanted.clone());
        list.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic;
    use crate::ir::Predicate;
    use crate::value::Scalar;
    use proptest::prelude::*;
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::ops::Range;
    use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

    /// z3, as the command has it.
    struct Z3 {
        process: Child,
        commands: ChildStdin,
        said: BufReader<ChildStdout>,
    }

    impl Z3 {
        fn start() -> Self {
            let mut process = Command::new("z3")
                .args(["-in", "-smt2"])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("z3 is there: scripts/setup");
            let commands = process.stdin.take().expect("a pipe");
            let said = BufReader::new(process.stdout.take().expect("a pipe"));
            Self {
                process,
                commands,
                said,
            }
        }
    }

    impl Drop for Z3 {
        fn drop(&mut self) {
            drop(self.process.kill());
            drop(self.process.wait());
        }
    }

    impl Solver for Z3 {
        fn ask(&mut self, commands: &str) -> Option<String> {
            writeln!(self.commands, "{commands}(echo \"done\")").ok()?;
            let mut all = String::new();
            while !all.ends_with("done\n") {
                (self.said.read_line(&mut all).ok()? > 0).then_some(())?;
            }
            Some(all.trim_end_matches("done\n").to_owned())
        }
    }

    const OPERATORS: [Arithmetic; 8] = [
        Arithmetic::Add,
        Arithmetic::Sub,
        Arithmetic::Mul,
        Arithmetic::SDiv,
        Arithmetic::SRem,
        Arithmetic::URem,
        Arithmetic::And,
        Arithmetic::Shl,
    ];
    const PREDICATES: [Predicate; 4] = [Predicate::Eq, Predicate::Ult, Predicate::Sgt, Predicate::Ne];

    /// Which operator or comparison, of which values, and with which number.
    type Made = (usize, usize, usize, i32);
    const ONE_MADE: (Range<usize>, Range<usize>, Range<usize>, Range<i32>) = (0..12, 0..8, 0..24, -3..70);

    /// What a program computes of two numbers of its command line, as a simulation writes it down; its conditions.
    fn computed(terms: &mut Terms, made: &[Made]) -> Vec<(Symbol, bool)> {
        terms.begin();
        let mut values = vec![
            terms.number(Input::Argument(1), 4),
            terms.number(Input::Argument(2), 4),
        ];
        let mut conditions = Vec::new();
        for (what, left, right, number) in made {
            let left = values[left % values.len()];
            let right = match right % 3 {
                0 => Scalar::known(u64::from(*number as u32)),
                _ => values[right % values.len()],
            };
            if let Some(operator) = OPERATORS.get(what % 12) {
                let result = arithmetic::integer(*operator, 32, left, right);
                terms.arithmetic(*operator, 32, [left, right], result);
                values.push(result);
            } else {
                let predicate = PREDICATES[what % 4];
                let result = arithmetic::compare(predicate, 32, left, right);
                terms.compare(predicate, 32, [left, right], result);
                if !result.is_known() {
                    conditions.push((result.symbol, result.bits != 0));
                }
            }
        }
        conditions
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

        /// What is found nearby, or among all numbers, the solver finds there, too, told of all conditions; and it
        /// finds nothing else there.
        #[test]
        fn trying_and_the_solver_agree(made in prop::collection::vec(ONE_MADE, 2..14)) {
            let mut terms = Terms::default();
            let mut conditions = computed(&mut terms, &made);
            let answers = Answers::of(vec!["4".into(), "4".into()], false);
            prop_assume!(!conditions.is_empty());
            let (symbol, truth) = conditions.pop().expect("there is one");
            let mut question = Question::about(&terms, &answers);
            for (symbol, truth) in &conditions {
                question.assert(*symbol, *truth);
            }
            let Some(nearby) = question.nearby(symbol, !truth) else { return Ok(()) };
            let halved = question.anywhere();
            for nth in 0..question.conditions.len() {
                question.take(nth);
            }
            for (own, bounds) in [(nearby, NEAREST), (halved, ANYWHERE)] {
                let said = question.within((&mut Z3::start(), &mut Said::default()), bounds).expect("z3 runs");
                match (own, said) {
                    (Answer::Found(found), Answer::Found(_)) => prop_assert!(question.steps.hold(&found)),
                    (Answer::Excluded, Answer::Excluded) | (Answer::Unknown, _) | (_, Answer::Unknown) => {}
                    (own, said) => prop_assert!(false, "{own:?}, but the solver says {said:?}"),
                }
            }
        }
    }
}
