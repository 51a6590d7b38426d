//! Calls in the text of a source, and what their arguments are for.

use crate::braces::closing;
use crate::language::Language;
use crate::methods::makes;
use crate::source::Source;
use std::ops::Range;

/// A call in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    file: String,
    name: String,
    name_range: Range<usize>,
    arguments: Vec<(String, Range<usize>)>,
    end: usize,
}

impl Call {
    /// The first call in a part of a source whose name is wanted.
    pub(crate) fn find(source: &Source, within: Range<usize>, wanted: &dyn Fn(&str) -> bool) -> Option<Self> {
        let code = source.code(within.clone());
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let mut at = 0;
        while at < code.len() {
            let length = code[at..].iter().take_while(|byte| is_word(**byte)).count();
            if length == 0 {
                at += 1;
                continue;
            }
            let name = String::from_utf8_lossy(&code[at..at + length]).into_owned();
            let blanks = code[at + length..]
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace())
                .count();
            let open = at + length + blanks;
            if code.get(open) == Some(&b'(') && wanted(&name) {
                let close = closing(code, open)?;
                let inner = within.start + open + 1..within.start + close;
                return Some(Self {
                    file: source.file().to_owned(),
                    name,
                    name_range: within.start + at..within.start + at + length,
                    arguments: arguments(source, inner),
                    end: within.start + close + 1,
                });
            }
            at += length;
        }
        None
    }

    /// All calls in a part of a source whose names are wanted, one after the other; not those in their arguments.
    pub(crate) fn all<'s>(
        source: &'s Source,
        within: Range<usize>,
        wanted: &'s dyn Fn(&str) -> bool,
    ) -> impl Iterator<Item = Self> + 's {
        let next = move |from: usize| Self::find(source, from..within.end, wanted);
        std::iter::successors(next(within.start), move |call| next(call.end))
    }

    /// Whether it stands in the function of an offset.
    pub(crate) fn is_near(&self, source: &Source, at: usize) -> bool {
        self.file == source.file() && source.is_one_function(self.name_range.start, at)
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Where its name is.
    pub(crate) fn name_range(&self) -> Range<usize> {
        self.name_range.clone()
    }

    /// After its last byte.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// What it is a method of, if that is a name.
    pub(crate) fn receiver(&self, source: &Source) -> Option<String> {
        let before = String::from_utf8_lossy(source.code(0..self.name_range.start)).into_owned();
        let before = before.trim_end().strip_suffix('.')?.trim_end();
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let length: usize = before
            .chars()
            .rev()
            .take_while(|c| is_word(*c))
            .map(char::len_utf8)
            .sum();
        let name = &before[before.len() - length..];
        name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            .then(|| name.to_owned())
    }

    /// Its arguments with their places.
    pub(crate) fn arguments(&self) -> &[(String, Range<usize>)] {
        &self.arguments
    }

    fn argument(&self, index: usize) -> Option<&str> {
        self.arguments.get(index).map(|(text, _)| text.as_str())
    }

    /// An argument by its role.
    pub(crate) fn role(&self, role: Role) -> Option<&str> {
        self.argument(roles(&self.name, self.arguments.len(), role)?)
    }

    /// The variable for the error that Fortran's calls may have, after the arguments that C has.
    pub(crate) fn error_variable(&self) -> Option<&str> {
        let lower = self.name.to_ascii_lowercase();
        let count = TABLE
            .iter()
            .find(|row| row.0 == lower.strip_suffix("_c").unwrap_or(&lower))?
            .1;
        self.argument(count)
    }
}

/// The arguments of a call.
fn arguments(source: &Source, inner: Range<usize>) -> Vec<(String, Range<usize>)> {
    let code = source.code(inner.clone());
    let (mut depth, mut start) = (0_i32, 0);
    let mut found = Vec::new();
    for at in 0..=code.len() {
        match code.get(at) {
            Some(b'(' | b'[' | b'{') => depth += 1,
            Some(b')' | b']' | b'}') => depth -= 1,
            Some(b',') | None if depth == 0 => {
                let part = code[start..at].iter();
                let skip = |byte: &&u8| {
                    byte.is_ascii_whitespace() || (source.language() == Language::Fortran && **byte == b'&')
                };
                let before = part.clone().take_while(skip).count();
                let after = part.rev().take_while(skip).count();
                let (from, to) = (start + before, (at - after).max(start + before));
                let range = inner.start + from..inner.start + to;
                found.push((source.part(range.clone()).to_owned(), range));
                start = at + 1;
            }
            _ => {}
        }
    }
    if found.len() == 1 && found[0].0.is_empty() {
        found.clear();
    }
    found
}

