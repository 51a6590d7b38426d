//! Whether a statement that makes a call or an access can change places with others of its block.
//!
//! Names decide: what stands in between must not give a name of the moved statement another value, nor name what the
//! moved statement may write; and all of it must be executed to its end. Refused is more than would have to be.
//!
//! Limit: what a function of the program changes that is called in between is not known, if the call does not name it.

use crate::call::Call;
use crate::language::Language;
use crate::refusal::Refusal;
use crate::source::{Source, is_constant, names};
use crate::statement::{Kind, Statement, Step};
use farside_findings::Place;

/// A statement that is moved.
pub(crate) struct Moving {
    /// What it is called.
    what: String,
    /// All of it, with the heads of what goes with it.
    code: String,
    /// The part of it that names what it may write.
    written: String,
    /// Names that the head of a loop declares, which goes with it.
    own: Vec<String>,
}

impl Moving {
    /// One that makes a call.
    pub(crate) fn call(source: &Source, statement: &Statement, call: &Call) -> Self {
        let code = text(source, statement);
        let at = |offset: usize| (offset - statement.range().start).min(code.len());
        let assigned = &code[..at(call.name_range().start)];
        let of = |index: &usize| call.arguments().get(*index).map(|(text, _)| text.as_str());
        let arguments = match (only_synchronises(call.name()), pointers(call.name())) {
            (true, _) => String::new(),
            (false, Some(pointers)) => pointers.iter().filter_map(of).collect::<Vec<_>>().join(", "),
            (false, None) if sends_the_first(call.name()) && !call.arguments().is_empty() => {
                code[at(call.arguments()[0].1.end)..].to_owned()
            }
            (false, None) => code[at(call.name_range().end)..].to_owned(),
        };
        let written = format!("{assigned} {arguments}");
        Self {
            what: call.name().to_owned(),
            code,
            written,
            own: Vec::new(),
        }
    }

    /// One that makes an access, and no call.
    pub(crate) fn access(source: &Source, statement: &Statement) -> Self {
        let code = text(source, statement);
        let what = source.part(statement.range()).trim_end_matches(';').to_owned();
        let is_counted = code.contains("++") || code.contains("--");
        let writes_all = is_counted || code.matches('=').count() != 1;
        let written = match writes_all {
            true => code.clone(),
            false => code.split('=').next().unwrap_or_default().to_owned(),
        };
        Self {
            what,
            code,
            written,
            own: Vec::new(),
        }
    }

    /// The condition of an `if`, or the head of a loop, goes with it.
    pub(crate) fn goes_with(&mut self, head: &str) {
        self.code = format!("{head} {}", self.code);
        for (number, part) in head.split(';').enumerate() {
            let target = part.split(['=', ':']).next().unwrap_or_default();
            let is_counted = part.contains("++") || part.contains("--");
            let is_loop_of_all = number == 0 && part.contains(':') && !head.contains(';');
            let sets = part.contains('=') && head.contains(';') || is_loop_of_all;
            match names(target).count() {
                2.. if number == 0 && sets => self.own.extend(names(target).map(str::to_owned)),
                _ if sets && !compares(part) || is_counted => {
                    self.written = format!("{} {target}", self.written)
                }
                _ => {}
            }
        }
    }

    /// What it names, without what stands for the same wherever it is.
    fn names_in(&self, source: &Source, text: &str) -> Vec<String> {
        let is_meant = |name: &&str| {
            !is_constant(name)
                && *name != self.what
                && !is_keyword(source, name)
                && self.own.iter().all(|own| own != name)
        };
        names(text).filter(is_meant).map(str::to_owned).collect()
    }

