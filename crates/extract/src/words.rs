//! What a repair of an MPI program changes, in the words of MPI.
//!
//! Promise: a wait for operations of a window becomes a flush of it that waits for no less: of one target after an
//! operation on it, if that is asked for, else of all targets; before a barrier of a program that ends epochs by
//! fences, that becomes a fence. A local flush becomes a flush. Where a call is more than a wait (`MPI_Wait`,
//! `MPI_Win_complete`) the flush comes after it. What waits for stores to shared memory is `MPI_Win_sync`. A barrier
//! becomes that of all processes. What has no such words, or would stand where MPI does not allow it, is refused with
//! the reason.

use crate::call_text::CallText;
use crate::declare::{is_of_atomics, is_of_stores, window_of};
use crate::names::Names;
use farside_pgas::ast::{
    Call, Completion, Expression, Name, Place, Program, Statement, StatementKind, Target,
};
use farside_pgas::change::{Change, Gap, Kind};

/// How far a flush after an operation goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The target of that operation.
    Target,
    /// All targets.
    All,
}

/// The variables that a program calls its windows by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WindowNames(Names<u32>);

impl WindowNames {
    /// Those that the calls in a text name, by which a program of the calculus was made.
    #[must_use]
    pub fn of(program: &Program, text: &str) -> Self {
        let mut names = Self::default();
        names.read(&program.body, text);
        names
    }

    fn read(&mut self, block: &[Statement], text: &str) {
        for Statement { kind, place } in block {
            match kind {
                StatementKind::Transfer { queue, .. } | StatementKind::Atomic { queue, .. } => {
                    let (Target::Name(queue) | Target::Element(queue, _)) = queue else {
                        continue;
                    };
                    let call = text.get(place.0.clone()).and_then(CallText::first);
                    // The end of an epoch writes to the queue of its window, too.
                    let call = call.filter(|call| call.target().is_some());
                    if let (Some(window), Some(call)) = (window_of(&queue.text), call) {
                        self.0.note(window, call.window());
                    }
                }
                // What waits for stores is a call that names the window.
                StatementKind::Wait {
                    what: Target::Name(name),
                    ..
                } if is_of_stores(&name.text) => {
                    let call = text.get(place.0.clone()).and_then(CallText::first);
                    let called = call.filter(|call| call.name().starts_with("MPI_Win_"));
                    let called = called.and_then(|call| call.window());
                    if let (Some(window), Some(called)) = (window_of(&name.text), called) {
                        self.0.note(window, Some(called));
                    }
                }
                kind => kind.blocks().into_iter().for_each(|block| self.read(block, text)),
            }
        }
    }

    /// A change of the program of the calculus, as one of the text that it was made of.
    ///
    /// # Errors
    /// Why MPI has no words for it, for people.
    pub fn change(&self, change: &Change, text: &str, reach: Reach) -> Result<Change, String> {
        match change {
            Change::Insert {
                gap,
                statement: StatementKind::Barrier,
                kind,
            } => Ok(Change::Insert {
                gap: gap.clone(),
                statement: call("MPI_Barrier", &["MPI_COMM_WORLD"]),
                kind: *kind,
            }),
            Change::Insert {
                gap,
                statement: StatementKind::Wait { what, completion },
                kind,
            } => {
                if let Target::Name(name) | Target::Element(name, _) = what
                    && is_of_stores(&name.text)
                {
                    return Ok(Change::Insert {
                        gap: gap.clone(),
                        statement: call("MPI_Win_sync", &[&self.name(what)?]),
                        kind: *kind,
                    });
                }
                if let Some(fence) = self.fence(what, text, gap.end, *kind) {
                    return Ok(fence);
                }
                let window = self.locked(what, text)?;
                // A local flush says nothing of what an atomic operation does.
                let completion = match what {
                    Target::Name(name) | Target::Element(name, _) if is_of_atomics(&name.text) => {
                        Completion::Full
                    }
                    _ => *completion,
                };
                let beside = text.get(gap.statement..gap.end).and_then(CallText::first);
                let target = beside
                    .filter(|call| gap.behind && call.window().as_ref() == Some(&window))
                    .and_then(|call| call.target().map(str::to_owned))
                    .filter(|_| reach == Reach::Target);
                Ok(Change::Insert {
                    gap: gap.clone(),
                    statement: flush(&window, target.as_deref(), completion),
                    kind: *kind,
                })
            }
            Change::Strengthen {
                statement,
                end,
                with: StatementKind::Wait { what, .. },
                kind,
                instead,
            } => self.stronger(text, (*statement, *end), what, (*kind, *instead)),
            Change::Remove { .. } => Ok(change.clone()),
            _ => Err("MPI has no call for it".to_owned()),
        }
    }

