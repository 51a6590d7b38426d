//! The code of a suggestion: calls with names in the place of what only the sources know.
//!
//! `MPI_Win_flush(1, win); MPI_Barrier(comm)`: a window is `win`, a communicator `comm`, a request `&request`, a
//! context of OpenSHMEM `context`, a queue of GASPI `queue`, a target `rank`, or the rank that it was in the run.

use crate::braces::closing;
use crate::call::{Call, Role, window_argument};
use crate::language::Language;
use crate::passing::keeps_value_to;
use crate::refusal::Refusal;
use crate::rust;
use crate::source::{Source, names};

/// A call of a suggestion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    text: String,
    /// What it is a method of, in Rust.
    receiver: Option<String>,
    name: String,
    arguments: Vec<String>,
}

/// What the sources say of the calls of a finding.
pub(crate) struct Known<'s> {
    /// Calls of the finding, that of the place in question first.
    calls: &'s [Call],
    /// The call that made the window.
    creation: Option<&'s Call>,
    /// The window's name in the report.
    window: Option<&'s str>,
}

impl<'s> Known<'s> {
    /// The calls of the finding, the call that made its window, and the window's name.
    pub(crate) fn new(calls: &'s [Call], creation: Option<&'s Call>, window: Option<&'s str>) -> Self {
        Self {
            calls,
            creation,
            window,
        }
    }
}

impl Template {
    /// The calls of a suggestion.
    ///
    /// # Errors
    /// It is no code, or more than calls.
    pub(crate) fn all(suggestion: &str) -> Result<Vec<Self>, Refusal> {
        let words = || Refusal::WordsOnly(suggestion.to_owned());
        let one = |text: &str| {
            let open = text.find('(').ok_or_else(words)?;
            let close = closing(text.as_bytes(), open).ok_or_else(words)?;
            let (receiver, name) = match text[..open].rsplit_once('.') {
                Some((receiver, name)) => (Some(receiver.to_owned()), name),
                None => (None, &text[..open]),
            };
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !is_name || close + 1 != text.len() {
                return Err(words());
            }
            let arguments = arguments(&text[open + 1..close]).map(|part| part.trim().to_owned());
            Ok(Self {
                text: text.to_owned(),
                receiver,
                name: name.to_owned(),
                arguments: arguments.filter(|argument| !argument.is_empty()).collect(),
            })
        };
        suggestion.split("; ").map(one).collect()
    }

    /// The name of the call.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Its text, with its names.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// An argument that is a number.
    pub(crate) fn number(&self, at: usize) -> Option<u32> {
        self.arguments.get(at)?.parse().ok()
    }

    /// Its text with another expression for the window; `None` if it is of no window.
    pub(crate) fn with_window(&self, window: &str) -> Option<String> {
        let mut arguments = self.arguments.clone();
        *arguments.get_mut(window_argument(&self.name)?)? = window.to_owned();
        let receiver = self.receiver.iter().map(|receiver| format!("{receiver}."));
        let receiver: String = receiver.collect();
        Some(format!("{receiver}{}({})", self.name, arguments.join(", ")))
    }

