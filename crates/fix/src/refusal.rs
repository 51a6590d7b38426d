//! Why a finding is not repaired.

use farside_findings::Place;

/// Why a finding is not repaired. Each is a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No suggestion.
    #[error("the report suggests no change")]
    NoSuggestion,
    /// A suggestion that says in words what to do.
    #[error("the suggestion is no code: {0}")]
    WordsOnly(String),
    /// What is found depends on conditions that nobody knows.
    #[error("it is only possible: confirm it by a run before the source is changed")]
    Possible,
    /// The place is not known.
    #[error("the place of {0} is not known: compile with -g")]
    NoPlace(&'static str),
    /// The file is not there.
    #[error("{0} cannot be read: {1}")]
    Unreadable(String, String),
    /// The file may not be written.
    #[error("{0} is read-only")]
    ReadOnly(String),
    /// The file belongs to the system.
    #[error("{0} belongs to a library")]
    NotOwn(String),
    /// The file is not the one that the report is about.
    #[error("{0} was changed since the report: check the program again")]
    Changed(String),
    /// The report has no hash of the file.
    #[error("the report does not say what was in {0}: make it again, where the file is")]
    NotOfReport(String),
    /// The file was newer than the program that was checked.
    #[error("{0} was changed after the program was built: build and check it again")]
    Stale(String),
    /// A program writes the file.
    #[error("{0} is generated ({1}): change what it is made from")]
    Generated(String, &'static str),
    /// A language without a scanner.
    #[error("{0} is in no language that can be edited (C, C++, Fortran, Rust)")]
    Language(String),
    /// Braces or `end`s that do not match, or code in between that the scanner cannot tell apart.
    #[error("the statements of {0} are not understood")]
    NotUnderstood(String),
    /// A line without code.
    #[error("there is no code at {file}:{line}", file = .0.file, line = .0.line)]
    NoCode(Place),
    /// The text of a macro.
    #[error("{file}:{line} is the text of a macro", file = .0.file, line = .0.line)]
    Macro(Place),
    /// The call is not where the report says: a macro, or a library between.
    #[error("no call of {0} stands at {file}:{line}: a macro or another function makes it", file = .1.file, line = .1.line)]
    NoCall(String, Place),
    /// The call is a part of a condition or of another statement.
    #[error("{file}:{line} is a part of a condition, of a `return` or of another call", file = .0.file, line = .0.line)]
    InCondition(Place),
    /// The place lies between two calls of one statement.
    #[error("the call belongs between two calls of the statement at {file}:{line}", file = .0.file, line = .0.line)]
    BetweenCalls(Place),
    /// Others may jump to the statement.
    #[error("{file}:{line} has a label: others may jump to it", file = .0.file, line = .0.line)]
    Labelled(Place),
    /// Fixed form has no columns left.
    #[error("the change does not fit into the columns of {0}")]
    Columns(String),
    /// A closure would have to end, and another one begin.
    #[error("`{0}` ends one closure and begins another, which nothing here does")]
    Closure(String),
    /// Nothing there takes an error.
    #[error("`{0}` may fail, and nothing around it takes an error by `?`")]
    NoResult(String),
    /// The operation is not a statement of its own.
    #[error("{file}:{line} is the value of its block, or a part of another statement", file = .0.file, line = .0.line)]
    NoStatement(Place),
    /// A directive of OpenMP holds for the statement.
    #[error("a directive of OpenMP holds for the statement at {file}:{line}", file = .0.file, line = .0.line)]
    Directive(Place),
    /// The preprocessor may take away some of what a statement would be moved over.
    #[error("a directive of the preprocessor stands between {file}:{line} and where it would go", file = .0.file, line = .0.line)]
    Preprocessor(Place),
    /// A name is not known where the call belongs.
    #[error("`{0}` is not known where the call belongs, in {1}")]
    Unknown(String, String),
    /// A name is known where the call belongs, and may stand for something else there.
    #[error("`{0}` may be another one where the call belongs, in {1}")]
    Another(String, String),
    /// The code has something to fill in that the sources do not tell.
    #[error("what stands for `{0}` in `{1}` is not known")]
    Placeholder(String, String),
    /// The call would have to go into other statements, or out of them.
    #[error("`{0}` would have to be moved into another block or function")]
    OtherBlock(String),
    /// The statement to be moved is one that others need.
    #[error("{file}:{line} declares something, and stays where it is", file = .0.file, line = .0.line)]
    Declares(Place),
    /// What a function does besides is not known.
    #[error("{file}:{line} calls a function, and stays where it is", file = .0.file, line = .0.line)]
    Calls(Place),
    /// The call is moved over what changes its arguments, or reads what it writes.
    #[error("`{0}` cannot be moved over {file}:{line}: `{1}` may have another value there", file = .2.file, line = .2.line)]
    OtherValue(String, String, Place),
    /// The call is moved over what may leave the block.
    #[error("`{0}` cannot be moved over {file}:{line}: what comes after that is not reached each time", file = .1.file, line = .1.line)]
    MayLeave(String, Place),
    /// No place that all ranks reach.
    #[error("`{0}` is for all ranks, and what stands around both places is only for some")]
    SomeRanks(String),
    /// The places where it was tried are no places of the text where it could be written.
    #[error("`{0}` helps where it was tried, but cannot be written there")]
    NotThere(String),
    /// Epochs of both kinds would overlap.
    #[error("`{0}` would stand between a lock of its window and the unlock (MPI-4.1 §12.5), in {1}")]
    UnderLock(String, String),
    /// It was tried in vain.
    #[error("what is suggested was tried, and does not help")]
    InVain,
    /// The call must be made once for each time that another one is.
    #[error("`{0}` would stand in a loop, where one may be overwritten by the next")]
    InLoop(String),
    /// No place in a common function.
    #[error("`{0}` is for all ranks, and no function has both places")]
    NoCommonFunction(String),
    /// Two files would need one declaration.
    #[error("`{0}` is for two places, and they are in two files")]
    NoCommonFile(String),
    /// A variable of a function that is called more than once would have another value.
    #[error("{file}:{line} stands in no `main` in C or C++: a variable that is static may have another value there", file = .0.file, line = .0.line)]
    NotOnce(Place),
    /// Not all threads of a team come to the place, or not equally often.
    #[error("{file}:{line} stands in what only some threads of the team do, or not together", file = .0.file, line = .0.line)]
    SomeThreads(Place),
    /// The call ends an epoch that others need.
    #[error("`{0}` cannot be moved over {file}:{line}, which needs what it ends", file = .1.file, line = .1.line)]
    Needed(String, Place),
    /// What an operation sends cannot be copied first.
    #[error("what is sent at {file}:{line} cannot be copied first: {0}", file = .1.file, line = .1.line)]
    NoCopy(String, Place),
    /// Nothing says how the program's threads may exclude each other.
    #[error("no lock of threads is known in {0}: it has no OpenMP, POSIX threads, or threads of C++")]
    NoLock(String),
    /// The second place comes first.
    #[error("`{0}` is for all ranks, and no statement lies between the two places")]
    NothingBetween(String),
    /// The argument is not written at the call.
    #[error("`{0}` is not written in the call at {file}:{line}", file = .1.file, line = .1.line)]
    NotWritten(String, Place),
    /// Two changes of one text.
    #[error("another change concerns the same code")]
    Overlap,
}

impl Refusal {
    /// Whether the sources are at fault, and not what is known of the finding.
    #[must_use]
    pub fn is_of_input(&self) -> bool {
        matches!(
            self,
            Self::Unreadable(..)
                | Self::ReadOnly(_)
                | Self::Changed(_)
                | Self::Stale(_)
                | Self::NotOfReport(_)
                | Self::Generated(..)
        )
    }
}