    fn stronger(
        &self,
        text: &str,
        (statement, end): (usize, usize),
        what: &Target,
        (kind, instead): (Kind, Option<Kind>),
    ) -> Result<Change, String> {
        let source = text.get(statement..end).unwrap_or_default();
        let local = CallText::first(source).filter(|call| call.name().starts_with("MPI_Win_flush_local"));
        if let Some(local) = local {
            let name = local.name().replace("_local", "");
            return Ok(Change::Strengthen {
                statement: statement + local.range().start,
                end: statement + local.range().end,
                with: call(&name, local.arguments()),
                kind,
                instead,
            });
        }
        let gap = Gap {
            statement,
            end,
            behind: true,
            everyone: false,
        };
        Ok(Change::Insert {
            gap,
            statement: flush(&self.locked(what, text)?, None, Completion::Full),
            kind,
        })
    }

    /// A barrier that comes next, as a fence of the window that is waited for: where fences are what ends its epochs.
    fn fence(&self, what: &Target, text: &str, end: usize, kind: Kind) -> Option<Change> {
        let window = self.name(what).ok()?;
        let calls = |name: &'static str, within: &str| {
            let calls = within
                .match_indices(name)
                .filter_map(|(at, _)| CallText::first(&within[at..]).map(|call| call.window()));
            calls.into_iter().any(|of| of.as_deref() == Some(window.as_str()))
        };
        let next = CallText::first(text.get(end..)?)?;
        let fits = next.name() == "MPI_Barrier"
            && calls("MPI_Win_fence", text.get(..end)?)
            && !calls("MPI_Win_lock", text);
        fits.then(|| Change::Strengthen {
            statement: end + next.range().start,
            end: end + next.range().end,
            with: call("MPI_Win_fence", &["0", &window]),
            kind,
            instead: None,
        })
    }

    /// What the program calls the window of what is waited for.
    fn name(&self, what: &Target) -> Result<String, String> {
        let (Target::Name(name) | Target::Element(name, _)) = what else {
            return Err("MPI has no call for it".to_owned());
        };
        let window = window_of(&name.text).ok_or("MPI has no call for it")?;
        match self.0.get(&window) {
            Some(name) => Ok(name.to_owned()),
            None => Err("the calls of the program do not say by one name which window it is".to_owned()),
        }
    }

    /// The name of the window that is waited for, if the program locks it: a flush stands in an epoch of locks.
    fn locked(&self, what: &Target, text: &str) -> Result<String, String> {
        let name = self.name(what)?;
        let locks = text
            .match_indices("MPI_Win_lock")
            .filter_map(|(at, _)| CallText::first(&text[at..]));
        if locks
            .into_iter()
            .any(|lock| lock.window().as_ref() == Some(&name))
        {
            return Ok(name);
        }
        Err(format!(
            "a flush of {name} is needed, which MPI allows only where it is locked (MPI-4.1 §12.5.4), and the program \
             does not lock it: end the epoch there (MPI_Win_fence, MPI_Win_wait), or lock the window"
        ))
    }
}

/// A call of a function.
fn call(function: &str, arguments: &[&str]) -> StatementKind {
    let name = |text: &str| Name {
        text: text.to_owned(),
        place: Place::default(),
    };
    let arguments = arguments
        .iter()
        .map(|argument| Expression::Value(Target::Name(name(argument))));
    StatementKind::Call {
        into: None,
        call: Call {
            name: name(function),
            arguments: arguments.collect(),
        },
    }
}

