//! What an engine answers: outcomes, executions, refusals.

use farside_litmus::ast::{Observable, Place, Rank, Value};

/// The answer to "which outcomes has this program?".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What each outcome shows, in its order: the registers and variables of the condition and of `locations`; all
    /// registers where a program has neither.
    pub observables: Vec<Observable>,
    /// Every outcome once, sorted. Empty where the verdict is not [`Verdict::Defined`], and where no execution counts:
    /// each comes to the bound of a loop, or the filter leaves none. Then nothing is known of the program's condition.
    pub outcomes: Vec<Outcome>,
    /// Whether the program has a meaning under the model.
    pub verdict: Verdict,
    /// Whether a loop ended at its bound on some path: outcomes after it are missing.
    pub bounded: bool,
}

/// Values in the order of [`Answer::observables`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome(pub Vec<Value>);

/// Whether a program has a meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It has the outcomes given.
    Defined,
    /// Some valid execution has a data race (MPI models): all outcomes are undefined.
    Race(Race),
    /// Some execution is not valid (MPI models): bad nesting, fence mismatch, deadlock.
    Invalid(Invalid),
}

/// Two conflicting accesses that are not ordered (Hoefler et al. 2014, §3.3.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// The two statements, the first in (rank, place) order first.
    pub statements: [Site; 2],
    /// Whether they are unordered by happens-before.
    pub no_happens_before: bool,
    /// Whether they are unordered by consistency order.
    pub no_consistency: bool,
    /// Why the two conflict, in a sentence.
    pub conflict: String,
}

/// A reason why an execution is not valid (Hoefler et al. 2014, §3.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The condition of §3.1 that is broken, by its number.
    pub condition: u8,
    /// The statement at fault.
    pub site: Site,
    /// What is wrong, in a sentence.
    pub reason: String,
}

/// A statement of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Whose.
    pub rank: Rank,
    /// Where it stands.
    pub place: Place,
    /// As the printer prints it.
    pub text: String,
}

/// An execution, to be shown: actions and the named relations between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// In program order, process by process; first values first.
    pub actions: Vec<ShownAction>,
    /// `po`, `hb`, `rf`, `co`, `so`. Edges that follow by transitivity are left out.
    pub edges: Vec<Edge>,
}

/// An action of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownAction {
    /// The process in whose column it is drawn; none for first values.
    pub column: Option<Rank>,
    /// Index of its statement among the process's executed statements (loops unrolled), if it has one.
    pub statement: Option<usize>,
    /// The field's name of its type: `r`, `w`, `er`, `ew`, `erw`, `flush`, `vac`, `vas`, `sfe`, ...
    pub kind: String,
    /// As in the papers' figures: `read X, 0`, `write Y, 1`, `flush 1`.
    pub text: String,
    /// Where its statement stands.
    pub place: Place,
}

/// An edge of an execution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// Index of an action.
    pub from: usize,
    /// Index of an action.
    pub to: usize,
    /// `po`, `hb`, `rf`, `co`, `so`.
    pub relation: String,
    /// The rule that made it (`IR`, `F2`, `(15)`); empty where none did.
    pub rule: String,
}

/// Why an outcome is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The execution that comes closest to the outcome: its reads-from gives the values asked for.
    pub execution: Option<Execution>,
    /// Edges of it that form a cycle, in order; empty where another reason is given.
    pub cycle: Vec<Edge>,
    /// In a sentence: which rule excludes the outcome.
    pub reason: String,
}
