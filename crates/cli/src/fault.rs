//! What the user can put right: every message names the file or setting at fault, and what to do.

use crate::sources;
use farside_processes::plain;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Why a command did not do its work, through no bug of ours. All of them end with exit status 2.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    /// A command cannot be checked.
    #[error(transparent)]
    Check(farside_check::Error),
    /// The value of an option, which is written with it, is taken for the program.
    #[error("no such program: {0}; as the extent of --guard it is written --guard={0}")]
    GuardExtent(String),
    /// Tests were not run on a target, or a log of such a run cannot be used.
    #[error(transparent)]
    Conform(farside_conform::Error),
    /// Generated tests were not written.
    #[error(transparent)]
    Forge(farside_corpus::Error),
    /// Nothing says which tests are wanted.
    #[error(
        "say which tests: --all those of Table 6, --rule RULE (--procs, --actions) those of a rule, --cycle EDGES that \
         of a cycle, --edges EDGES those of all cycles of these edges; `farside forge --help` has examples"
    )]
    NothingToForge,
    /// Edges that make no cycle.
    #[error(
        "no cycle of at most {0} of these edges makes a test; more --length, or edges that lead back (Rfe, Fre, Coe)"
    )]
    NoCycles(u8),
    /// An editor is gone, or does not keep to the protocol.
    #[error(transparent)]
    Editor(#[from] farside_lsp::Error),
    /// A job was not started.
    #[error(transparent)]
    Run(#[from] farside_run::Error),
    /// A part of farside was not built or installed, for this reason.
    #[error("{0}")]
    NotInstalled(String),
    /// A program is not there, or may not be run.
    #[error(transparent)]
    Program(#[from] farside_processes::program::Unusable),
    /// Something could not be written.
    #[error("cannot write {path}: {why}", path = .0.display(), why = unwritable(.0, .1))]
    Unwritable(PathBuf, std::io::Error),
    /// There is no folder for what is needed meanwhile.
    #[error(
        "cannot write into {folder}, where temporary files go{set}: {why}; TMPDIR names another folder",
        folder = .0.display(),
        set = if std::env::var_os("TMPDIR").is_some() { " by TMPDIR" } else { "" },
        why = said_by_the_system(.1)
    )]
    NoTemporary(PathBuf, std::io::Error),
    /// Two results for one file.
    #[error("--output and --html both name {path}: give each a file of its own", path = .0.display())]
    SameFile(PathBuf),
    /// Something could not be read.
    #[error("cannot read {path}: {why}", path = .0.display(), why = unreadable(.0, .1))]
    Unreadable(PathBuf, std::io::Error),
    /// A host file that is none.
    #[error("cannot use the host file {path}: {why}", path = .0.display(), why = .1)]
    Hostfile(PathBuf, String),
    /// A job that goes on after a loss is to be checked.
    #[error(
        "--keep-going cannot be used with FARSIDE_CHECK: a job that is checked ends with the first loss; unset one of them"
    )]
    CheckedLoss,
    /// A suppression file with an error in it.
    #[error("cannot use the suppressions:\n{0}")]
    Suppressions(String),
    /// Pages of the book are missing.
    #[error("no {page} in {places}; `make site` makes the pages, and FARSIDE_DOCS names their folder")]
    PageMissing {
        /// Within the book.
        page: &'static str,
        /// The folders that were searched.
        places: String,
    },
    /// No browser.
    #[error("cannot open {path} ({why}); set BROWSER, or open it yourself", path = .0.display(), why = .1)]
    NotOpened(PathBuf, String),
    /// Pages are to be guarded on a processor whose instructions the guard does not know.
    #[error(
        "--guard decodes the instructions that access guarded pages, and knows those of x86-64 only, not of {0}; \
         compile the program with `farside cc`, `cxx` or `fc` instead, and check it without --guard"
    )]
    NoGuard(&'static str),
    /// Our own library is missing.
    #[error(
        "farside's library {name} was not found; looked in {places}; `farside setup` builds and installs it, `make build` \
         does in the sources, and FARSIDE_LIBRARIES names another folder"
    )]
    LibraryMissing {
        /// File name.
        name: &'static str,
        /// The folders that were searched.
        places: String,
    },
    /// Our own library is of another build.
    #[error("{path} belongs to another build of farside ({found}, this is {ours}); `farside setup` builds that of this \
        one, `make build` builds both in the sources", path = .path.display())]
    LibraryMismatch {
        /// The library.
        path: PathBuf,
        /// What it says it is.
        found: String,
        /// What this program is.
        ours: String,
    },
    /// The command could not be started for another reason.
    #[error("cannot start {0}: {1}")]
    NotStarted(String, std::io::Error),
    /// No such model.
    #[error("no such model: {0}{suggestion}; `farside litmus --models` lists them; a model of your own is a file \
        NAME.model", suggestion = did_you_mean(.1))]
    NoSuchModel(String, Option<String>),
    /// A model file with errors in it, each with its place.
    #[error("cannot use the model {path}:\n{errors}", path = .0.display(), errors = .1)]
    Model(PathBuf, String),
    /// A folder or list without a litmus test.
    #[error("no litmus test in {path}: {why}", path = .0.display(), why = .1)]
    NoTests(PathBuf, &'static str),
    /// An input that is no text, or far too long to be a litmus test.
    #[error("cannot read {path}: {why}", path = .0.display(), why = .1)]
    NotText(PathBuf, String),
    /// An outcome that the test does not have.
    #[error("--outcome: {0}")]
    Outcome(String),
    /// A source that `lint` cannot read.
    #[error("cannot lint {path}: {why}", path = .0.display(), why = .1)]
    NotLinted(PathBuf, String),
    /// A file that `robust` cannot read.
    #[error("cannot decide {path}: {why}", path = .0.display(), why = .1)]
    NotDecided(PathBuf, String),
    /// Files of shards that cannot be read as one run.
    #[error(transparent)]
    Shards(farside_shards::Refusal),
    /// An option of `merge` that the shards' command does not have.
    #[error("{0} is nothing that `farside {1}` writes, and these are its shards")]
    NotMerged(&'static str, String),
    /// Shards whose inputs changed before they were merged.
    #[error("--model {0} was changed after the shards were run: run them again")]
    ModelChanged(String),
    /// Shards of one target that declare different models: (model, test) twice.
    #[error(
        "the target declared model {0} to some shards and {1} to others: they ran on networks that differ"
    )]
    Declared(String, String),
    /// A run that cannot be done in shards.
    #[error("cannot cut this run into shards: {0}")]
    NoShards(&'static str),
    /// An argument that cannot be written into a file.
    #[error("cannot cut this run into shards: {0:?} is not UTF-8")]
    NotUnicode(PathBuf),
    /// A report that nobody has written.
    #[error(
        "there is no report {path}; `farside check --format json --output {path} -- COMMAND` writes one, as `farside \
         lint` does with these options", path = .0.display()
    )]
    NoSuchReport(PathBuf),
    /// A file that is no report of check or lint.
    #[error(
        "{path} is no report of check or lint: {why}; `--format json` of these commands writes one",
        path = .0.display(), why = .1
    )]
    NotReport(PathBuf, String),
    /// No such finding.
    #[error("--finding: the report has no finding and no cause {0}")]
    NoSuchFinding(String),
    /// A finding, and no report that has it.
    #[error(
        "{0} is the id of no rule; to explain a finding, name its report (in JSON): farside explain {0} report.json"
    )]
    NoReport(String),
    /// No such finding.
    #[error(
        "{path} has no finding and no cause {id}; an id is ten hexadecimal digits, as `id 80776cccfd` at the end of a finding",
        id = .0, path = .1.display()
    )]
    NotInReport(String, PathBuf),
    /// No such rule.
    #[error("no such rule: {0}; `farside rules` lists them")]
    NoSuchRule(String),
}

