//! Memory that is attached to a dynamic window before others learn its address.
//!
//! Which memory that is, the text tells: what `MPI_Get_address` is given above the call in its function, if that is
//! one variable, and one that no call of the file attaches. An array or a variable is attached as it is, a vector with
//! its elements, and a pointer with as many bytes as were allocated for it. Where the memory is freed while the window
//! is there, it is detached first.

use super::between::check_beside;
use super::{Changes, Repair, check_statement};
use crate::call::{Call, Role};
use crate::edit::{Side, beside};
use crate::language::Language;
use crate::passing::gives_value;
use crate::refusal::Refusal;
use crate::source::{Source, names};
use crate::statement::{Kind, Statement, Step};
use crate::template::Template;
use std::ops::Range;

/// Memory, as a call is given it.
struct Memory {
    /// The variable that it is, or that has its address.
    variable: String,
    base: String,
    size: String,
}

impl Repair<'_> {
    /// Attaches the memory whose address is given away.
    pub(super) fn attach(&self, call: &Template) -> Result<Changes, Refusal> {
        let (place, side) = self.spot(std::slice::from_ref(call))?;
        let source = self.sources.get(&place.file)?;
        let at = source.offset(place)?;
        let path = source.path(at)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(place.clone()))?;
        check_statement(&source, step, side, place)?;
        check_beside(&source, step, (at, side), place)?;
        let absent = |what: &str| Refusal::Placeholder(what.to_owned(), call.text().to_owned());
        if source.language() != Language::C {
            return Err(absent("base"));
        }
        let operation = self.parties.iter().find_map(|party| self.call_of(party));
        let window = operation.as_ref().and_then(|call| call.role(Role::Window));
        let window = window.ok_or_else(|| absent("win"))?;
        let function = path.iter().find(|step| step.statement().kind() == Kind::Function);
        let function = function.ok_or_else(|| absent("base"))?.statement().range();
        let given = given(&source, function.start..at).ok_or_else(|| absent("base"))?;
        for name in [window, &given] {
            if !source.knows(name, at) {
                return Err(Refusal::Unknown(name.to_owned(), source.file().to_owned()));
            }
        }
        let memory = Memory::of(&source, &path, &given).ok_or_else(|| absent("size"))?;
        let Memory { variable, base, size } = memory;
        let line = format!("MPI_Win_attach({window}, {base}, {size});");
        let mut edits = beside(&source, step, side, &[line]);
        if let Some(freed) = freed(&source, at..function.end, [window, &variable]) {
            let path = source.path(freed)?;
            let step = path.last().ok_or_else(|| absent("base"))?;
            let line = format!("MPI_Win_detach({window}, {base});");
            edits.extend(beside(&source, step, Side::Before, &[line]));
        }
        Ok(vec![(source.file().to_owned(), edits)])
    }
}

impl Memory {
    /// What has its address taken; `None` if its size is not known.
    fn of(source: &Source, path: &[Step<'_>], given: &str) -> Option<Self> {
        let variable = names(given).next()?.to_owned();
        let told = |base: &str, size: String| {
            let (variable, base) = (variable.clone(), base.to_owned());
            Some(Self { variable, base, size })
        };
        let bare: String = given.split_whitespace().collect();
        if bare == format!("{variable}.data()") {
            return told(given, format!("{variable}.size() * sizeof {variable}[0]"));
        }
        // An element that is no address may have one as its value, and so may a variable of a type with a name.
        let is_element = bare.contains('[') && !bare.starts_with('&');
        let is_plain =
            !given.contains(['(', '.', '>']) && bare.trim_start_matches('&').starts_with(&variable);
        let is_itself = bare == format!("&{variable}");
        let whole = || format!("sizeof {variable}");
        match declared(source, path, &variable).filter(|_| is_plain && !is_element)? {
            Declared::Array => told(&variable, whole()),
            Declared::Pointer | Declared::Variable if is_itself => told(&bare, whole()),
            Declared::Pointer => told(&variable, allocated(source, path, &variable)?),
            Declared::Variable => None,
        }
    }
}

/// What a variable is declared as.
enum Declared {
    Array,
    Pointer,
    Variable,
}

/// The statements above a place, in the blocks around it, the nearest first; each with those of its block that come
/// after it, down to the place.
fn above<'s>(path: &[Step<'s>]) -> impl Iterator<Item = (&'s Statement, &'s [Statement])> {
    let blocks = path
        .iter()
        .rev()
        .map(|step| (step.block().statements(), step.index()));
    blocks.flat_map(|(all, index)| (0..index).rev().map(move |at| (&all[at], &all[at + 1..index])))
}

