//! What stands before the processes: name, quoted lines, the kind of accesses, the first state.

use super::MOST_VARIABLES;
use super::cursor::Cursor;
use super::expression::number;
use super::scope::Scope;
use super::words::RESERVED;
use crate::ast::{Atomicity, Place, Rank, Variable};
use crate::error::{Errors, ParseError};
use crate::lexer::TokenKind;

/// Bytes that the name of a test may have.
const MOST_NAME: usize = 200;
const FIRST_STATE: &str = "`{ 0: X = 1; 1: Y = 0; }`: the owner of each variable, and its first value";

/// The name after `RMA`, and where the rest begins. A name is a word in the widest sense: up to the next blank.
pub(super) fn name(text: &str, errors: &mut Errors) -> Option<(String, usize)> {
    let start = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let rest = &text[start..];
    if rest.is_empty() {
        let error = ParseError::new(0..0, "there is no test in this text");
        errors.push(error.hint("a test begins with `RMA NAME`"));
        return None;
    }
    let word_end = |text: &str| text.find(char::is_whitespace).unwrap_or(text.len());
    let first = word_end(rest);
    if &rest[..first] != "RMA" {
        let shown = rest[..first].chars().take(20).map(char::len_utf8).sum::<usize>();
        let error = ParseError::new(start..start + shown, "a test begins with `RMA NAME`");
        errors.push(error.hint("the first word says which language this is"));
        return None;
    }
    let behind = &rest[first..];
    let line = behind.split('\n').next().unwrap_or_default().trim_start();
    let at = start + first + behind.find(line).unwrap_or_default();
    let name = &line[..word_end(line)];
    let usable = |c: char| !c.is_control() && !matches!(c, '{' | '}' | '"' | ';' | '|');
    if name.is_empty() || !name.chars().all(usable) || name.len() > MOST_NAME {
        let error = ParseError::new(at..at + name.len(), "a name of one word is expected after `RMA`");
        errors.push(error.hint("`RMA MP+flush`"));
        return None;
    }
    Some((name.to_owned(), at + name.len()))
}

/// What the lines say that stand before the first state, and between it and the processes: in any order.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// The quoted ones.
    pub(super) about: Vec<String>,
    accesses: Option<Atomicity>,
}

impl Lines {
    /// What an access without a mark is.
    pub(super) fn accesses(&self) -> Atomicity {
        self.accesses.unwrap_or(Atomicity::Atomic)
    }

    /// Reads quoted lines and `accesses nonatomic`, as many as there are.
    pub(super) fn read(&mut self, cursor: &mut Cursor<'_, '_>, errors: &mut Errors) {
        loop {
            let place = cursor.place();
            if let Some(TokenKind::Quoted(line)) = cursor.peek() {
                self.about.push(line.to_owned());
                cursor.next();
            } else if cursor.take_word("accesses") {
                let kind = kind_of_accesses(cursor, errors);
                if self.accesses.replace(kind).is_some() {
                    let error = ParseError::new(place, "the kind of accesses is said twice");
                    errors.push(error.hint("keep one of the lines that begin with `accesses`"));
                }
            } else {
                return;
            }
        }
    }
}

/// `nonatomic` or `atomic`.
fn kind_of_accesses(cursor: &mut Cursor<'_, '_>, errors: &mut Errors) -> Atomicity {
    if cursor.take_word("nonatomic") {
        return Atomicity::NonAtomic;
    }
    if !cursor.take_word("atomic") {
        let error = cursor.unexpected("`atomic` or `nonatomic`");
        errors.push(error.hint("`accesses nonatomic`: an access without a mark is not atomic"));
        if let Some(TokenKind::Word(_)) = cursor.peek() {
            cursor.next();
        }
    }
    Atomicity::Atomic
}

/// `{ 0: X = 1; 1: Y; }`
pub(super) fn first_state<'a>(cursor: &mut Cursor<'_, 'a>, errors: &mut Errors) -> Option<Scope<'a>> {
    if let Err(error) = cursor.expect("{", FIRST_STATE) {
        errors.push(error);
        return None;
    }
    let mut scope = Scope::default();
    while !cursor.take("}") {
        if cursor.ended() || errors.full() {
            errors.push(cursor.unexpected("`}`").hint("close the first state"));
            return None;
        }
        if cursor.take(";") {
            continue;
        }
        let declared = variable(cursor, &mut scope).and_then(|()| match cursor.peek() {
            Some(TokenKind::Symbol(";" | "}")) => Ok(()),
            _ => Err(cursor.unexpected("`;` or `}`")),
        });
        if let Err(error) = declared {
            errors.push(error.hint(FIRST_STATE));
            cursor.recover();
        }
    }
    Some(scope)
}

fn variable<'a>(cursor: &mut Cursor<'_, 'a>, scope: &mut Scope<'a>) -> Result<(), ParseError> {
    let place = cursor.place();
    if let Some(TokenKind::Word(word)) = cursor.peek() {
        scope.misdeclare(word, place.clone());
        let error = ParseError::new(place, format!("`{word}` has no owner"));
        return Err(error.hint(format!("`0: {word} = 0` if it is memory of process 0")));
    }
    let owner =
        u32::try_from(number(cursor)?).map_err(|_| ParseError::new(place, "a process is expected here"))?;
    cursor.expect(":", FIRST_STATE)?;
    let place = cursor.place();
    let Some(TokenKind::Word(name)) = cursor.peek() else {
        return Err(cursor.unexpected("a variable"));
    };
    cursor.next();
    if RESERVED.contains(&name) {
        scope.misdeclare(name, place.clone());
        let error = ParseError::new(
            place,
            format!("`{name}` is a word of the language, not a variable"),
        );
        return Err(error.hint("choose another name"));
    }
    if scope.variables.len() >= MOST_VARIABLES {
        let error = ParseError::new(place, "there are too many variables");
        return Err(error.hint(format!("at most {MOST_VARIABLES}")));
    }
    let value = match cursor.take("=") {
        true => number(cursor).inspect_err(|error| scope.misdeclare(name, error.place.clone()))?,
        false => 0,
    };
    let variable = Variable {
        name: name.to_owned(),
        owner: Rank(owner),
        value,
        place: Place(place.clone()),
    };
    if scope.declare(name, variable) {
        return Ok(());
    }
    let error = ParseError::new(place, format!("`{name}` is declared twice"));
    Err(error.hint("each variable has one owner and one first value"))
}
