//! Text to tree.
//!
//! Promise: all errors of a text are reported, each once, with place and hint; after an error the parser goes on at the
//! next statement. Texts of more than [`MAX_BYTES`], and nesting deeper than [`MAX_DEPTH`], are refused, so that memory
//! and stack stay bounded.

mod declarations;
mod expressions;
mod statements;

use crate::ast::{Api, Header, Name, Place, Program};
use crate::diagnostic::Diagnostic;
use crate::lexer::{self, Token, Word};

/// Longest text that is read.
pub const MAX_BYTES: usize = 1 << 20;
/// Deepest nesting of blocks and brackets.
pub const MAX_DEPTH: usize = 64;
/// Most errors that are reported.
const MAX_ERRORS: usize = 50;

/// Reads a program.
///
/// # Errors
/// All that is wrong with the text, in its order; never empty.
pub fn parse(text: &str) -> Result<Program, Vec<Diagnostic>> {
    if text.len() > MAX_BYTES {
        return Err(vec![Diagnostic::new(
            format!("the text has {} bytes; at most {MAX_BYTES} are read", text.len()),
            Place(0..0),
        )]);
    }
    if text.trim().is_empty() {
        return Err(vec![
            Diagnostic::new("the text is empty", Place(0..0))
                .hint("a program begins with `program NAME`, `ranks 2` and `domain 2`"),
        ]);
    }
    let mut parser = Parser::new(text);
    let program = parser.program();
    if parser.errors.is_empty() {
        return Ok(program);
    }
    // A word that is wrong in itself mostly has errors in its wake.
    parser.errors.sort_by_key(|error| error.place.0.start);
    parser.errors.dedup_by(|a, b| a.place.0.start == b.place.0.start);
    parser.errors.truncate(MAX_ERRORS);
    Err(parser.errors)
}

/// Words that are no names.
pub(crate) const KEYWORDS: &[&str] = &[
    "program",
    "api",
    "ranks",
    "domain",
    "shared",
    "register",
    "queue",
    "handle",
    "me",
    "n",
    "mem",
    "assume",
    "assert",
    "if",
    "else",
    "while",
    "loop",
    "choice",
    "or",
    "rank",
    "break",
    "continue",
    "goto",
    "skip",
    "read",
    "write",
    "read_after",
    "write_after",
    "_",
    "fetch_add",
    "swap",
    "cas",
    "barrier",
    "wait",
    "wait_local",
    "fence",
];

/// An error has been recorded; go on at the next statement.
pub(crate) struct Broken;

pub(crate) type Parsed<T> = Result<T, Broken>;

pub(crate) struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    next: usize,
    errors: Vec<Diagnostic>,
    depth: usize,
    /// Words of the language that are names here.
    names: &'static [&'static str],
}

