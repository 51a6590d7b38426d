//! The data.

use serde::{Deserialize, Serialize};

/// Changes with every change of meaning of a field.
pub const SCHEMA_VERSION: u32 = 3;

/// The programs of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Name and version of the tool.
    pub tool: String,
    /// In the order of the command line.
    pub programs: Vec<Judgement>,
}

/// What is said of one program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Judgement {
    /// The file; of a program of several sources, the one with its `main`.
    pub file: String,
    /// The other sources of the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<String>,
    /// The program's name.
    pub name: String,
    /// Number of processes.
    pub ranks: u32,
    /// Values are 0 to `domain` - 1.
    pub domain: u32,
    /// Loads that wait for the value that ends a poll, so that polls that fail are no events; in the order of the text.
    #[serde(default)]
    pub awaited: Vec<Source>,
    /// The answer.
    pub verdict: Verdict,
    /// Why there is no answer, if there is none.
    pub reason: Option<String>,
    /// If it is not robust.
    pub violation: Option<Violation>,
    /// The cheapest changes that make it robust, if they were asked for.
    pub repair: Option<Repair>,
    /// Synchronisation without which it is as robust, if it was asked for.
    pub superfluous: Option<Superfluous>,
    /// What holds for other numbers of processes, if it was asked for.
    #[serde(default)]
    pub every: Option<EveryRanks>,
    /// Assertions that fail, and errors such as an index out of range, under sequential consistency.
    pub failures: Vec<Failure>,
    /// How much work it was.
    pub search: Search,
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every computation has the happens-before relation of a sequentially consistent one.
    Robust,
    /// Some computation has not.
    NotRobust,
    /// A limit was reached.
    Inconclusive,
}

impl Verdict {
    /// For people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Robust => "robust",
            Self::NotRobust => "not robust",
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// A computation with a happens-before cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Violation {
    /// In the order of the computation.
    pub events: Vec<Event>,
    /// The cycle: each edge begins where the one before it ends.
    pub cycle: Vec<Edge>,
    /// No violating computation has fewer events. If this is false, there may be one.
    pub shortest: bool,
}

/// An event of a computation (paper 003, section 2.3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Event {
    /// The process that issued the command.
    pub rank: u32,
    /// What happens.
    pub kind: EventKind,
    /// What is accessed.
    pub address: Option<Address>,
    /// What was read or written there.
    pub value: Option<u32>,
    /// Events of one command have the same number.
    pub command: u32,
    /// Where the command stands.
    pub source: Source,
}

/// Kinds of events: the paper's, and those of the commands that it does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "each is explained by its words")]
pub enum EventKind {
    Load,
    Store,
    Assign,
    Assume,
    Read,
    Write,
    Atomic,
    Popa,
    Popb,
    Bar,
    Wait,
    Fence,
}

impl EventKind {
    /// As the paper writes it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Store => "store",
            Self::Assign => "assign",
            Self::Assume => "assume",
            Self::Read => "read",
            Self::Write => "write",
            Self::Atomic => "atomic",
            Self::Popa => "popa",
            Self::Popb => "popb",
            Self::Bar => "bar",
            Self::Wait => "wait",
            Self::Fence => "fence",
        }
    }
}

/// Memory of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Address {
    /// Whose memory.
    pub rank: u32,
    /// Its name there.
    pub name: String,
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.rank, self.name)
    }
}

/// A place in a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Source {
    /// The file, if it is another one than that of the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// From 1; 0 if there is none.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// The statement, in one line.
    pub text: String,
}

impl Source {
    /// For example "line 12", or "line 12 of queue.c".
    #[must_use]
    pub fn line_in_words(&self) -> String {
        match &self.file {
            Some(file) => format!("line {} of {file}", self.line),
            None => format!("line {}", self.line),
        }
    }

    /// Its file, in the program of a file.
    #[must_use]
    pub fn file_in<'s>(&'s self, program: &'s Judgement) -> &'s str {
        self.file.as_deref().unwrap_or(&program.file)
    }
}

/// An edge of the cycle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Edge {
    /// Index of an event.
    pub from: usize,
    /// Index of an event.
    pub to: usize,
    /// Which relation.
    pub relation: Relation,
}

/// The three relations of happens-before (paper 003, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// po
    ProgramOrder,
    /// cf
    Conflict,
    /// Events of one command, or of one barrier.
    Identity,
}

impl Relation {
    /// As the paper writes it.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::ProgramOrder => "po",
            Self::Conflict => "cf",
            Self::Identity => "<->",
        }
    }
}

/// Changes that make the program robust.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Repair {
    /// All together.
    pub cost: u32,
    /// None can be left out.
    pub changes: Vec<Change>,
    /// What the program does not need any more with them; left out in the program below.
    #[serde(default)]
    pub needless: Vec<Change>,
    /// The program with them, inserted lines marked by comments; none if there are no changes. Of one of several
    /// sources, the text of the source that changes; of several such, each begins with [`OF_FILE`] and its name.
    pub program: Option<String>,
    /// Why there is none, if there are no changes.
    pub reason: Option<String>,
    /// The repair in the source files, of a C or C++ program that was read again with it and is robust then.
    #[serde(default)]
    pub source: Option<SourceRepair>,
    /// Why it is not put into the source files, of a C or C++ program.
    #[serde(default)]
    pub unwritten: Option<String>,
}