impl Fault {
    /// A temporary file or folder was not made, for this reason.
    pub(crate) fn no_temporary(error: std::io::Error) -> Self {
        Self::NoTemporary(std::env::temp_dir(), error)
    }
}

impl From<farside_shards::Refusal> for Fault {
    fn from(refusal: farside_shards::Refusal) -> Self {
        match refusal {
            farside_shards::Refusal::Unreadable(path, error) => Self::Unreadable(path, error),
            other => Self::Shards(other),
        }
    }
}

impl From<farside_check::Error> for Fault {
    fn from(error: farside_check::Error) -> Self {
        match error {
            farside_check::Error::Unreadable(path, error) => Self::Unreadable(path, error),
            other => Self::Check(other),
        }
    }
}

impl From<farside_conform::Error> for Fault {
    fn from(error: farside_conform::Error) -> Self {
        match error {
            farside_conform::Error::Unreadable(path, error) => Self::Unreadable(path, error),
            farside_conform::Error::Unwritable(path, error) => Self::Unwritable(path, error),
            other => Self::Conform(other),
        }
    }
}

impl From<farside_corpus::Error> for Fault {
    fn from(error: farside_corpus::Error) -> Self {
        match error {
            farside_corpus::Error::Unreadable(path, error) => Self::Unreadable(path, error),
            farside_corpus::Error::Unwritable(path, error) => Self::Unwritable(path, error),
            other @ farside_corpus::Error::Earlier(..) => Self::Forge(other),
        }
    }
}

