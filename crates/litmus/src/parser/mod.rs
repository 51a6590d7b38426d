//! Text to program.
//!
//! Promise: every error of a text that does not hide another one is reported, with its place and a hint; nothing panics,
//! and memory and stack stay bounded whatever the text: its size, its nesting, its statements and the errors kept all
//! have limits.

mod assignment;
mod call;
mod condition;
mod cursor;
mod expression;
mod layout;
mod operands;
mod scope;
mod statement;
mod words;

pub(crate) use expression::binding;

use crate::ast::{Atomicity, Place, Process, Program, Rank, Variable};
use crate::error::ParseError;
use crate::lexer::{Token, TokenKind, tokens};
use condition::{Names, Tail};
use cursor::{Cursor, Errors};
use expression::number;
use scope::{Registers, Scope};
use statement::Body;
use words::RESERVED;

/// Bytes that a test may have.
pub const MOST_BYTES: usize = 1 << 20;
/// Variables that a test may have.
const MOST_VARIABLES: usize = 1024;

/// Reads a test.
///
/// # Errors
/// All mistakes found, in the order of their places.
pub fn parse(text: &str) -> Result<Program, Vec<ParseError>> {
    let mut errors = Errors::default();
    match program(text, &mut errors) {
        Some(program) if errors.0.is_empty() => Ok(program),
        _ => {
            let mut errors = errors.0;
            errors.sort_by_key(|error| (error.place.start, error.place.end));
            Err(errors)
        }
    }
}

fn program(text: &str, errors: &mut Errors) -> Option<Program> {
    if text.len() > MOST_BYTES {
        let error = ParseError::new(
            0..0,
            format!("the text has {} bytes: this is no litmus test", text.len()),
        );
        errors.push(error.hint(format!("a test has at most {MOST_BYTES}")));
        return None;
    }
    let (name, behind) = header(text, errors)?;
    let mut lexical = Vec::new();
    let tokens = tokens(text, behind, &mut lexical);
    for error in lexical {
        errors.push(error);
    }
    let mut cursor = Cursor::new(&tokens, text.len());
    let mut about = Vec::new();
    while let Some(TokenKind::Quoted(line)) = cursor.peek() {
        about.push(line.to_owned());
        cursor.next();
    }
    let accesses = accesses(&mut cursor, errors);
    let mut scope = first_state(&mut cursor, errors)?;
    let behind_state = cursor.index();
    let split = layout::split(&tokens[behind_state..], text.len(), errors)?;
    scope.processes = split.processes.len() as u32;
    for variable in &scope.variables {
        if variable.owner.0 >= scope.processes {
            let error = ParseError::new(
                variable.place.0.clone(),
                format!("there is no process {}", variable.owner.0),
            );
            errors.push(error.hint(format!(
                "the processes are 0 to {}",
                scope.processes.saturating_sub(1)
            )));
        }
    }
    let mut processes = Vec::new();
    let mut registers = Vec::new();
    for (rank, tokens) in split.processes.iter().enumerate() {
        let (statements, names) = process(tokens, &scope, rank as u32, accesses, text.len(), errors);
        processes.push(statements);
        registers.push(names);
    }
    let names = Names {
        scope: &scope,
        registers: &registers,
    };
    let mut cursor = Cursor::new(&tokens[behind_state + split.rest..], text.len());
    let tail = names.tail(&mut cursor).unwrap_or_else(|error| {
        errors.push(error);
        Tail::default()
    });
    let mut processes: Vec<Process> = processes;
    for (process, registers) in processes.iter_mut().zip(registers) {
        process.registers = registers.names;
    }
    Some(Program {
        name,
        about,
        accesses,
        variables: scope.variables,
        processes,
        locations: tail.locations,
        filter: tail.filter,
        condition: tail.condition,
    })
}

