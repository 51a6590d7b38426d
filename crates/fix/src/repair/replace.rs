//! Other code in the place of what is there: an argument, or the name of a call.

use super::{Changes, Repair};
use crate::call::Call;
use crate::edit::Edit;
use crate::refusal::Refusal;
use crate::source::Source;
use crate::statement::{Statement, Step};
use crate::template::Template;
use farside_findings::{Party, Place};
use std::ops::Range;

/// The promise that no other process has or wants a conflicting lock, or that each post came before its start.
const NOCHECK: &str = "MPI_MODE_NOCHECK";

impl Repair<'_> {
    /// Writes other code in the place of what is there: an argument, or the name of a call.
    pub(super) fn replace(&self) -> Result<Changes, Refusal> {
        let suggestion = self.suggestion;
        let words = || Refusal::WordsOnly(format!("write {} {}", suggestion.call, suggestion.position));
        let old = suggestion.instead_of.as_ref().ok_or_else(words)?;
        let place = suggestion
            .at
            .as_ref()
            .ok_or(Refusal::NoPlace("what is replaced"))?;
        let source = self.sources.get(&place.file)?;
        let at = source.offset(place)?;
        let path = source.path(at)?;
        let statement = path
            .last()
            .ok_or_else(|| Refusal::NoCode(place.clone()))?
            .statement();
        let not_written = || Refusal::NotWritten(old.clone(), place.clone());
        let edit = match (Template::all(old), Template::all(&suggestion.call)) {
            (Ok(old_calls), Ok(new_calls)) => {
                let (old_call, new_call) = (&old_calls[0], &new_calls[0]);
                let named = |name: &str| name.eq_ignore_ascii_case(old_call.name());
                let call = Call::find(&source, statement.range(), &named).ok_or_else(not_written)?;
                Edit::replace(call.name_range(), new_call.name())
            }
            (Err(_), Err(_)) if old.starts_with("MPI_MODE_") => {
                let wanted = parts(old);
                let range =
                    assertions(&source, statement, |parts| parts == wanted, old).ok_or_else(not_written)?;
                let edits = vec![Edit::replace(range, suggestion.call.clone())];
                let mut changes = vec![(source.file().to_owned(), edits)];
                if wanted.contains(&NOCHECK) {
                    changes.extend(self.checked_elsewhere(place)?);
                }
                return Ok(changes);
            }
            (Err(_), Ok(_)) if old == "MPI_Put" && suggestion.call.starts_with("MPI_Accumulate(") => {
                let is_put = |name: &str| name.eq_ignore_ascii_case(old);
                let call = Call::find(&source, statement.range(), &is_put).ok_or_else(not_written)?;
                let (_, window) = call.arguments().get(7).ok_or_else(not_written)?;
                let edits = vec![
                    Edit::replace(call.name_range(), "MPI_Accumulate"),
                    Edit::insert(window.start, 1, "MPI_REPLACE, "),
                ];
                return Ok(vec![(source.file().to_owned(), edits)]);
            }
            (Err(_), Err(_)) if old.starts_with("MPI_R") => {
                let edits = without_request(&source, statement, [old, &suggestion.call]);
                return Ok(vec![(source.file().to_owned(), edits.ok_or_else(words)?)]);
            }
            (Err(_), Err(_)) if old == "MPI_LOCK_SHARED" => {
                return self.locks(old, [place].into_iter().chain(&suggestion.before));
            }
            _ => return Err(words()),
        };
        Ok(vec![(source.file().to_owned(), vec![edit])])
    }

    /// Makes the locks at these places of another kind.
    fn locks<'p>(&self, old: &str, places: impl Iterator<Item = &'p Place>) -> Result<Changes, Refusal> {
        let is_lock = |name: &str| name.eq_ignore_ascii_case("MPI_Win_lock");
        let mut changes = Changes::new();
        for place in places {
            let source = self.sources.get(&place.file)?;
            let path = source.path(source.offset(place)?)?;
            let statement = path.last().map(Step::statement);
            let lock = statement.and_then(|statement| Call::find(&source, statement.range(), &is_lock));
            let kind = lock.as_ref().and_then(|lock| lock.arguments().first());
            // The other one may be so already.
            if !changes.is_empty() && kind.is_some_and(|(text, _)| *text == self.suggestion.call) {
                continue;
            }
            let (_, range) = kind
                .filter(|(text, _)| text == old)
                .ok_or_else(|| Refusal::NotWritten(old.to_owned(), place.clone()))?;
            let edit = Edit::replace(range.clone(), self.suggestion.call.clone());
            let file = source.file();
            match changes.iter_mut().find(|(changed, _)| changed == file) {
                Some((_, edits)) if edits.contains(&edit) => {}
                Some((_, edits)) => edits.push(edit),
                None => changes.push((file.to_owned(), vec![edit])),
            }
        }
        Ok(changes)
    }

    /// The other call that promised what does not hold no longer does, either, if it is written elsewhere.
    fn checked_elsewhere(&self, done: &Place) -> Result<Changes, Refusal> {
        let has_it = |parts: &[&str]| {
            let is_assertion = |part: &&str| part.starts_with("MPI_MODE_");
            parts.contains(&NOCHECK) && parts.iter().all(is_assertion)
        };
        let mut changes = Changes::new();
        let places = self.finding.parties.iter().filter_map(Party::place);
        for place in places.filter(|place| (&place.file, place.line) != (&done.file, done.line)) {
            let source = self.sources.get(&place.file)?;
            let path = source.path(source.offset(place)?)?;
            let statement = path.last().map(Step::statement);
            let range = statement.and_then(|statement| assertions(&source, statement, has_it, NOCHECK));
            // A call without it has nothing to lose.
            if let Some(range) = range {
                let text = source.part(range.clone());
                let (is_sum, left) = (text.contains('+'), parts(text));
                let left: Vec<&str> = left.into_iter().filter(|part| *part != NOCHECK).collect();
                let left = match left.is_empty() {
                    true => "0".to_owned(),
                    false => left.join(if is_sum { " + " } else { " | " }),
                };
                changes.push((source.file().to_owned(), vec![Edit::replace(range, left)]));
            }
        }
        Ok(changes)
    }
}