fn did_you_mean(known: &Option<String>) -> String {
    known
        .as_ref()
        .map_or_else(String::new, |name| format!("; did you mean {name}?"))
}

/// Why a file cannot be written, and what to do where that is plain.
fn unwritable(path: &Path, error: &std::io::Error) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let missing = folder.filter(|folder| !folder.is_dir());
    let file = || path.ancestors().find(|above| above.is_file());
    match (error.kind(), missing) {
        (ErrorKind::NotFound, Some(folder)) => {
            format!("there is no folder {}; make it first", folder.display())
        }
        (ErrorKind::AlreadyExists, _) if path.is_file() => "it is a file; name a folder".into(),
        (ErrorKind::NotADirectory, _) => match file() {
            Some(file) => format!("{} is a file; name a folder", file.display()),
            None => said_by_the_system(error),
        },
        (ErrorKind::IsADirectory, _) => "it is a folder; name a file in it".into(),
        (ErrorKind::PermissionDenied, _) => "you may not write there; name another place".into(),
        _ => said_by_the_system(error),
    }
}

/// Why a file cannot be read, and what to do where that is plain.
fn unreadable(path: &Path, error: &std::io::Error) -> String {
    match (error.kind(), std::env::current_dir()) {
        (ErrorKind::NotFound, Ok(here)) if path.is_relative() => {
            format!(
                "there is no such file; give its path from here ({})",
                here.display()
            )
        }
        (ErrorKind::NotFound, _) => "there is no such file".into(),
        (ErrorKind::IsADirectory, _) => "it is a folder; name the files in it".into(),
        (ErrorKind::PermissionDenied, _) => "you may not read it; `chmod +r` or its owner gives that".into(),
        (ErrorKind::InvalidData, _) => no_text(&sources::read(path).unwrap_or_default()),
        _ => said_by_the_system(error),
    }
}

/// Why bytes are no text, where, and what to do.
pub(crate) fn no_text(bytes: &[u8]) -> String {
    let wrong = std::str::from_utf8(bytes).err().map(|error| error.valid_up_to());
    match wrong.and_then(|at| Some((at, bytes.get(at)?))) {
        Some((at, byte)) if !bytes.contains(&0) => {
            let line = bytes[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
            format!(
                "it is no text in UTF-8: line {line} has the byte {byte:#04x}; `iconv -f ISO-8859-1 -t UTF-8` makes UTF-8 \
                 of an older text"
            )
        }
        _ => "it is no text in UTF-8, but binary; is it the file that you mean?".into(),
    }
}

/// An error of the system in its words, without its number.
fn said_by_the_system(error: &std::io::Error) -> String {
    let said = error.to_string();
    match said.split_once(" (os error") {
        Some((words, _)) => words.to_owned(),
        None => said,
    }
}

/// Reads a report.
///
/// # Errors
/// It is not there, or cannot be read.
pub(crate) fn report_text(path: &Path) -> Result<Vec<u8>, Fault> {
    std::fs::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Fault::NoSuchReport(path.to_path_buf()),
        _ => Fault::Unreadable(path.to_path_buf(), error),
    })
}

/// Lines for a message, each indented, without control characters.
pub(crate) fn plain_lines(lines: &[&str]) -> String {
    let shown: Vec<String> = lines.iter().map(|line| format!("  {}", plain(line))).collect();
    shown.join("\n")
}