fn declared(source: &Source, path: &[Step<'_>], variable: &str) -> Option<Declared> {
    above(path).find_map(|(statement, _)| {
        if statement.kind() != Kind::Simple {
            return None;
        }
        let code = String::from_utf8_lossy(source.code(statement.range())).into_owned();
        let first = names(&code).next()?;
        let code = code.strip_prefix("static").unwrap_or(&code);
        if !(source.declares(statement) && names(code).nth(1).is_some()) || first == variable {
            return None;
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let (at, _) = code.match_indices(variable).find(|(at, _)| {
            let after = &code[at + variable.len()..];
            let is_given = code[..*at]
                .rsplit(',')
                .next()
                .is_some_and(|before| before.contains(['=', '(']));
            !code[..*at].ends_with(is_part) && !after.starts_with(is_part) && !is_given
        })?;
        let after = code[at + variable.len()..].trim_start();
        Some(
            match (after.starts_with('['), code[..at].trim_end().ends_with('*')) {
                (true, false) => Declared::Array,
                (false, true) => Declared::Pointer,
                // Or an array of addresses.
                _ => Declared::Variable,
            },
        )
    })
}

/// How many bytes were allocated for a pointer, as the text has it, if that has the same value at the place.
fn allocated(source: &Source, path: &[Step<'_>], variable: &str) -> Option<String> {
    let (statement, below) =
        above(path).find(|(statement, _)| points_elsewhere(source, statement, variable))?;
    let wanted = ["malloc", "calloc", "MPI_Alloc_mem"];
    let call = Call::find(source, statement.range(), &|name| wanted.contains(&name))?;
    let argument = |at: usize| call.arguments().get(at).map(|(text, _)| text.as_str());
    let size = match call.name() {
        "calloc" => format!("{} * {}", factor(argument(0)?), factor(argument(1)?)),
        "MPI_Alloc_mem" if names(argument(2)?).next() != Some(variable) => return None,
        _ => argument(0)?.to_owned(),
    };
    let changes = |name: &str| {
        let gives = |one: &Statement| {
            let code = String::from_utf8_lossy(source.code(one.range())).into_owned();
            gives_value(source, &code, name)
        };
        below.iter().any(gives)
    };
    let is_simple = statement.kind() == Kind::Simple && !size.contains("++") && !size.contains("--");
    (is_simple && !values(&size).any(changes)).then_some(size)
}

/// The names of an expression whose values count: what `sizeof` is given has none.
fn values(expression: &str) -> impl Iterator<Item = &str> {
    let parts = expression.split("sizeof").enumerate();
    parts.flat_map(|(number, part)| {
        let part = part.trim_start_matches([' ', '*', '&']);
        let length = |part: &str| match part.strip_prefix('(') {
            Some(inner) => inner.find(')').map_or(part.len(), |end| end + 2),
            None => part
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(part.len()),
        };
        let skipped = if number == 0 { 0 } else { length(part) };
        names(&part[skipped..])
    })
}

/// Whether a statement gives a pointer another value, and not what it points to.
fn points_elsewhere(source: &Source, statement: &Statement, pointer: &str) -> bool {
    let code = String::from_utf8_lossy(source.code(statement.range())).into_owned();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(pointer).any(|(at, _)| {
        let (before, after) = (code[..at].trim_end(), &code[at + pointer.len()..]);
        let is_whole = !code[..at].ends_with(is_part) && !after.starts_with(is_part);
        let after = after.trim_start();
        let is_assigned = after.starts_with('=') && !after.starts_with("==");
        let is_dereferenced = before.ends_with('*') && !source.declares(statement);
        is_whole && (is_assigned && !is_dereferenced || before.ends_with('&'))
    })
}

/// An expression that may be multiplied.
fn factor(text: &str) -> String {
    match text.contains(['+', '-', '?', '<', '>']) {
        true => format!("({text})"),
        false => text.to_owned(),
    }
}

/// What `MPI_Get_address` is given in a part of a source, if that is one variable that nothing attaches.
fn given(source: &Source, within: Range<usize>) -> Option<String> {
    let all = 0..source.text().len();
    let attached = calls(source, all, &["MPI_Win_attach"]);
    let attached: Vec<&str> = attached.iter().filter_map(|call| variable(call, 1)).collect();
    let taken = calls(source, within, &["MPI_Get_address"]);
    let mut open = taken
        .iter()
        .filter(|call| variable(call, 0).is_some_and(|name| !attached.contains(&name)));
    let first = open.next()?;
    let is_one = open.all(|other| variable(other, 0) == variable(first, 0));
    is_one.then(|| first.arguments()[0].0.clone())
}

/// Where the memory of a variable is freed while a window is there, or may be.
fn freed(source: &Source, within: Range<usize>, [window, memory]: [&str; 2]) -> Option<usize> {
    let free = calls(source, within.clone(), &["free", "MPI_Free_mem"]);
    let free = free
        .iter()
        .find(|call| variable(call, 0) == Some(memory))?
        .name_range()
        .start;
    let ends = calls(source, within, &["MPI_Win_free"]);
    let is_over = |call: &Call| variable(call, 0) == names(window).next() && call.end() <= free;
    (!ends.iter().any(is_over)).then_some(free)
}

/// The first name in an argument.
fn variable(call: &Call, at: usize) -> Option<&str> {
    names(&call.arguments().get(at)?.0).next()
}

/// All calls of these names in a part of a source.
fn calls(source: &Source, within: Range<usize>, wanted: &[&str]) -> Vec<Call> {
    Call::all(source, within, &|name| wanted.contains(&name)).collect()
}
