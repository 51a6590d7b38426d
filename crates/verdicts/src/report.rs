//! The data of a report. Names follow the field's simulator where it has them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Version of the JSON form; a change that a reader could stumble over raises it.
pub const SCHEMA_VERSION: u32 = 2;

/// What `farside litmus` has to say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The program and its version.
    pub tool: String,
    /// In the order asked for.
    pub tests: Vec<Test>,
}

/// What a whole report means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// Every condition is met, and every program has a meaning.
    Clean,
    /// Some condition is violated, or some program has no meaning.
    Violated,
    /// No model has an answer, or states beyond a bound could change one.
    Inconclusive,
}

impl Report {
    /// The worst of all judgements.
    #[must_use]
    pub fn conclusion(&self) -> Conclusion {
        let all = || {
            let of = |test| move |judgement| (test, judgement);
            self.tests
                .iter()
                .flat_map(move |test| test.judgements.iter().map(of(test)))
        };
        if all().any(|(test, judgement)| test.is_violated(judgement)) {
            return Conclusion::Violated;
        }
        let unanswered = all().all(|(_, judgement)| judgement.verdict == Verdict::Unknown);
        if unanswered || all().any(|(test, judgement)| test.is_open(judgement)) {
            return Conclusion::Inconclusive;
        }
        Conclusion::Clean
    }
}

/// A litmus test and what the models say of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Test {
    /// The word after `RMA`.
    pub name: String,
    /// The file that it was read from.
    pub file: String,
    /// The quoted lines after the name.
    pub about: Vec<String>,
    /// The test as it was read.
    pub source: String,
    /// Equal for equal programs, whatever their layout.
    pub hash: String,
    /// How the final condition is asked for; none if there is no condition.
    pub quantifier: Option<Quantifier>,
    /// The final condition, as printed; empty if there is none.
    pub condition: String,
    /// One a model.
    pub judgements: Vec<Judgement>,
}

impl Test {
    fn is_violated(&self, judgement: &Judgement) -> bool {
        match judgement.verdict {
            Verdict::Race | Verdict::Invalid => true,
            Verdict::No => !self.is_open(judgement),
            Verdict::Ok | Verdict::Inconclusive | Verdict::Unknown => false,
        }
    }

    /// Whether there is no state to judge by, or states beyond a bound could change the answer. A model that does not know
    /// a statement is no bound.
    fn is_open(&self, judgement: &Judgement) -> bool {
        if judgement.verdict == Verdict::Inconclusive {
            return true;
        }
        let absent = match (self.quantifier, judgement.verdict) {
            (_, Verdict::Unknown) | (None, _) => true,
            (Some(Quantifier::Exists), verdict) => verdict == Verdict::No,
            (Some(Quantifier::NotExists | Quantifier::Forall), verdict) => verdict == Verdict::Ok,
        };
        judgement.bounded && absent
    }
}

/// How a condition is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Quantifier {
    /// `exists`: some state has it.
    Exists,
    /// `~exists`: no state has it.
    NotExists,
    /// `forall`: every state has it.
    Forall,
}

impl Quantifier {
    /// The word after the name in the field's first line.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self {
            Self::Exists => "Allowed",
            Self::NotExists => "Forbidden",
            Self::Forall => "Required",
        }
    }
}

/// What one model says of one test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Judgement {
    /// Name of the model.
    pub model: String,
    /// The answer in a word.
    pub verdict: Verdict,
    /// All states, sorted; empty unless the program is defined.
    pub states: Vec<State>,
    /// How often the condition's proposition holds; none if there is no condition.
    pub observation: Option<Observation>,
    /// Whether a loop ended at its bound: states after it are missing.
    pub bounded: bool,
    /// Why the program has no states.
    pub cause: Option<Cause>,
    /// How long the engine took.
    pub seconds: f64,
    /// Executions and refusals that were asked for.
    pub explanations: Vec<Explanation>,
}

/// The answer in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The condition is met, or there is none.
    Ok,
    /// The condition is violated.
    No,
    /// A data race: every outcome is undefined.
    Race,
    /// The program is not valid.
    Invalid,
    /// There is no state that the condition could be judged by: no execution ends within the bounds of its loops, the
    /// filter leaves none, or the model allows none.
    Inconclusive,
    /// No answer: the model has no such statement, or a budget was spent.
    Unknown,
}