/// Where a call on a window has its assertions: the argument of which these are meant, else the one constant in an
/// argument.
fn assertions(
    source: &Source,
    statement: &Statement,
    are_meant: impl Fn(&[&str]) -> bool,
    constant: &str,
) -> Option<Range<usize>> {
    let call = Call::find(source, statement.range(), &|name| {
        name.to_ascii_lowercase().starts_with("mpi_win_")
    })?;
    let argument = call.arguments().iter().find(|(text, _)| are_meant(&parts(text)));
    argument
        .map(|(_, range)| range.clone())
        .or_else(|| word(source, &call, constant))
}

/// Makes a call that begins an operation with a request one without it; `None` if the request may be waited for
/// afterwards that it does not give.
fn without_request(source: &Source, statement: &Statement, [old, new]: [&str; 2]) -> Option<Vec<Edit>> {
    let call = Call::find(source, statement.range(), &|name| name == old)?;
    let [.., (_, last), (request, range)] = call.arguments() else {
        return None;
    };
    let name = request.strip_prefix('&')?.trim();
    let code = String::from_utf8_lossy(source.code(0..source.text().len())).into_owned();
    // Others that give it a value may leave one there.
    let is_given_elsewhere = code.replace(' ', "").matches(&format!("&{name})")).count() > 1;
    let is_null = code.match_indices(name).any(|(at, _)| {
        let value = code[at + name.len()..].trim_start().strip_prefix('=');
        let is_whole = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        is_whole && value.is_some_and(|value| value.trim_start().starts_with("MPI_REQUEST_NULL"))
    });
    (is_null && !is_given_elsewhere).then(|| {
        vec![
            Edit::replace(call.name_range(), new),
            Edit::replace(last.end..range.end, ""),
        ]
    })
}

/// Where one constant stands in an argument of a call, if that is once.
fn word(source: &Source, call: &Call, constant: &str) -> Option<Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let found = call.arguments().iter().flat_map(|(_, range)| {
        let text = source.part(range.clone());
        let whole = move |(at, word): &(usize, &str)| {
            let (before, after) = (&text[..*at], &text[at + word.len()..]);
            !before.ends_with(is_part) && !after.starts_with(is_part)
        };
        let places = text.match_indices(constant).filter(whole);
        places.map(|(at, word)| range.start + at..range.start + at + word.len())
    });
    let found: Vec<Range<usize>> = found.collect();
    match found.as_slice() {
        [one] if !constant.contains('|') => Some(one.clone()),
        _ => None,
    }
}

/// The constants of an assertion.
fn parts(text: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = text.split(['|', '+']).map(str::trim).collect();
    parts.sort_unstable();
    parts
}