    /// A name that it uses, and that a statement declares.
    pub(crate) fn local<'b>(
        &self,
        source: &Source,
        block: impl IntoIterator<Item = &'b Statement>,
    ) -> Option<Refusal> {
        let used = self.names_in(source, &self.code);
        let mut declaring = block.into_iter().filter(|one| source.declares(one));
        declaring.find_map(|one| {
            let code = text(source, one);
            let name = used
                .iter()
                .find(|name| names(&code).any(|other| other == **name))?;
            Some(self.needs(name, source, one))
        })
    }

    /// It needs a name that a statement declares.
    fn needs(&self, name: &str, source: &Source, statement: &Statement) -> Refusal {
        let place = place_of(source, statement.range().start);
        Refusal::OtherValue(self.what.clone(), name.to_owned(), place)
    }
}

/// Whether a statement can go to the other side of another one in its block.
///
/// # Errors
/// It cannot, or that is not known: why.
pub(crate) fn may_pass(
    source: &Source,
    (step, moving): (&Step<'_>, &Moving),
    to: &Step<'_>,
) -> Result<(), Refusal> {
    let own = step.statement().range();
    let all = step.block().statements();
    let between = match to.index() < step.index() {
        true => &all[to.index()..step.index()],
        false => &all[step.index() + 1..=to.index()],
    };
    let whole = match (between.first(), between.last()) {
        (Some(first), Some(last)) => first.range().start.min(own.start)..last.range().end.max(own.end),
        _ => return Ok(()),
    };
    let lines = source.part(source.line_start(whole.start)..whole.end).lines();
    let mut directives = lines.map(str::trim_start).filter(|line| line.starts_with('#'));
    if let Some(directive) = directives.next() {
        let place = place_of(source, own.start);
        return Err(match directive.starts_with("#pragma") {
            true => Refusal::Directive(place),
            false => Refusal::Preprocessor(place),
        });
    }
    let [used, may_write] = [&moving.code, &moving.written].map(|text| moving.names_in(source, text));
    for statement in between {
        let place = || place_of(source, statement.range().start);
        let code = text(source, statement);
        if may_leave(statement, &code) {
            return Err(Refusal::MayLeave(moving.what.clone(), place()));
        }
        let declares = source.declares(statement);
        let has = |name: &String| names(&code).any(|other| is_same(source, other, name));
        let changes = |name: &&String| has(name) && (declares || gives_value(source, &code, name));
        let changed = used
            .iter()
            .find(changes)
            .or_else(|| may_write.iter().find(|name| has(name)));
        if let Some(name) = changed {
            return Err(Refusal::OtherValue(moving.what.clone(), name.clone(), place()));
        }
    }
    Ok(())
}

/// Whether an expression has the same value before and after statements, as far as names tell.
pub(crate) fn keep_value(source: &Source, statements: &[Statement], expression: &str) -> bool {
    let mut wanted = names(expression).filter(|name| !is_constant(name));
    wanted.all(|name| {
        let changes = |one: &Statement| {
            let code = text(source, one);
            let has = || names(&code).any(|other| is_same(source, other, name));
            gives_value(source, &code, name) || source.declares(one) && has()
        };
        !statements.iter().any(changes)
    })
}

/// Whether an expression of a call has the value at an offset of its function that it has at the call, as far as names
/// tell: it is in a block with the call or around it, and no statement from one to the other gives it another value.
pub(crate) fn keeps_value_to(source: &Source, call: &Call, at: usize, expression: &str) -> bool {
    let from = call.name_range().start;
    let (Ok(from), Ok(to)) = (source.path(from), source.path(at)) else {
        return false;
    };
    let shared = from.iter().zip(&to).take_while(|(a, b)| a.is(b)).count();
    let (Some(one), Some(other)) = (from.get(shared), to.get(shared)) else {
        // They are the same statement, or one has the other one in it, as the head of a loop has its body.
        let around = from[..shared]
            .last()
            .filter(|_| from.len().max(to.len()) > shared);
        return around
            .is_none_or(|step| keep_value(source, std::slice::from_ref(step.statement()), expression));
    };
    if one.number() != other.number() {
        return false;
    }
    // What comes first in the text comes after the call in the next round.
    let is_round = |step: &&Step<'_>| step.statement().kind() == Kind::Loop;
    let heads = from[..shared].iter().filter(is_round);
    let mut heads = heads.flat_map(|step| step.statement().blocks().iter().map(|block| block.head()));
    let changes = |head: std::ops::Range<usize>| {
        let code = String::from_utf8_lossy(source.code(head)).into_owned();
        names(expression).any(|name| gives_value(source, &code, name))
    };
    if other.index() < one.index() && heads.any(changes) {
        return false;
    }
    let statements = one.block().statements();
    // Who stands deeper may have come there again, with another value.
    let own = |path: &[Step<'_>]| usize::from(path.len() > shared + 1);
    let between = match one.index() < other.index() {
        true => one.index() + 1 - own(&from)..other.index() + own(&to),
        false => other.index() + 1 - own(&to)..one.index() + own(&from),
    };
    keep_value(source, &statements[between], expression)
}

/// Whether a name is the word of Fortran before a call.
fn is_keyword(source: &Source, name: &str) -> bool {
    source.language() == Language::Fortran && name.eq_ignore_ascii_case("call")
}

/// Whether what a call of MPI is given first is a buffer that it reads, and does not write (MPI-4.1, appendix A.2).
fn sends_the_first(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let Some(name) = name.strip_prefix("mpi_") else {
        return false;
    };
    let name = name.strip_suffix("_c").unwrap_or(name);
    let calls = [
        "put",
        "rput",
        "accumulate",
        "raccumulate",
        "send",
        "bsend",
        "ssend",
        "rsend",
        "gather",
        "gatherv",
        "allgather",
        "allgatherv",
        "scatter",
        "scatterv",
        "alltoall",
        "alltoallv",
        "reduce",
        "allreduce",
        "scan",
        "exscan",
        "reduce_scatter",
        "reduce_scatter_block",
    ];
    calls.contains(&name) || name.strip_prefix('i').is_some_and(|name| calls.contains(&name))
}

/// Which arguments of a call are addresses of what it writes, where the others are values or what it reads (MPI-4.1
/// §6.3 to §6.12, §12.3, GASPI 17.1); `None` if that is not known here.
fn pointers(name: &str) -> Option<&'static [usize]> {
    Some(match name.to_ascii_lowercase().as_str() {
        "mpi_put" | "mpi_accumulate" | "gaspi_notify" | "gaspi_write" | "gaspi_read"
        | "gaspi_write_notify" => &[],
        "mpi_get" => &[0],
        "mpi_fetch_and_op" => &[1],
        "mpi_compare_and_swap" => &[2],
        "mpi_get_accumulate" => &[3],
        "mpi_barrier" => &[],
        "mpi_bcast" => &[0],
        "mpi_reduce"
        | "mpi_allreduce"
        | "mpi_scan"
        | "mpi_exscan"
        | "mpi_reduce_scatter"
        | "mpi_reduce_scatter_block" => &[1],
        "mpi_gather" | "mpi_gatherv" | "mpi_allgather" | "mpi_allgatherv" | "mpi_scatter"
        | "mpi_alltoall" => &[3],
        "mpi_scatterv" | "mpi_alltoallv" => &[4],
        "gaspi_notify_reset" => &[2],
        "gaspi_notify_waitsome" => &[3],
        "gaspi_atomic_fetch_add" => &[4],
        "gaspi_atomic_compare_swap" => &[5],
        "gaspi_allreduce" => &[1],
        "gaspi_allreduce_user" => &[1, 5],
        "mpi_win_test" => &[1],
        _ => return None,
    })
}

/// Whether a call writes nothing that its arguments name, beside an error.
fn only_synchronises(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let parts = ["mpi_win_", "barrier", "_quiet", "_fence", "sync"];
    let is_test = name == "mpi_win_test";
    parts.iter().any(|part| name.contains(part)) && !is_test
        || ["gaspi_wait", "shmem_free"].contains(&name.as_str())
}

/// Whether a `=` of a part of a head compares, and gives no value.
fn compares(part: &str) -> bool {
    ["==", "!=", "<=", ">="].iter().any(|sign| part.contains(sign))
}

fn text(source: &Source, statement: &Statement) -> String {
    String::from_utf8_lossy(source.code(statement.range())).into_owned()
}

fn place_of(source: &Source, at: usize) -> Place {
    let (line, _) = source.position(at);
    Place {
        file: source.file().to_owned(),
        line,
        column: None,
    }
}

fn is_same(source: &Source, one: &str, other: &str) -> bool {
    match source.language() {
        Language::Fortran => one.eq_ignore_ascii_case(other),
        _ => one == other,
    }
}

/// Whether what comes after a statement may not be reached.
pub(crate) fn may_leave(statement: &Statement, code: &str) -> bool {
    let leaving = [
        "return",
        "goto",
        "throw",
        "exit",
        "abort",
        "stop",
        "longjmp",
        "co_return",
    ];
    let of_loop = ["break", "continue", "cycle"];
    let is_round = matches!(statement.kind(), Kind::Loop | Kind::Switch);
    names(&code.to_ascii_lowercase())
        .any(|name| leaving.contains(&name) || !is_round && of_loop.contains(&name))
}

/// Whether code gives a variable another value: it, or a part of it, is assigned or counted, or its address is taken.
pub(crate) fn gives_value(source: &Source, code: &str, name: &str) -> bool {
    let names_it = |part: &str| names(part).any(|other| is_same(source, other, name));
    let assigned = code.match_indices('=').any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + 1..]);
        let compares = after.starts_with('=')
            || before.ends_with(['=', '!', '/'])
            || before.ends_with(['<', '>']) && !before.ends_with("<<") && !before.ends_with(">>");
        let target = before.rsplit([';', '{', '}', '\n']).next().unwrap_or_default();
        !compares && names_it(target)
    });
    let counted = ["++", "--"].iter().any(|sign| {
        code.match_indices(sign).any(|(at, _)| {
            let before = code[..at]
                .rsplit([';', '{', '}', '(', ','])
                .next()
                .unwrap_or_default();
            let after = code[at + 2..].split([';', ')', ',']).next().unwrap_or_default();
            names_it(before) || names_it(after)
        })
    });
    let given = code.match_indices('&').any(|(at, _)| {
        let after = code[at + 1..].trim_start();
        !code[..at].ends_with('&')
            && !after.starts_with('&')
            && !is_sent(&code[..at])
            && names(after).next().is_some_and(|other| other == name)
    });
    // In Fortran an argument is given by its address, whatever it looks like.
    let by_address = source.language() == Language::Fortran && code.to_ascii_lowercase().contains("call ");
    assigned || counted || given || by_address && !is_handle(name)
}

