//! Questions to the solver: integers, the rank of one or two processes, and the number of ranks.
//!
//! Promise: "never" is said only if the solver says so. What it does not answer within its time is "unknown", and
//! whoever asks takes that for possible.

use super::affine::{Term, Terms, Variable};
use crate::symbolic::Solver;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Milliseconds for an answer.
const PATIENCE: u32 = 2000;

/// What holds of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Condition {
    /// It is 0.
    Zero(Term),
    /// It is not 0.
    NotZero(Term),
    /// It is 0 or more.
    NotNegative(Term),
}

/// Whose rank a condition speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Who {
    One,
    /// The same process, in other rounds of loops.
    Again,
    Other,
}

/// What the solver says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// There is such a number of ranks.
    Possible,
    /// There is none.
    Never,
    /// It does not say.
    Unknown,
}

/// Terms, and who is asked about them.
pub(super) struct Prover {
    pub(super) terms: Terms,
    solver: Box<dyn Solver>,
    /// The fewest ranks that are looked at.
    least: u32,
    answers: HashMap<String, Answer>,
    questions: u64,
}

impl Condition {
    /// Its contrary; `None` if that does not fit into 64 bits.
    pub(super) fn negated(self, terms: &mut Terms) -> Option<Self> {
        Some(match self {
            Self::Zero(term) => Self::NotZero(term),
            Self::NotZero(term) => Self::Zero(term),
            Self::NotNegative(term) => {
                let minus = terms.times(term, -1)?;
                Self::NotNegative(terms.plus(minus, -1)?)
            }
        })
    }

    pub(super) fn term(self) -> Term {
        match self {
            Self::Zero(term) | Self::NotZero(term) | Self::NotNegative(term) => term,
        }
    }

    /// Whether it holds, if that is the same for all ranks.
    pub(super) fn known(self, terms: &Terms) -> Option<bool> {
        let value = terms.known(self.term())?;
        Some(match self {
            Self::Zero(_) => value == 0,
            Self::NotZero(_) => value != 0,
            Self::NotNegative(_) => value >= 0,
        })
    }
}

impl Who {
    /// The ends of the names of its rank, and of its rounds.
    fn suffixes(self) -> (&'static str, &'static str) {
        match self {
            Self::One => ("p", "p"),
            Self::Again => ("p", "r"),
            Self::Other => ("q", "q"),
        }
    }
}

/// What is asked: all of it at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Question {
    names: BTreeSet<String>,
    asserted: Vec<String>,
}

impl Question {
    /// A condition on a process.
    pub(super) fn holds(&mut self, terms: &Terms, condition: Condition, who: Who) {
        let text = self.text(terms, condition.term(), who);
        self.asserted.push(match condition {
            Condition::Zero(_) => format!("(= {text} 0)"),
            Condition::NotZero(_) => format!("(not (= {text} 0))"),
            Condition::NotNegative(_) => format!("(>= {text} 0)"),
        });
    }

    /// A relation between terms of two processes: `=`, `<` or `distinct`.
    pub(super) fn related(
        &mut self,
        terms: &Terms,
        relation: &str,
        (left, of): (Term, Who),
        (right, than): (Term, Who),
    ) {
        let (left, right) = (self.text(terms, left, of), self.text(terms, right, than));
        self.asserted.push(format!("({relation} {left} {right})"));
    }

    /// At least one of these is not what `other` is of the same process.
    pub(super) fn some_differ(&mut self, terms: &Terms, all: &[(Term, Who)], other: Term) {
        let mut any = "(or".to_owned();
        for (term, who) in all {
            let (left, right) = (self.text(terms, *term, *who), self.text(terms, other, *who));
            let _ = write!(any, " (distinct {left} {right})");
        }
        self.asserted.push(format!("{any})"));
    }