    /// The expression for the window where a code has this call.
    pub(crate) fn window_in<'t>(&self, code: &'t str) -> Option<&'t str> {
        self.argument_in(code, window_argument(&self.name)?)
    }

    fn argument_in<'t>(&self, code: &'t str, at: usize) -> Option<&'t str> {
        let open = code.find(&format!("{}(", self.name))? + self.name.len();
        let close = closing(code.as_bytes(), open)?;
        arguments(&code[open + 1..close]).nth(at).map(str::trim)
    }

    /// The same with another expression for the target, if it has one.
    pub(crate) fn with_target(&self, target: &str) -> Self {
        let mut changed = self.clone();
        if let Some(argument) = target_argument(&self.name).and_then(|at| changed.arguments.get_mut(at)) {
            target.clone_into(argument);
            changed.text = format!("{}({})", self.name, changed.arguments.join(", "));
        }
        changed
    }

    /// The expression for the target where a code has this call.
    pub(crate) fn target_in<'t>(&self, code: &'t str) -> Option<&'t str> {
        self.argument_in(code, target_argument(&self.name)?)
    }

    /// Whether all ranks must make the call.
    pub(crate) fn is_for_all(&self) -> bool {
        let of_world = self.receiver.is_some() && self.name == "barrier";
        of_world
            || matches!(
                self.name.as_str(),
                "MPI_Barrier" | "MPI_Win_fence" | "shmem_barrier_all" | "shmem_sync_all" | "gaspi_barrier"
            )
    }

    /// Whether the call ends an epoch, so that it belongs after all that the epoch is for.
    pub(crate) fn closes(&self) -> bool {
        let ends = [
            "MPI_Win_unlock",
            "MPI_Win_unlock_all",
            "MPI_Win_complete",
            "MPI_Win_wait",
        ];
        ends.contains(&self.name.as_str())
    }

    /// The call that ends what this one begins.
    pub(crate) fn end(&self) -> Option<Self> {
        (self.name == "MPI_Win_lock").then(|| {
            let arguments = [self.arguments.get(1), self.arguments.get(3)];
            let arguments: Vec<String> = arguments.into_iter().flatten().cloned().collect();
            Self {
                text: format!("MPI_Win_unlock({})", arguments.join(", ")),
                receiver: None,
                name: "MPI_Win_unlock".to_owned(),
                arguments,
            }
        })
    }

    /// Whether it completes the operations of one rank to another one in MPI.
    pub(crate) fn is_flush(&self) -> bool {
        self.of_all_targets().is_some()
    }

    /// The same for all targets at once, which needs to name none.
    pub(crate) fn of_all_targets(&self) -> Option<Self> {
        let is_flush = ["MPI_Win_flush", "MPI_Win_flush_local"].contains(&&*self.name);
        let (_, arguments) = self.arguments.split_first().filter(|_| is_flush)?;
        let name = format!("{}_all", self.name);
        Some(Self {
            text: format!("{name}({})", arguments.join(", ")),
            receiver: None,
            name,
            arguments: arguments.to_vec(),
        })
    }

    /// The call as a statement at an offset of a source.
    ///
    /// # Errors
    /// The sources do not say what one of its names stands for, or it is not known there.
    pub(crate) fn fill(&self, known: &Known<'_>, source: &Source, at: usize) -> Result<String, Refusal> {
        match (&self.receiver, source.language()) {
            (Some(receiver), Language::Rust) => {
                return rust::statement((receiver, &self.name), known.calls, source, at);
            }
            (None, Language::C | Language::Fortran) => {}
            _ => return Err(Refusal::WordsOnly(self.text.clone())),
        }
        let filled = |(index, argument): (usize, &String)| self.argument(index, argument, known, source, at);
        let arguments: Result<Vec<String>, Refusal> = self.arguments.iter().enumerate().map(filled).collect();
        let mut arguments = arguments?;
        Ok(match source.language() {
            Language::Fortran => {
                for argument in &mut arguments {
                    *argument = argument.trim_start_matches('&').to_owned();
                }
                arguments.extend(error_variable(known, source));
                format!("call {}({})", self.name, arguments.join(", "))
            }
            Language::C | Language::Rust => format!("{}({});", self.name, arguments.join(", ")),
        })
    }

    fn argument(
        &self,
        index: usize,
        argument: &str,
        known: &Known<'_>,
        source: &Source,
        at: usize,
    ) -> Result<String, Refusal> {
        let roles = |role: Role| {
            known
                .calls
                .iter()
                .filter_map(move |call| call.role(role))
                .map(str::to_owned)
        };
        let is_target = target_argument(&self.name) == Some(index);
        let candidates: Vec<String> = match argument {
            "win" => return self.window(known, source, at),
            _ if window_argument(&self.name) == Some(index) => return self.window(known, source, at),
            "comm" => match known.creation.and_then(|call| call.role(Role::Communicator)) {
                Some(communicator) => vec![communicator.to_owned()],
                None => vec!["MPI_COMM_WORLD".to_owned()],
            },
            "&request" => roles(Role::Request).take(1).collect(),
            "queue" => roles(Role::Queue).take(1).collect(),
            "context" => roles(Role::Context).take(1).collect(),
            "rank" => roles(Role::Target).take(1).collect(),
            _ if is_target => match known.calls.first().and_then(|call| call.role(Role::Target)) {
                Some(target) if !changes(target) && source.knows(target, at) => vec![target.to_owned()],
                _ if is_number(argument) => vec![argument.to_owned()],
                // The report has what a source had there.
                target => target.map(str::to_owned).into_iter().collect(),
            },
            _ if is_number(argument) || names(argument).all(is_constant) => vec![argument.to_owned()],
            _ => Vec::new(),
        };
        if candidates.is_empty() {
            return Err(Refusal::Placeholder(argument.to_owned(), self.text.clone()));
        }
        let fits = |candidate: &&String| !changes(candidate) && source.knows(candidate, at);
        let found = candidates.iter().find(fits).cloned();
        found.ok_or_else(|| Refusal::Unknown(candidates[0].clone(), source.file().to_owned()))
    }

    /// The window, as the sources have it at an offset: by the calls of the finding in that function, by the one that
    /// made it, or by the name that is known of it. An element of an array, or a member of what a pointer points to, is
    /// another one where the number or the pointer is.
    fn window(&self, known: &Known<'_>, source: &Source, at: usize) -> Result<String, Refusal> {
        let of = |call: &Call| call.role(Role::Window).map(bare);
        let all = known.calls.iter().chain(known.creation);
        let near = all.filter(|call| call.is_near(source, at));
        let is_there = |name: &String| !changes(name) && source.knows(name, at);
        let mut refusal = match known.creation.and_then(of) {
            Some(window) => Refusal::Unknown(window, source.file().to_owned()),
            None => Refusal::Placeholder("win".to_owned(), self.text.clone()),
        };
        let mut left = Vec::new();
        for (call, window) in near.filter_map(|call| Some((call, of(call)?))) {
            match is_there(&window) {
                true if is_word(&window) || keeps_value_to(source, call, at, &window) => return Ok(window),
                true => refusal = Refusal::Another(window.clone(), source.file().to_owned()),
                false => refusal = Refusal::Unknown(window.clone(), source.file().to_owned()),
            }
            left.push(window);
        }
        // A name in another function may be that of something else here.
        let made = known.creation.and_then(of).filter(|window| is_name(window));
        let far = known.calls.iter().filter_map(of).filter(|window| is_word(window));
        let named = known.window.filter(|name| is_name(name)).map(str::to_owned);
        // A variable that is no window in this function is none under its bare name either.
        let is_base = |window: &String, name: &String| names(window).next() == names(name).next();
        let is_other = |name: &String| !left.iter().any(|window| is_base(window, name));
        let mut others = made.into_iter().chain(far).chain(named).filter(is_other);
        match others.find(is_there) {
            Some(window) => Ok(window),
            None => Err(refusal),
        }
    }
}

