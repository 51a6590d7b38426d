//! A copy of what an operation sends, made right before the call, which it sends in its place.
//!
//! The copy is static: it lives until the end of the program, so wherever the operation is complete it is there. It has
//! one place for all rounds of its statement, as in the trial; threads would share it, and no copy is tried in a
//! process of several. A function that is called at several places would share it among them, where the trial had one
//! for each: there is none in such a function. Bytes are copied, for the variable may have another type than the
//! elements that are sent.

use super::include::including;
use super::{Changes, Repair, check_statement};
use crate::call::{Call, is_call_of};
use crate::edit::{Edit, Side, beside};
use crate::language::Language;
use crate::refusal::Refusal;
use crate::source::{Source, names};
use farside_findings::Party;

/// Types of MPI, and what they are in C.
const TYPES: [(&str, &str); 22] = [
    ("MPI_CHAR", "char"),
    ("MPI_SIGNED_CHAR", "signed char"),
    ("MPI_UNSIGNED_CHAR", "unsigned char"),
    ("MPI_BYTE", "unsigned char"),
    ("MPI_SHORT", "short"),
    ("MPI_UNSIGNED_SHORT", "unsigned short"),
    ("MPI_INT", "int"),
    ("MPI_UNSIGNED", "unsigned"),
    ("MPI_LONG", "long"),
    ("MPI_UNSIGNED_LONG", "unsigned long"),
    ("MPI_LONG_LONG", "long long"),
    ("MPI_LONG_LONG_INT", "long long"),
    ("MPI_UNSIGNED_LONG_LONG", "unsigned long long"),
    ("MPI_FLOAT", "float"),
    ("MPI_DOUBLE", "double"),
    ("MPI_LONG_DOUBLE", "long double"),
    ("MPI_INT32_T", "int"),
    ("MPI_UINT32_T", "unsigned"),
    ("MPI_INT64_T", "long long"),
    ("MPI_UINT64_T", "unsigned long long"),
    ("MPI_INT8_T", "signed char"),
    ("MPI_UINT8_T", "unsigned char"),
];

/// Parts of the names of OpenSHMEM's calls, and what they are in C.
pub(super) const PARTS: [(&str, &str); 14] = [
    ("char", "char"),
    ("schar", "signed char"),
    ("short", "short"),
    ("int", "int"),
    ("long", "long"),
    ("longlong", "long long"),
    ("uchar", "unsigned char"),
    ("ushort", "unsigned short"),
    ("uint", "unsigned"),
    ("ulong", "unsigned long"),
    ("ulonglong", "unsigned long long"),
    ("float", "float"),
    ("double", "double"),
    ("longdouble", "long double"),
];

/// What a call sends.
struct Sent<'c> {
    /// The number of its argument.
    argument: usize,
    count: &'c str,
    element: &'static str,
}

impl<'c> Sent<'c> {
    /// That of a put or an accumulate; `None` if its type is not known by its name.
    fn of(call: &'c Call) -> Option<Self> {
        let text = |index: usize| call.arguments().get(index).map(|(text, _)| text.as_str());
        let lower = call.name().to_ascii_lowercase();
        if lower.starts_with("mpi_") {
            let element = TYPES.iter().find(|(name, _)| Some(*name) == text(2))?.1;
            let (argument, count) = (0, text(1)?);
            return Some(Self {
                argument,
                count,
                element,
            });
        }
        // shmem_[ctx_]TYPE_put[_nbi]([context,] dest, source, nelems, pe)
        let rest = lower.strip_prefix("shmem_")?;
        let rest = rest.strip_suffix("_nbi").unwrap_or(rest);
        let (rest, first) = match rest.strip_prefix("ctx_") {
            Some(rest) => (rest, 2),
            None => (rest, 1),
        };
        let part = rest.strip_suffix("_put")?;
        let element = PARTS.iter().find(|(name, _)| *name == part)?.1;
        Some(Self {
            argument: first,
            count: text(first + 1)?,
            element,
        })
    }
}