/// The name behind `RMA`, and where the rest begins. A name is a word in the widest sense: up to the next blank.
fn header(text: &str, errors: &mut Errors) -> Option<(String, usize)> {
    let start = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let rest = &text[start..];
    if rest.is_empty() {
        errors.push(
            ParseError::new(0..0, "there is no test in this text").hint("a test begins with `RMA NAME`"),
        );
        return None;
    }
    let word_end = |text: &str| text.find(char::is_whitespace).unwrap_or(text.len());
    let first = word_end(rest);
    if &rest[..first] != "RMA" {
        let error = ParseError::new(start..start + first.min(80), "a test begins with `RMA NAME`");
        errors.push(error.hint("the first word says which language this is"));
        return None;
    }
    let line = rest[first..].split('\n').next().unwrap_or_default();
    let name = line.trim();
    let at = start + first + line.len() - line.trim_start().len();
    let behind = start + first + line.len();
    let usable = |c: char| !c.is_control() && !c.is_whitespace() && !matches!(c, '{' | '}' | '"' | ';' | '|');
    if name.is_empty() || !name.chars().all(usable) || name.len() > 200 {
        let error = ParseError::new(at..at + name.len(), "a name of one word is expected behind `RMA`");
        errors.push(error.hint("`RMA MP+flush`"));
        return None;
    }
    Some((name.to_owned(), behind))
}

fn accesses(cursor: &mut Cursor<'_, '_>, errors: &mut Errors) -> Atomicity {
    if !cursor.take_word("accesses") {
        return Atomicity::Atomic;
    }
    if cursor.take_word("nonatomic") {
        return Atomicity::NonAtomic;
    }
    if !cursor.take_word("atomic") {
        errors.push(cursor.unexpected("`atomic` or `nonatomic`"));
    }
    Atomicity::Atomic
}

/// `{ 0: X = 1; 1: Y; }`
fn first_state<'a>(cursor: &mut Cursor<'_, 'a>, errors: &mut Errors) -> Option<Scope<'a>> {
    let hint = "`{ 0: X = 1; 1: Y = 0; }`: the owner of each variable, and its first value";
    if let Err(error) = cursor.expect("{", hint) {
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
        if let Err(error) = variable(cursor, &mut scope) {
            errors.push(error.hint(hint));
            cursor.recover();
        } else if !cursor.peek().is_some_and(|kind| kind.is(";") || kind.is("}")) {
            errors.push(cursor.unexpected("`;` or `}`").hint(hint));
            cursor.recover();
        }
    }
    Some(scope)
}

fn variable<'a>(cursor: &mut Cursor<'_, 'a>, scope: &mut Scope<'a>) -> Result<(), ParseError> {
    let place = cursor.place();
    if let Some(TokenKind::Word(word)) = cursor.peek() {
        return Err(ParseError::new(place, format!("`{word}` has no owner")));
    }
    let owner =
        u32::try_from(number(cursor)?).map_err(|_| ParseError::new(place, "a process is expected here"))?;
    cursor.expect(":", "")?;
    let place = cursor.place();
    let Some(TokenKind::Word(name)) = cursor.peek() else {
        return Err(cursor.unexpected("a variable"));
    };
    cursor.next();
    let value = if cursor.take("=") { number(cursor)? } else { 0 };
    if RESERVED.contains(&name) {
        return Err(ParseError::new(
            place,
            format!("`{name}` is a word of the language, not a variable"),
        ));
    }
    if scope.variables.len() >= MOST_VARIABLES {
        return Err(ParseError::new(place, "there are too many variables"));
    }
    let variable = Variable {
        name: name.to_owned(),
        owner: Rank(owner),
        value,
        place: Place(place.clone()),
    };
    if scope.declare(name, variable) {
        Ok(())
    } else {
        Err(ParseError::new(place, format!("`{name}` is declared twice")))
    }
}

fn process(
    tokens: &[Token<'_>],
    scope: &Scope<'_>,
    rank: u32,
    accesses: Atomicity,
    end: usize,
    errors: &mut Errors,
) -> (Process, Registers) {
    let mut cursor = Cursor::new(tokens, end);
    let mut body = Body::new(scope, Rank(rank), accesses);
    let mut statements = body.statements(&mut cursor, errors, 0);
    while !cursor.ended() && !errors.full() {
        let error = ParseError::new(cursor.place(), "this `}` closes nothing");
        errors.push(error);
        cursor.next();
        statements.extend(body.statements(&mut cursor, errors, 0));
    }
    let process = Process {
        registers: Vec::new(),
        statements,
    };
    (process, body.registers)
}