/// The arguments of a call.
fn arguments(inner: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    inner.split(move |c| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        c == ',' && depth == 0
    })
}

/// The argument that takes the error, where the source's calls have one.
fn error_variable(known: &Known<'_>, source: &Source) -> Option<String> {
    if let Some(variable) = known.calls.iter().find_map(Call::error_variable) {
        return Some(variable.to_owned());
    }
    let all = 0..source.text().len();
    if !known.calls.is_empty() && known.calls.iter().any(|call| call.role(Role::Window).is_some()) {
        return None;
    }
    let first = Call::find(source, all, &|name| name.eq_ignore_ascii_case("mpi_init"))?;
    first.arguments().first().map(|(text, _)| text.clone())
}

/// Which argument of a call that a suggestion may have is its target.
fn target_argument(name: &str) -> Option<usize> {
    match name {
        "MPI_Win_flush" | "MPI_Win_flush_local" | "MPI_Win_unlock" => Some(0),
        "MPI_Win_lock" => Some(1),
        _ => None,
    }
}

/// Whether to evaluate an expression again would change something.
fn changes(expression: &str) -> bool {
    ["++", "--", "+=", "-="]
        .iter()
        .any(|sign| expression.contains(sign))
}

/// A variable without the sign that gives its address.
pub(crate) fn bare(text: &str) -> String {
    text.trim_start_matches('&').trim().to_owned()
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_.->".contains(c))
}

fn is_constant(name: &str) -> bool {
    ["MPI_", "GASPI_", "SHMEM_"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}