impl Repair<'_> {
    /// Lets the statement of an operation send a copy.
    pub(super) fn copy(&self) -> Result<Changes, Refusal> {
        let place = self.suggestion.before.as_ref();
        let place = place.ok_or(Refusal::NoPlace("the operation"))?;
        let source = self.sources.get(&place.file)?;
        if source.language() != Language::C {
            return Err(Refusal::NoCopy(
                "copies are written in C and C++".to_owned(),
                place.clone(),
            ));
        }
        let path = source.path(source.offset(place)?)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(place.clone()))?;
        check_statement(&source, step, Side::Before, place)?;
        let statement = step.statement();
        if source.is_under_directive(statement) {
            return Err(Refusal::Directive(place.clone()));
        }
        let party = self.parties.iter().find(|party| party.place() == Some(place));
        let name = party.map(|party| party.operation.as_str()).unwrap_or_default();
        let is_wanted = |other: &str| is_call_of(other, name);
        let call = Call::find(&source, statement.range(), &is_wanted);
        let call = call.ok_or_else(|| Refusal::NoCall(name.to_owned(), place.clone()))?;
        if Call::find(&source, call.end()..statement.range().end, &is_wanted).is_some() {
            return Err(Refusal::NoCopy(
                "several calls stand there".to_owned(),
                place.clone(),
            ));
        }
        let no_copy = |why: &str| Refusal::NoCopy(why.to_owned(), place.clone());
        let sent = Sent::of(&call).ok_or_else(|| no_copy("the type of its elements is not known"))?;
        if !is_constant_size(&source, sent.count) {
            return Err(no_copy("how much it sends is not known before the program runs"));
        }
        if party.is_some_and(|party| is_called_often(&source, party)) {
            return Err(no_copy("several calls of its function would share the copy"));
        }
        let (origin, range) = &call.arguments()[sent.argument];
        let variable = names(origin).next();
        let variable = variable.ok_or_else(|| no_copy("what it sends has no name"))?;
        if origin.contains('(') || origin.contains("++") || origin.contains("--") {
            return Err(no_copy("what it sends is the value of a call"));
        }
        let copy = new_name(&source, variable, &call, &is_wanted);
        let lines = match sent.count {
            "1" => [
                format!("static {} {copy};", sent.element),
                format!("memcpy(&{copy}, {origin}, sizeof {copy});"),
            ],
            count => [
                format!("static {} {copy}[{count}];", sent.element),
                format!("memcpy({copy}, {origin}, sizeof {copy});"),
            ],
        };
        let given = match sent.count {
            "1" => format!("&{copy}"),
            _ => copy,
        };
        let mut edits = beside(&source, step, Side::Before, &lines);
        edits.push(Edit::replace(range.clone(), given));
        edits.extend(including(&source, "string.h", statement.range().start));
        Ok(vec![(source.file().to_owned(), edits)])
    }
}

/// Whether a call stands in a function that is called, and its source calls that at several places, or nowhere.
fn is_called_often(source: &Source, party: &Party) -> bool {
    let [called, _caller, ..] = &party.stack[..] else {
        return false;
    };
    let name = called.function.as_deref().unwrap_or_default();
    let name = name.split(['(', '<']).next().unwrap_or_default();
    let last = |name: &str| names(name).last().map(str::to_owned);
    let name = last(name);
    // The definition looks like one.
    let is_it = |other: &str| last(other) == name;
    Call::all(source, 0..source.text().len(), &is_it).count() != 2
}

/// Whether a number of elements is one of the text: digits, and what macros of this source stand for.
pub(super) fn is_constant_size(source: &Source, count: &str) -> bool {
    let is_defined = |name: &str| {
        let mut lines = source.text().lines().map(str::trim_start);
        lines.any(|line| {
            let rest = line.strip_prefix('#').map(str::trim_start);
            let rest = rest
                .and_then(|rest| rest.strip_prefix("define"))
                .map(str::trim_start);
            rest.is_some_and(|rest| names(rest).next() == Some(name))
        })
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_ +-*".contains(c);
    !count.is_empty() && count.chars().all(is_plain) && names(count).all(is_defined)
}

/// A name for the copy that the source does not have: `value_copy`; of a later call that might send the same,
/// `value_copy_2`.
pub(super) fn new_name(
    source: &Source,
    variable: &str,
    call: &Call,
    is_wanted: &dyn Fn(&str) -> bool,
) -> String {
    let number = 1 + Call::all(source, 0..call.name_range().start, is_wanted).count();
    let is_taken = |name: &String| names(source.text()).any(|other| other == name);
    let numbered = |number: usize| match number {
        1 => format!("{variable}_copy"),
        _ => format!("{variable}_copy_{number}"),
    };
    let all = (0..).map(|more| numbered(number + 1000 * more));
    all.into_iter().find(|name| !is_taken(name)).unwrap_or_default()
}
