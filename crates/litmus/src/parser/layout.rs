//! From the tokens of the processes to one list of tokens a process.
//!
//! Columns: a row of names `P0 | P1 ;`, then rows of cells; a process' statements are its cells one below the other, so
//! that a block may begin in one row and end in another. Sequential: `P0 { ... } P1 { ... }`.

use super::cursor::Cursor;
use crate::error::{Errors, ParseError};
use crate::lexer::{Token, TokenKind};

/// More processes than this are refused.
const MOST_PROCESSES: usize = 64;

/// The tokens of each process, and where the tail begins.
#[derive(Debug)]
pub(super) struct Split<'a> {
    pub(super) processes: Vec<Vec<Token<'a>>>,
    /// Index of the first token after the processes.
    pub(super) rest: usize,
}

/// `P7`: 7.
fn process_name(kind: TokenKind<'_>) -> Option<usize> {
    let TokenKind::Word(word) = kind else { return None };
    word.strip_prefix('P')?.parse().ok()
}

fn begins_tail(tokens: &[Token<'_>], at: usize) -> bool {
    let kind = |at: usize| tokens.get(at).map(|token| token.kind);
    match kind(at) {
        Some(TokenKind::Word("exists" | "forall" | "locations" | "filter")) => true,
        Some(TokenKind::Symbol("~")) => kind(at + 1) == Some(TokenKind::Word("exists")),
        _ => false,
    }
}

pub(super) fn split<'a>(tokens: &[Token<'a>], end: usize, errors: &mut Errors) -> Option<Split<'a>> {
    let start = Cursor::new(tokens, end);
    if start.peek().and_then(process_name).is_none() {
        let error = start.unexpected("the first process `P0`");
        errors.push(error.hint("`P0 | P1 ;` and a row of cells a statement, or `P0 { a = X; } P1 { ... }`"));
        return None;
    }
    if start.peek_at(1).is_some_and(|kind| kind.is("{")) {
        sequential(tokens, end, errors)
    } else {
        columns(tokens, end, errors)
    }
}

/// Checks that process number `found` is the next one.
fn next_process(found: Option<usize>, expected: usize, cursor: &Cursor<'_, '_>) -> Result<(), ParseError> {
    if expected >= MOST_PROCESSES {
        return Err(ParseError::new(cursor.place(), "there are too many processes")
            .hint(format!("at most {MOST_PROCESSES}")));
    }
    if found == Some(expected) {
        return Ok(());
    }
    Err(cursor
        .unexpected(&format!("process `P{expected}`"))
        .hint("processes are P0, P1, ... in this order"))
}

fn sequential<'a>(tokens: &[Token<'a>], end: usize, errors: &mut Errors) -> Option<Split<'a>> {
    let mut cursor = Cursor::new(tokens, end);
    let mut processes = Vec::new();
    while !cursor.ended() && !begins_tail(tokens, cursor.index()) {
        if let Err(error) = next_process(cursor.peek().and_then(process_name), processes.len(), &cursor) {
            errors.push(error);
            return None;
        }
        cursor.next();
        if let Err(error) = cursor.expect("{", "`P0 { a = X; }`") {
            errors.push(error);
            return None;
        }
        let open = cursor.index() - 1;
        let (from, mut depth) = (cursor.index(), 1_usize);
        while depth > 0 {
            match cursor.next() {
                Some(token) if token.kind.is("{") => depth += 1,
                Some(token) if token.kind.is("}") => depth -= 1,
                Some(_) => {}
                None => {
                    let error = ParseError::new(tokens[open].place.clone(), "this process is not closed");
                    errors.push(error.hint("close it with `}`"));
                    return None;
                }
            }
        }
        processes.push(tokens[from..cursor.index() - 1].to_vec());
    }
    Some(Split {
        processes,
        rest: cursor.index(),
    })
}

fn columns<'a>(tokens: &[Token<'a>], end: usize, errors: &mut Errors) -> Option<Split<'a>> {
    let mut cursor = Cursor::new(tokens, end);
    let mut processes: Vec<Vec<Token<'a>>> = Vec::new();
    loop {
        if let Err(error) = next_process(cursor.peek().and_then(process_name), processes.len(), &cursor) {
            errors.push(error);
            return None;
        }
        cursor.next();
        processes.push(Vec::new());
        if cursor.take(";") {
            break;
        }
        if !cursor.take("|") {
            errors.push(cursor.unexpected("`|` or `;`").hint("`P0 | P1 ;`"));
            return None;
        }
    }
    while !cursor.ended() && !begins_tail(tokens, cursor.index()) {
        row(tokens, &mut cursor, &mut processes, errors);
        if errors.full() {
            return None;
        }
    }
    Some(Split {
        processes,
        rest: cursor.index(),
    })
}

/// One row, up to the final condition at most: a cell a process, `|` between them, `;` at the end. A row with fewer
/// cells is an error: nobody could see whose the statements are that it has.
fn row<'a>(
    tokens: &[Token<'a>],
    cursor: &mut Cursor<'_, 'a>,
    processes: &mut [Vec<Token<'a>>],
    errors: &mut Errors,
) {
    let (mut column, mut depth) = (0, 0_usize);
    let close = |process: Option<&mut Vec<Token<'a>>>, place: &Token<'a>| {
        // What stands in one cell is a statement, or the begin or end of a block.
        if let Some(process) = process {
            process.push(Token {
                kind: TokenKind::Symbol(";"),
                place: place.place.start..place.place.start,
            });
        }
    };
    while !begins_tail(tokens, cursor.index()) {
        let Some(token) = cursor.next() else { break };
        match token.kind {
            TokenKind::Symbol("(") => depth += 1,
            TokenKind::Symbol(")") => depth = depth.saturating_sub(1),
            TokenKind::Symbol(";") => {
                close(processes.get_mut(column), token);
                // Bars within open brackets were no borders of cells: that they are open is told already.
                if depth == 0 && column + 1 < processes.len() {
                    let text = format!(
                        "this row has {} of {} cells: it ends at process P{column}",
                        column + 1,
                        processes.len()
                    );
                    let hint = "a process that does nothing there has an empty cell: `X = 1 | ;`";
                    errors.push(ParseError::new(token.place.clone(), text).hint(hint));
                }
                return;
            }
            // Two empty cells side by side look like an operator.
            TokenKind::Symbol(bar @ ("|" | "||")) if depth == 0 => {
                for _ in 0..bar.len() {
                    close(processes.get_mut(column), token);
                    column += 1;
                }
                if column >= processes.len() {
                    let error = ParseError::new(
                        token.place.clone(),
                        "this row has more cells than there are processes",
                    );
                    errors.push(error.hint(match bar {
                        "||" => "a row ends with `;`; the operator `||` stands in parentheses",
                        _ => "a row ends with `;`",
                    }));
                    cursor.recover();
                    return;
                }
                continue;
            }
            _ => {}
        }
        if let Some(process) = processes.get_mut(column) {
            process.push(token.clone());
        }
    }
    let end = cursor.last_place().end;
    errors.push(ParseError::new(end..end, "the last row is not closed").hint("a row ends with `;`"));
}