fn flush(window: &str, target: Option<&str>, completion: Completion) -> StatementKind {
    match (target, completion) {
        (Some(target), Completion::Full) => call("MPI_Win_flush", &[target, window]),
        (Some(target), Completion::Local) => call("MPI_Win_flush_local", &[target, window]),
        (None, Completion::Full) => call("MPI_Win_flush_all", &[window]),
        (None, Completion::Local) => call("MPI_Win_flush_local_all", &[window]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_pgas::parser::parse;

    /// A program of one put, which stands in C for the last statement, and the text.
    fn program(put: &str, rest: &str) -> (WindowNames, String, usize, usize) {
        let program = "program p\nranks 2\ndomain 2\nshared x\nqueue mpi_transfers_0 unordered\n\
                       write(x, 1, x, mpi_transfers_0)\n";
        let mut program = parse(program).unwrap();
        let text = format!("{put}\n{rest}");
        let start = put.find("MPI_Put").unwrap();
        program.body[0].place.0 = start..put.len();
        (WindowNames::of(&program, &text), text, start, put.len())
    }

    /// The gap after a statement, which all processes come to.
    fn after(statement: usize, end: usize) -> Gap {
        Gap {
            statement,
            end,
            behind: true,
            everyone: true,
        }
    }

    fn wait(what: &str) -> StatementKind {
        let name = Name {
            text: what.to_owned(),
            place: Place::default(),
        };
        StatementKind::Wait {
            what: Target::Name(name),
            completion: Completion::Full,
        }
    }

    fn words(change: &Change) -> String {
        change.words("it")
    }

    #[test]
    fn a_wait_after_an_operation_is_a_flush_of_its_target() {
        let (names, text, statement, end) = program(
            "MPI_Put(&x, f(1, 2), t, (me + 1) % n,\n  0, 1, t, h->win[0]); // sent",
            "MPI_Win_lock_all(0, h->win[0]);",
        );
        let insert = |what: &str| Change::Insert {
            gap: after(statement, end),
            statement: wait(what),
            kind: Kind::Wait,
        };
        let said = |what, reach| {
            names
                .change(&insert(what), &text, reach)
                .map(|change| words(&change))
        };
        assert_eq!(
            said("mpi_writes_0", Reach::Target).unwrap(),
            "insert `MPI_Win_flush((me + 1) % n, h->win[0])` after `it`"
        );
        assert_eq!(
            said("mpi_transfers_0", Reach::All).unwrap(),
            "insert `MPI_Win_flush_all(h->win[0])` after `it`"
        );
        let local = Change::Insert {
            gap: after(statement, end),
            statement: match wait("mpi_atomics_0") {
                StatementKind::Wait { what, .. } => StatementKind::Wait {
                    what,
                    completion: Completion::Local,
                },
                other => other,
            },
            kind: Kind::Wait,
        };
        let local = names.change(&local, &text, Reach::All).unwrap();
        assert_eq!(words(&local), "insert `MPI_Win_flush_all(h->win[0])` after `it`");
        // A window that no call names, and what is none.
        assert!(said("mpi_writes_1", Reach::All).is_err());
        assert!(said("mpi_messages", Reach::All).is_err());
    }

    #[test]
    fn a_local_flush_is_made_a_flush_and_other_calls_stay() {
        let put = "MPI_Put(&x, 1, t, 1, 0, 1, t, win);";
        let rest = "if (a) MPI_Win_flush_local(1, win); // b\nMPI_Wait(&r, s);\nMPI_Win_lock(1, 0, 0, win);";
        let (names, text, ..) = program(put, rest);
        let strengthen = |call: &str| {
            let statement = text.find(call).unwrap();
            let end = statement + text[statement..].find('\n').unwrap();
            let change = Change::Strengthen {
                statement,
                end,
                with: wait("mpi_writes_0"),
                kind: Kind::Wait,
                instead: None,
            };
            names.change(&change, &text, Reach::All).unwrap()
        };
        let flush = strengthen("if (a)");
        assert_eq!(words(&flush), "replace `it` by `MPI_Win_flush(1, win)`");
        assert_eq!(&text[flush.at()..flush.at() + 19], "MPI_Win_flush_local");
        assert_eq!(
            words(&strengthen("MPI_Wait")),
            "insert `MPI_Win_flush_all(win)` after `it`"
        );
    }

    #[test]
    fn what_waits_for_stores_to_shared_memory_is_a_sync() {
        let (text, sync) = ("at[0] = 1; at[1] = 1; MPI_Win_sync(shared);", 22);
        let of_window = Statement {
            kind: wait("mpi_stores_3"),
            place: Place(sync..text.len()),
        };
        let mut names = WindowNames::default();
        names.read(&[of_window], text);
        for waited in ["mpi_stores_3", "mpi_reached_3"] {
            let change = Change::Insert {
                gap: after(0, 10),
                statement: wait(waited),
                kind: Kind::Wait,
            };
            let said = names.change(&change, text, Reach::Target).unwrap();
            assert_eq!(words(&said), "insert `MPI_Win_sync(shared)` after `it`");
        }
    }

    #[test]
    fn a_window_that_is_not_locked_is_not_flushed() {
        let (names, text, statement, end) = program("MPI_Put(&x, 1, t, 1, 0, 1, t, win);", "");
        let change = Change::Insert {
            gap: after(statement, end),
            statement: wait("mpi_writes_0"),
            kind: Kind::Wait,
        };
        let why = names.change(&change, &text, Reach::Target).unwrap_err();
        assert!(why.contains("§12.5.4"), "{why}");
        // A barrier after it becomes a fence, if there was one.
        for (before, fence) in [("MPI_Win_fence(0, win);\n", true), ("", false)] {
            let put = format!("{before}MPI_Put(&x, 1, t, 1, 0, 1, t, win);");
            let (names, text, statement, end) = program(&put, "  MPI_Barrier(MPI_COMM_WORLD);\n");
            let change = Change::Insert {
                gap: after(statement, end),
                statement: wait("mpi_writes_0"),
                kind: Kind::Wait,
            };
            let changed = names.change(&change, &text, Reach::Target);
            let said = changed.map(|change| words(&change)).ok();
            let expected = "replace `it` by `MPI_Win_fence(0, win)`";
            assert_eq!(said.as_deref(), fence.then_some(expected));
        }
    }
}
