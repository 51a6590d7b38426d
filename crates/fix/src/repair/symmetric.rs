//! Variables of `main` that have to be symmetric: they become static.
//!
//! `main` is called once, so that its variables have the value that they are declared with as often as before. Which
//! argument is meant, the report says in words only; so each becomes static that is a variable of `main` itself.

use super::{Changes, Repair};
use crate::call::{Call, is_call_of};
use crate::edit::Edit;
use crate::language::Language;
use crate::refusal::Refusal;
use crate::source::{Source, names};
use crate::statement::{Kind, Step};

impl Repair<'_> {
    /// Makes the variables that a call is given static.
    pub(super) fn make_static(&self) -> Result<Changes, Refusal> {
        let place = self.suggestion.before.as_ref();
        let place = place.ok_or(Refusal::NoPlace("the call"))?;
        let source = self.sources.get(&place.file)?;
        let path = source.path(source.offset(place)?)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(place.clone()))?;
        let party = self.parties.iter().find(|party| party.place() == Some(place));
        let name = party.map(|party| party.operation.as_str()).unwrap_or_default();
        let call = Call::find(&source, step.statement().range(), &|other| {
            is_call_of(other, name)
        });
        let call = call.ok_or_else(|| Refusal::NoCall(name.to_owned(), place.clone()))?;
        let is_main = |step: &Step<'_>| {
            let heads = step.statement().blocks().first().map(|block| block.head());
            let head = heads.map(|head| String::from_utf8_lossy(source.code(head)).into_owned());
            step.statement().kind() == Kind::Function && head.is_some_and(|head| head.contains("main("))
        };
        if source.language() != Language::C || !path.iter().any(is_main) {
            return Err(Refusal::NotOnce(place.clone()));
        }
        let given = call.arguments().iter();
        let declared = given.filter_map(|(argument, _)| declaration(&source, &path, argument));
        let mut edits: Vec<Edit> = Vec::new();
        for at in declared {
            let edit = Edit::insert(at, 1, "static ");
            if !edits.contains(&edit) {
                edits.push(edit);
            }
        }
        match edits.is_empty() {
            true => Err(Refusal::Placeholder("the variable".to_owned(), name.to_owned())),
            false => Ok(vec![(source.file().to_owned(), edits)]),
        }
    }
}

/// Where the declaration begins of a variable whose own memory an argument is: an array, or what has its address taken.
fn declaration(source: &Source, path: &[Step<'_>], argument: &str) -> Option<usize> {
    let variable = names(argument).next()?;
    let is_address = argument.trim_start().starts_with('&');
    let earlier = path
        .iter()
        .flat_map(|step| &step.block().statements()[..step.index()]);
    let declares = |code: &str| {
        let at = code.match_indices(variable).find(|(at, _)| {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let after = &code[at + variable.len()..];
            !code[..*at].ends_with(is_part) && !after.starts_with(is_part)
        });
        at.is_some_and(|(at, _)| {
            let is_pointer = code[..at].trim_end().ends_with('*');
            let is_array = code[at + variable.len()..].trim_start().starts_with('[');
            let is_given = code[..at]
                .rsplit(',')
                .next()
                .is_some_and(|before| before.contains('='));
            !is_given && !is_pointer && (is_array || is_address)
        })
    };
    let found = earlier.filter(|statement| statement.kind() == Kind::Simple && source.declares(statement));
    let mut found = found.filter(|statement| {
        let code = String::from_utf8_lossy(source.code(statement.range())).into_owned();
        let is_automatic = !code.starts_with("static") && !code.starts_with("extern");
        is_automatic && has_constants(&code) && declares(&code)
    });
    found.next_back().map(|statement| statement.range().start)
}

/// Whether all values that a declaration gives are known before the program runs, as far as their text tells: what is
/// static takes no others.
fn has_constants(code: &str) -> bool {
    let is_variable = |name: &str| name.chars().any(char::is_lowercase);
    let mut values = code.split('=').skip(1);
    let are_constant = values.all(|value| {
        let end: &[char] = if value.contains('}') { &['}'] } else { &[',', ';'] };
        let value = value.split(end).next().unwrap_or_default();
        !names(value).any(is_variable)
    });
    are_constant && !code.contains('(')
}