/// Whether what comes next is what a call sends.
fn is_sent(before: &str) -> bool {
    let call = before.trim_end().strip_suffix('(').map(str::trim_end);
    let name = call.and_then(|call| {
        call.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .next()
    });
    name.is_some_and(sends_the_first)
}

/// Whether a name is one that calls take and do not change, as far as names tell.
fn is_handle(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["win", "comm", "rank"].iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_a_variable() {
        let source = Source::read("a.c", "f() { }\n".to_owned()).expect("a source");
        let gives = |code: &str| gives_value(&source, code, "n");
        for code in [
            "n = 1;",
            "a[n] = 2;",
            "n++;",
            "--n;",
            "get(&n);",
            "MPI_Allreduce(&m, &n, 1, MPI_INT, MPI_SUM, comm);",
            "if (x) { n += 2; }",
            "n <<= 1;",
        ] {
            assert!(gives(code), "{code}");
        }
        for code in [
            "a = n;",
            "if (n == 1) { }",
            "put(n);",
            "MPI_Put(&n, 1, MPI_INT, 1, 0, 1, MPI_INT, win);",
            "MPI_Isend(&n, 1, MPI_INT, 1, 0, comm, &request);",
            "for (i = 0; i < n; i++) { }",
            "x = a && n;",
        ] {
            assert!(!gives(code), "{code}");
        }
    }
}
