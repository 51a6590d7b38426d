//! A call of GASPI that is repeated until it is done: where a queue is full, after a wait for what is in it.

use super::{Changes, Repair};
use crate::call::{Call, Role, is_call_of};
use crate::edit::Edit;
use crate::language::Language;
use crate::refusal::Refusal;
use crate::statement::Kind;

/// Whether the text of a suggestion says so.
pub(super) fn is_repeated(code: &str) -> bool {
    code.starts_with("while (call == ")
}

impl Repair<'_> {
    /// Repeats a statement that is one call.
    pub(super) fn repeat(&self) -> Result<Changes, Refusal> {
        let suggestion = self.suggestion;
        let place = suggestion.at.as_ref().ok_or(Refusal::NoPlace("the call"))?;
        let source = self.sources.get(&place.file)?;
        let words = || Refusal::WordsOnly(suggestion.call.clone());
        let path = source.path(source.offset(place)?)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(place.clone()))?;
        let (statement, range) = (step.statement(), step.statement().range());
        let party = self.parties.iter().find(|party| party.place() == Some(place));
        let name = party.map(|party| party.operation.as_str()).unwrap_or_default();
        let call = Call::find(&source, range.clone(), &|other| is_call_of(other, name));
        let call = call.ok_or_else(|| Refusal::NoCall(name.to_owned(), place.clone()))?;
        // Who looks at what it returns repeats it in his own way.
        let is_alone = call.name_range().start == range.start
            && source.code(call.end()..range.end).trim_ascii() == b";"
            && statement.kind() == Kind::Simple;
        if !is_alone {
            return Err(Refusal::InCondition(place.clone()));
        }
        if source.language() != Language::C {
            return Err(words());
        }
        let code = suggestion
            .call
            .strip_prefix("while (call == ")
            .ok_or_else(words)?;
        let (returned, rest) = code.split_once(')').ok_or_else(words)?;
        let indentation = source.indentation(range.start);
        let inner = format!("{indentation}{}", source.level(indentation));
        let body = match rest.trim() {
            "" => ";".to_owned(),
            wait => {
                let queue = call.role(Role::Queue);
                let queue = queue.ok_or_else(|| Refusal::Placeholder("queue".to_owned(), wait.to_owned()))?;
                format!("{};", wait.replace("(queue,", &format!("({queue},")))
            }
        };
        let edits = vec![
            Edit::insert(range.start, 1, "while ("),
            Edit::replace(call.end()..range.end, format!(" == {returned})\n{inner}{body}")),
        ];
        Ok(vec![(source.file().to_owned(), edits)])
    }
}