/// How the first line of each text begins where the texts of several sources follow one another.
pub const OF_FILE: &str = "// file: ";

/// A repair of source files: what `farside fix` changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceRepair {
    /// Where the command ran: what the names of files are relative to.
    pub folder: String,
    /// Those that change.
    pub files: Vec<FileRepair>,
}

/// What changes in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileRepair {
    /// Its name.
    pub file: String,
    /// SHA-256 of it, in hexadecimal digits.
    pub sha256: String,
    /// In the order of the text; no two of them concern one line.
    pub edits: Vec<LineEdit>,
}

/// Lines of a text that become other ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LineEdit {
    /// The first one, from 1.
    pub line: u32,
    /// How many; none if lines are put in before the first one.
    pub lines: u32,
    /// The new lines, each with its end.
    pub text: String,
}

impl FileRepair {
    /// The text with the edits; none if it does not have the lines that they are about.
    #[must_use]
    pub fn applied(&self, text: &str) -> Option<String> {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mut new = String::new();
        let mut next = 0;
        for edit in &self.edits {
            let from = (edit.line as usize).checked_sub(1)?;
            let to = from.checked_add(edit.lines as usize)?;
            new.push_str(&lines.get(next..from)?.concat());
            lines.get(from..to)?;
            new.push_str(&edit.text);
            next = to;
        }
        new.push_str(&lines.get(next..)?.concat());
        Some(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_of_lines() {
        let edit = |line, lines, text: &str| LineEdit {
            line,
            lines,
            text: text.to_owned(),
        };
        let applied = |edits: Vec<LineEdit>| {
            let repair = FileRepair {
                file: String::new(),
                sha256: String::new(),
                edits,
            };
            repair.applied("a\nb\nc")
        };
        let changed = applied(vec![edit(1, 1, ""), edit(3, 0, "x\n"), edit(3, 1, "y\n")]);
        assert_eq!(changed.as_deref(), Some("b\nx\ny\n"));
        assert_eq!(applied(vec![edit(4, 0, "d")]).as_deref(), Some("a\nb\ncd"));
        for wrong in [edit(0, 1, ""), edit(3, 2, ""), edit(9, 0, "")] {
            assert_eq!(applied(vec![wrong]), None);
        }
        assert_eq!(applied(vec![edit(2, 1, ""), edit(2, 1, "")]), None);
    }
}

/// Synchronisation that can be taken out, or weakened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Superfluous {
    /// Each can be taken out alone.
    pub alone: Vec<Change>,
    /// Those of them, by their index, that can be taken out together; no other one can be besides.
    pub together: Vec<usize>,
    /// What stays though robustness does not need it, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What holds for every number of processes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EveryRanks {
    /// Robust for every number of processes with which the program is one; or not for some; or not known.
    pub verdict: Verdict,
    /// The numbers that were decided one by one.
    pub decided: Vec<DecidedRanks>,
    /// Why it is robust from some number on.
    pub argument: Option<Argument>,
    /// Why there is no argument.
    pub doubt: Option<Doubt>,
}

/// A number of processes, and the answer for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DecidedRanks {
    /// How many.
    pub ranks: u32,
    /// The answer; nothing if the program is none with so many processes.
    pub verdict: Option<Verdict>,
    /// The limit that was reached, or why the program is none.
    pub reason: Option<String>,
    /// How much work it was.
    pub search: Search,
}

impl DecidedRanks {
    /// That of a program which is one with so many.
    #[must_use]
    pub fn of(judgement: &Judgement) -> Self {
        Self {
            ranks: judgement.ranks,
            verdict: Some(judgement.verdict),
            reason: judgement.reason.clone(),
            search: judgement.search,
        }
    }
}

/// Why no computation of any number of processes has a happens-before cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Argument {
    /// From this number of processes on.
    pub from: u32,
    /// How many statements issue operations.
    pub operations: usize,
    /// Each operation is complete before its process comes to a barrier, so that a cycle would lie between two
    /// barriers.
    pub complete_at_barriers: bool,
    /// Operations that may take effect late, from none of which a way of happens-before leads back.
    pub late: Vec<Overtaken>,
    /// Waits for flags that are written once.
    pub awaited: Vec<Source>,
    /// Waits for counters that each process raises once, for as much as all of them add.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counted: Vec<Source>,
    /// Waits for flags whose values count the rounds of a loop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<Source>,
    /// Operations that take effect late, but in turn with all accesses of other processes to what they access.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub in_turn: Vec<Source>,
}

/// An operation, and what may take effect before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Overtaken {
    /// The operation.
    pub operation: Source,
    /// What may take effect before it, though it comes later, or is another part of it.
    pub by: Source,
}

/// Why it is not known what holds for every number of processes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Doubt {
    /// In words.
    pub reason: String,
    /// What it is about, if it is about one place.
    pub source: Option<Source>,
    /// A way by which a cycle could be closed: from what overtakes an operation back to that.
    pub way: Vec<Source>,
}

/// A change of the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// What to do, with its place in words.
    pub what: String,
    /// The statement that it is about.
    pub source: Source,
    /// Its cost.
    pub cost: u32,
}

/// Something that goes wrong under sequential consistency already.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// In words.
    pub what: String,
    /// Where.
    pub source: Source,
}

/// How much work it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Search {
    /// States that were visited.
    pub states: u64,
    /// Time.
    pub seconds: f64,
}
