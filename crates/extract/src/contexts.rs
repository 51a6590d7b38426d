//! What a repair says of contexts and queues: the program of the calculus has numbers for them, and the source what it
//! calls them by.

use crate::call_text::CallText;
use crate::names::Names;
use crate::program::name;
use farside_pgas::ast::{Call, Expression, Place, Program, Statement, StatementKind, Target};
use farside_pgas::change::Change;

/// The variables that a program has its contexts in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextNames(Names<i64>);

/// How calls on a context begin.
const ON_CONTEXT: &str = "shmem_ctx_";
/// How calls that put an operation into a queue begin.
const IN_QUEUE: &str = "gaspi_";

impl ContextNames {
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
                StatementKind::Call { call, .. } => {
                    let Some(number) = context_of(call) else {
                        continue;
                    };
                    let written = text.get(place.0.clone());
                    let written = written.and_then(|text| CallText::beginning(text, ON_CONTEXT));
                    self.0.note(number, written.and_then(|call| call.context()));
                }
                kind => kind.blocks().into_iter().for_each(|block| self.read(block, text)),
            }
        }
    }

    /// A change of the program of the calculus, as one of the text that it was made of.
    ///
    /// # Errors
    /// That the context has no name, or that the queue is not where the call is, for people.
    pub fn change(&self, change: &Change, text: &str) -> Result<Change, String> {
        let mut change = change.clone();
        if let Change::Move {
            statement,
            end,
            place,
            ..
        } = &mut change
        {
            let call = text
                .get(*statement..*end)
                .and_then(|text| CallText::beginning(text, IN_QUEUE));
            let Some(queue) = call.and_then(|call| call.queue()) else {
                return Err(
                    "the call that is put into another queue is not written there as a call".to_owned(),
                );
            };
            *place = Place(*statement + queue.start..*statement + queue.end);
        }
        if let Change::Insert { statement, .. }
        | Change::Strengthen { with: statement, .. }
        | Change::Replace { with: statement, .. } = &mut change
            && let StatementKind::Call { call, .. } = statement
            && let Some(number) = context_of(call)
        {
            let Some(context) = self.0.get(&number) else {
                return Err("the calls of the program do not say by one name which context it is".to_owned());
            };
            call.arguments[0] = Expression::Value(Target::Name(name(context)));
        }
        Ok(change)
    }
}

/// The number of the context that a call names.
fn context_of(call: &Call) -> Option<i64> {
    match call.arguments.first() {
        Some(Expression::Number(number, _)) if call.name.text.starts_with(ON_CONTEXT) => Some(*number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_pgas::change::offers;
    use farside_pgas::parser::parse;

    #[test]
    fn a_quiet_of_a_context_has_the_variable_of_its_calls() {
        let head = "program p\napi shmem\nranks 2\nshared x\n";
        let texts = [
            "shmem_ctx_int_p(h->ctx[0], &x, 1, 1);",
            "shmem_ctx_int_p(make(), &x, 1, 1);",
        ];
        let said = texts.map(|text| {
            let mut program = parse(&format!("{head}shmem_ctx_p(3, &x, 1, 1)\n")).unwrap();
            program.body[0].place.0 = 0..text.len();
            let names = ContextNames::of(&program, text);
            let changes = offers(&program, None);
            let words = changes.iter().map(|change| match names.change(change, text) {
                Ok(change) => change.words("it"),
                Err(why) => why,
            });
            words
                .filter(|words| words.contains("context") || words.contains("ctx"))
                .collect::<Vec<_>>()
        });
        assert!(
            said[0].contains(&"insert `shmem_ctx_quiet(h->ctx[0])` after `it`".to_owned()),
            "{:?}",
            said[0]
        );
        assert!(
            said[0].contains(&"insert `shmem_ctx_fence(h->ctx[0])` before `it`".to_owned()),
            "{:?}",
            said[0]
        );
        assert!(
            !said[1].is_empty() && said[1].iter().all(|words| words.contains("by one name")),
            "{:?}",
            said[1]
        );
    }
}
