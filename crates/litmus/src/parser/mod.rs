//! Text to program.
//!
//! Promise: every error of a text that does not hide another one is reported, with its place and a hint; nothing
//! panics, and memory and stack stay bounded whatever the text: its size, its nesting, its statements and the errors
//! kept all have limits.

mod assignment;
mod call;
mod condition;
mod cursor;
mod expression;
mod head;
mod layout;
mod names;
mod operands;
mod queues;
mod scope;
mod statement;
mod words;

pub(crate) use expression::binding;

#[cfg(feature = "generate")]
pub(crate) use words::RESERVED;

use crate::ast::{Process, Program, Rank};
use crate::error::{Errors, ParseError};
use crate::lexer::tokens;
use condition::Tail;
use cursor::Cursor;
use head::Lines;
use names::Names;
use statement::Body;

/// Bytes that a test may have.
pub const MOST_BYTES: usize = 1 << 20;
/// Variables that a test may have.
pub(crate) const MOST_VARIABLES: usize = 1024;

/// Reads a test.
///
/// A test has at most [`MOST_BYTES`] bytes, 64 processes of 4096 statements, 1024 variables, names of 64 characters,
/// blocks and expressions nested 64 deep, 256 operators in an expression and 256 comparisons in a condition; a loop
/// turns at most 64 times. What the engines can explore is less: at most 64 actions.
///
/// # Errors
/// All mistakes found, the first twenty at most, in the order of their places; each place has one.
pub fn parse(text: &str) -> Result<Program, Vec<ParseError>> {
    let mut errors = Errors::default();
    match program(text, &mut errors) {
        Some(program) if errors.is_empty() => Ok(program),
        _ => Err(errors.sorted()),
    }
}

fn program(text: &str, errors: &mut Errors) -> Option<Program> {
    if text.len() > MOST_BYTES {
        let message = format!("the text has {} bytes: this is no litmus test", text.len());
        errors.push(ParseError::new(0..0, message).hint(format!("a test has at most {MOST_BYTES}")));
        return None;
    }
    let (name, after) = head::name(text, errors)?;
    let tokens = tokens(text, after, errors);
    let mut cursor = Cursor::new(&tokens, text.len());
    let mut lines = Lines::default();
    lines.read(&mut cursor, errors);
    let mut scope = head::first_state(&mut cursor, errors)?;
    lines.read(&mut cursor, errors);
    let accesses = lines.accesses();
    let after_state = cursor.index();
    let split = layout::split(&tokens[after_state..], text.len(), errors)?;
    scope.processes = split.processes.len() as u32;
    for variable in &scope.variables {
        if variable.owner.0 >= scope.processes {
            let message = format!("there is no process {}", variable.owner.0);
            errors.push(ParseError::new(variable.place.0.clone(), message).hint(scope.known_processes()));
        }
    }
    let (mut processes, mut registers) = (Vec::new(), Vec::new());
    for (rank, tokens) in (0_u32..).zip(&split.processes) {
        let mut body = Body::new(&scope, Rank(rank), accesses);
        let statements = body.process(&mut Cursor::new(tokens, text.len()), errors);
        processes.push(Process {
            registers: body.registers.names.clone(),
            statements,
        });
        registers.push(body.registers);
    }
    let mut names = Names {
        scope: &scope,
        registers: &registers,
        complete: errors.is_empty(),
        errors,
    };
    let mut cursor = Cursor::new(&tokens[after_state + split.rest..], text.len());
    let tail = names.tail(&mut cursor).unwrap_or_else(|error| {
        errors.push(error);
        Tail::default()
    });
    Some(Program {
        name,
        about: lines.about,
        accesses,
        variables: scope.variables,
        processes,
        locations: tail.locations,
        filter: tail.filter,
        condition: tail.condition,
    })
}