/// What an argument is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The window's handle.
    Window,
    /// The rank that a call is directed to.
    Target,
    /// The handle of an operation that can be waited for.
    Request,
    /// The communicator of a window that is made.
    Communicator,
    /// A context of OpenSHMEM.
    Context,
    /// A queue of GASPI.
    Queue,
}

/// Calls of MPI by their names in small letters: the number of arguments in C, and which are the target, the window,
/// the request and the communicator.
type Row = (&'static str, usize, [Option<usize>; 4]);

const TABLE: &[Row] = &[
    ("mpi_put", 8, [Some(3), Some(7), None, None]),
    ("mpi_get", 8, [Some(3), Some(7), None, None]),
    ("mpi_accumulate", 9, [Some(3), Some(8), None, None]),
    ("mpi_get_accumulate", 12, [Some(6), Some(11), None, None]),
    ("mpi_rput", 9, [Some(3), Some(7), Some(8), None]),
    ("mpi_rget", 9, [Some(3), Some(7), Some(8), None]),
    ("mpi_raccumulate", 10, [Some(3), Some(8), Some(9), None]),
    ("mpi_rget_accumulate", 13, [Some(6), Some(11), Some(12), None]),
    ("mpi_fetch_and_op", 7, [Some(3), Some(6), None, None]),
    ("mpi_compare_and_swap", 7, [Some(4), Some(6), None, None]),
    ("mpi_win_lock", 4, [Some(1), Some(3), None, None]),
    ("mpi_win_unlock", 2, [Some(0), Some(1), None, None]),
    ("mpi_win_lock_all", 2, [None, Some(1), None, None]),
    ("mpi_win_unlock_all", 1, [None, Some(0), None, None]),
    ("mpi_win_flush", 2, [Some(0), Some(1), None, None]),
    ("mpi_win_flush_local", 2, [Some(0), Some(1), None, None]),
    ("mpi_win_flush_all", 1, [None, Some(0), None, None]),
    ("mpi_win_flush_local_all", 1, [None, Some(0), None, None]),
    ("mpi_win_sync", 1, [None, Some(0), None, None]),
    ("mpi_win_fence", 2, [None, Some(1), None, None]),
    ("mpi_win_post", 3, [None, Some(2), None, None]),
    ("mpi_win_start", 3, [None, Some(2), None, None]),
    ("mpi_win_complete", 1, [None, Some(0), None, None]),
    ("mpi_win_wait", 1, [None, Some(0), None, None]),
    ("mpi_win_create", 6, [None, Some(5), None, Some(4)]),
    ("mpi_win_allocate", 6, [None, Some(5), None, Some(3)]),
    ("mpi_win_allocate_shared", 6, [None, Some(5), None, Some(3)]),
    ("mpi_win_create_dynamic", 3, [None, Some(2), None, Some(1)]),
    ("mpi_win_free", 1, [None, Some(0), None, None]),
];

/// The number of an argument, by its role.
fn roles(name: &str, count: usize, role: Role) -> Option<usize> {
    let lower = name.to_ascii_lowercase();
    let row = || {
        TABLE
            .iter()
            .find(|row| row.0 == lower.strip_suffix("_c").unwrap_or(&lower))
    };
    match role {
        Role::Target => row()?.2[0],
        Role::Window => row()?.2[1],
        Role::Request => row()?.2[2],
        Role::Communicator => row()?.2[3],
        Role::Context => lower.starts_with("shmem_").then_some(0),
        // The queue and the time limit come last in every call that has a queue.
        Role::Queue => lower.starts_with("gaspi_").then(|| count.checked_sub(2))?,
    }
}

/// Which argument of a call is its window; `None` if it has none.
pub(crate) fn window_argument(name: &str) -> Option<usize> {
    roles(name, 0, Role::Window)
}

/// Whether a call in a source is an operation of a report, which has one name for calls of many types.
pub(crate) fn is_call_of(written: &str, operation: &str) -> bool {
    let (written, operation) = (written.to_ascii_lowercase(), operation.to_ascii_lowercase());
    let operation = operation.split_whitespace().next().unwrap_or_default();
    match operation.split_once('_') {
        Some(("mpi", _)) => written.strip_suffix("_c").unwrap_or(&written) == operation,
        Some(("shmem", _)) => written.starts_with("shmem_"),
        Some(("gaspi", _)) => {
            let one = written.replacen("_list", "", 1);
            one.starts_with(operation) || operation.starts_with(&one)
        }
        _ => makes(&written, operation),
    }
}