impl Verdict {
    /// As the field's simulator says it; a program without meaning is `Undef`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "Ok",
            Self::No => "No",
            Self::Race => "Undef race",
            Self::Invalid => "Undef invalid",
            Self::Inconclusive => "Inconclusive",
            Self::Unknown => "Unknown",
        }
    }
}

/// How often a proposition holds among the states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Observation {
    /// States in which it holds.
    pub positive: usize,
    /// States in which it does not.
    pub negative: usize,
}

impl Observation {
    /// `Always`, `Sometimes` or `Never`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match (self.positive, self.negative) {
            (0, _) => "Never",
            (_, 0) => "Always",
            _ => "Sometimes",
        }
    }
}

/// A final state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct State {
    /// In the order of the condition.
    pub bindings: Vec<Binding>,
    /// Whether the condition's proposition holds; none if there is no condition.
    pub holds: Option<bool>,
}

/// A register or variable and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Binding {
    /// `0:a`, or `X`.
    pub name: String,
    /// Its value.
    pub value: Value,
}

/// A value; in JSON a number, or null where it is undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "Option<i64>", into = "Option<i64>")]
pub enum Value {
    /// A number.
    Known(i64),
    /// The result of a conflict.
    Undefined,
}

impl From<Option<i64>> for Value {
    fn from(value: Option<i64>) -> Self {
        value.map_or(Self::Undefined, Self::Known)
    }
}

impl From<Value> for Option<i64> {
    fn from(value: Value) -> Self {
        match value {
            Value::Known(number) => Some(number),
            Value::Undefined => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(number) => write!(f, "{number}"),
            Self::Undefined => f.write_str("T"),
        }
    }
}

/// A state on a line, as the field's simulator prints it: `0:a=1; 1:b=T;`.
#[must_use]
pub fn state_line(bindings: &[Binding]) -> String {
    let parts: Vec<String> = bindings
        .iter()
        .map(|binding| format!("{}={};", binding.name, binding.value))
        .collect();
    parts.join(" ")
}

/// Why a program has no states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Cause {
    /// Two conflicting accesses that are not ordered.
    Race {
        /// The two statements.
        parties: [Party; 2],
        /// Whether happens-before is missing.
        no_happens_before: bool,
        /// Whether consistency order is missing.
        no_consistency: bool,
        /// Why the two conflict, in a sentence.
        conflict: String,
    },
    /// An execution that is not valid.
    Invalid {
        /// The condition of Hoefler et al. 2014, section 3.1, that is broken.
        condition: u8,
        /// The statement at fault.
        party: Party,
        /// What is wrong, in a sentence.
        reason: String,
    },
    /// No execution counts.
    NoState {
        /// Why, in a sentence.
        reason: String,
    },
    /// The engine has no answer.
    Unknown {
        /// Why, in a sentence.
        reason: String,
    },
}

/// A statement of the test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Party {
    /// Whose.
    pub process: u32,
    /// Its line in the file, counted from 1; 0 if unknown.
    pub line: usize,
    /// As printed.
    pub text: String,
}

/// Why an outcome is allowed or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// The outcome; empty where the program has none.
    pub outcome: Vec<Binding>,
    /// Whether the model allows it.
    pub allowed: bool,
    /// Why not, in a sentence; empty where it is allowed.
    pub reason: String,
    /// An execution with this outcome; of a refused one, that which comes closest.
    pub execution: Option<Execution>,
    /// Edges that form a cycle, in order; empty unless a cycle is the reason.
    pub cycle: Vec<Edge>,
}

/// Actions and the named relations between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Execution {
    /// In program order, process by process; first values first.
    pub actions: Vec<Action>,
    /// Edges that follow by transitivity are left out.
    pub edges: Vec<Edge>,
}

/// An action of an execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Action {
    /// The process in whose column it is drawn; none for first values.
    pub process: Option<u32>,
    /// Which of the executed statements of its process it belongs to.
    pub statement: Option<usize>,
    /// The field's name of its type: `r`, `w`, `er`, `ew`, `erw`, `flush`, `vac`, ...
    pub kind: String,
    /// As in the papers' figures: `read X, 0`.
    pub text: String,
    /// The statement as written; empty for first values.
    pub source: String,
}

/// An edge of an execution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Edge {
    /// Index of an action.
    pub from: usize,
    /// Index of an action.
    pub to: usize,
    /// `po`, `hb`, `rf`, `co`, `so`.
    pub relation: String,
    /// The rule that made it; empty where none did.
    pub rule: String,
}