impl<'t> Parser<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let (tokens, errors) = lexer::words(text);
        Self {
            tokens,
            next: 0,
            errors,
            depth: 0,
            names: &[],
        }
    }

    /// For texts in which these words of the language are names.
    pub(crate) fn with_names(self, names: &'static [&'static str]) -> Self {
        Self { names, ..self }
    }

    /// What is wrong with the text as far as it was read.
    pub(crate) fn into_errors(self) -> Vec<Diagnostic> {
        self.errors
    }

    fn program(&mut self) -> Program {
        let mut program = Program {
            name: Name {
                text: "unnamed".to_owned(),
                place: Place::default(),
            },
            about: Vec::new(),
            api: None,
            ranks: None,
            domain: None,
            wraps: false,
            declarations: Vec::new(),
            body: Vec::new(),
        };
        self.skip_ends();
        if self.take_name("program") {
            program.name = self.program_name();
        }
        self.skip_ends();
        while let Word::Quoted(line) = self.word() {
            program.about.push(line.to_owned());
            self.step();
            self.skip_ends();
        }
        loop {
            self.skip_ends();
            let done = match self.word() {
                Word::Name("api") => self.api().map(|api| program.api = Some(api)),
                Word::Name("ranks") => self.header().map(|header| program.ranks = Some(header)),
                Word::Name("domain") => self.header().map(|header| {
                    program.domain = Some(header);
                    program.wraps = self.take_name("wraps");
                }),
                Word::Name("shared" | "register" | "queue" | "handle") => {
                    self.declarations(&mut program.declarations)
                }
                _ => break,
            };
            self.end_of_statement(done);
        }
        program.body = self.statements();
        while self.word() != Word::Eof {
            _ = self.fail::<()>("this bracket closes nothing", "remove it");
            self.step();
            program.body.extend(self.statements());
        }
        program
    }

    /// Letters, digits, `_` and `-`, such as `1to1` and `ring-no`.
    fn program_name(&mut self) -> Name {
        let start = self.place();
        let mut text = String::new();
        loop {
            match self.word() {
                Word::Name(part) => text += part,
                Word::Number(part) => text += &part.to_string(),
                Word::Sign("-") => text.push('-'),
                _ => break,
            }
            self.step();
        }
        if text.is_empty() {
            _ = self.fail::<()>("the program needs a name", "write `program NAME`");
        }
        Name {
            text,
            place: self.since(&start),
        }
    }

    fn api(&mut self) -> Parsed<Api> {
        self.step();
        if let Word::Name(name) = self.word()
            && let Some(api) = Api::of_name(name)
        {
            self.step();
            return Ok(api);
        }
        let names = Api::ALL.map(Api::name).join(", ");
        self.fail("no such API", format!("one of {names}"))
    }

    /// `ranks 2`
    fn header(&mut self) -> Parsed<Header> {
        self.step();
        let place = self.place();
        Ok(Header {
            value: self.number()?,
            place,
        })
    }

    pub(crate) fn number(&mut self) -> Parsed<u32> {
        if let Word::Number(value) = self.word() {
            self.step();
            return Ok(u32::try_from(value).unwrap_or(u32::MAX));
        }
        self.fail("a number is missing here", "write a number such as 2")
    }

    /// A new name.
    pub(crate) fn new_name(&mut self, what: &str) -> Parsed<Name> {
        match self.word() {
            Word::Name(text) if KEYWORDS.contains(&text) => self.fail(
                format!("`{text}` is a word of the language"),
                format!("choose another name for the {what}"),
            ),
            Word::Name(text) if text.starts_with(|c: char| c.is_ascii_digit()) => self.fail(
                format!("a {what} cannot begin with a digit"),
                "begin it with a letter",
            ),
            Word::Name(text) => Ok(self.name_here(text)),
            _ => self.fail(format!("the name of the {what} is missing"), "write a name"),
        }
    }

    pub(crate) fn name_here(&mut self, text: &str) -> Name {
        let place = self.place();
        self.step();
        Name {
            text: text.to_owned(),
            place,
        }
    }

    pub(crate) fn word(&self) -> Word<'t> {
        self.tokens[self.next].word
    }

    fn word_after(&self) -> Word<'t> {
        self.tokens
            .get(self.next + 1)
            .map_or(Word::Eof, |token| token.word)
    }

    /// Whether `NAME =` comes next.
    pub(crate) fn next_is_assigned(&self) -> bool {
        self.word_after() == Word::Sign("=")
    }

    pub(crate) fn place(&self) -> Place {
        Place(self.tokens[self.next].at.clone())
    }

    /// From the start of a place to the end of the last word.
    pub(crate) fn since(&self, start: &Place) -> Place {
        let end = self
            .next
            .checked_sub(1)
            .map_or(0, |last| self.tokens[last].at.end);
        Place(start.0.start..end.max(start.0.start))
    }

    pub(crate) fn step(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    pub(crate) fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.word(), Word::Sign(s) if s == sign);
        if found {
            self.step();
        }
        found
    }

    pub(crate) fn take_name(&mut self, name: &str) -> bool {
        let found = matches!(self.word(), Word::Name(s) if s == name);
        if found {
            self.step();
        }
        found
    }

    pub(crate) fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.take(sign) {
            return Ok(());
        }
        self.fail(format!("`{sign}` is missing here"), format!("write `{sign}`"))
    }

    pub(crate) fn skip_ends(&mut self) {
        while self.word() == Word::End {
            self.step();
        }
    }

    pub(crate) fn fail<T>(&mut self, message: impl Into<String>, hint: impl Into<String>) -> Parsed<T> {
        let place = self.place();
        self.error(Diagnostic::new(message, place).hint(hint));
        Err(Broken)
    }

    fn error(&mut self, error: Diagnostic) {
        if self.errors.len() < 2 * MAX_ERRORS {
            self.errors.push(error);
        }
    }

    /// A statement is over: nothing may follow on its line. After an error, the rest of the line is skipped, with the
    /// blocks that begin on it.
    pub(crate) fn end_of_statement(&mut self, done: Parsed<()>) {
        let over = |word| matches!(word, Word::End | Word::Eof | Word::Sign("}"));
        if done.is_ok() && (over(self.word()) || self.block_just_ended()) {
            return;
        }
        if done.is_ok() {
            _ = self.fail::<()>("the statement is over here", "begin a new line, or write `;`");
        }
        let mut open = 0_usize;
        loop {
            match self.word() {
                Word::Eof => return,
                Word::End if open == 0 => return,
                Word::Sign("{") => open += 1,
                Word::Sign("}") if open == 0 => return,
                Word::Sign("}") => open -= 1,
                _ => {}
            }
            self.step();
        }
    }

    fn block_just_ended(&self) -> bool {
        self.next
            .checked_sub(1)
            .is_some_and(|last| matches!(self.tokens[last].word, Word::Sign("}" | ":")))
    }

    /// Runs `inner` one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            return self.fail(
                format!("nested more than {MAX_DEPTH} deep"),
                "use fewer blocks or brackets",
            );
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }
}