    /// A term in the language of the solver.
    fn text(&mut self, terms: &Terms, term: Term, who: Who) -> String {
        let affine = terms.get(term);
        let mut sum = format!("(+ {}", number(affine.constant()));
        for (variable, factor) in affine.parts() {
            let of = match variable {
                Variable::Rank => format!("rank_{}", who.suffixes().0),
                Variable::Size => "size".to_owned(),
                Variable::Round(round) => format!("round{round}_{}", who.suffixes().1),
                Variable::Modulo(term, by) => format!("(mod {} {by})", self.text(terms, *term, who)),
                Variable::Quotient(term, by) => format!("(div {} {by})", self.text(terms, *term, who)),
                Variable::Product(left, right) => {
                    let (left, right) = (self.text(terms, *left, who), self.text(terms, *right, who));
                    format!("(* {left} {right})")
                }
            };
            if let Variable::Rank | Variable::Round(_) = variable {
                self.names.insert(of.clone());
            }
            let _ = write!(sum, " (* {} {of})", number(*factor));
        }
        sum.push_str(" 0)");
        sum
    }

    fn commands(&self, least: u32, further: &str) -> String {
        let mut text = format!(
            "(reset)(set-option :timeout {PATIENCE})(declare-const size Int)(assert (>= size {least}))"
        );
        for name in &self.names {
            let _ = write!(text, "(declare-const {name} Int)(assert (>= {name} 0))");
            if name.starts_with("rank") {
                let _ = write!(text, "(assert (< {name} size))");
            }
        }
        for condition in &self.asserted {
            let _ = write!(text, "(assert {condition})");
        }
        let _ = writeln!(text, "{further}(check-sat)");
        text
    }
}

fn number(value: i64) -> String {
    match value < 0 {
        true => format!("(- {})", value.unsigned_abs()),
        false => value.to_string(),
    }
}

impl Prover {
    pub(super) fn new(solver: Box<dyn Solver>, least: u32) -> Self {
        Self {
            terms: Terms::default(),
            solver,
            least,
            answers: HashMap::default(),
            questions: 0,
        }
    }

    /// The fewest ranks that are looked at.
    pub(super) fn least(&self) -> u32 {
        self.least
    }

    /// Questions that the solver was asked.
    pub(super) fn questions(&self) -> u64 {
        self.questions
    }

    /// Whether there is a number of ranks of which all this holds.
    pub(super) fn ask(&mut self, question: &Question) -> Answer {
        self.ask_with(question, "")
    }

    /// The smallest number of ranks of which all this holds, up to `most`.
    pub(super) fn smallest(&mut self, question: &Question, most: u32) -> Option<u32> {
        (self.least..=most).find(|size| {
            let exactly = format!("(assert (= size {size}))");
            self.ask_with(question, &exactly) == Answer::Possible
        })
    }

    fn ask_with(&mut self, question: &Question, further: &str) -> Answer {
        let commands = question.commands(self.least, further);
        if let Some(answer) = self.answers.get(&commands) {
            return *answer;
        }
        self.questions += 1;
        let said = self.solver.ask(&commands).unwrap_or_default();
        let answer = match said.trim() {
            "sat" => Answer::Possible,
            "unsat" => Answer::Never,
            _ => Answer::Unknown,
        };
        self.answers.insert(commands, answer);
        answer
    }

    /// Whether a condition holds of all processes of which others hold; `None` if of some only, or if that is not
    /// known.
    pub(super) fn decides(&mut self, given: &[Condition], condition: Condition) -> Option<bool> {
        if let Some(known) = condition.known(&self.terms) {
            return Some(known);
        }
        if given.contains(&condition) {
            return Some(true);
        }
        let contrary = condition.negated(&mut self.terms)?;
        if given.contains(&contrary) {
            return Some(false);
        }
        let mut of = |condition| {
            let mut question = Question::default();
            for given in given.iter().copied().chain([condition]) {
                question.holds(&self.terms, given, Who::One);
            }
            self.ask(&question)
        };
        if of(contrary) == Answer::Never {
            return Some(true);
        }
        (of(condition) == Answer::Never).then_some(false)
    }
}
