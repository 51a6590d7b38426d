//! The statements of languages with braces: C, C++ and Rust.
//!
//! A scanner, no parser: it knows which words begin a statement with others in it, what a brace opens by what stands
//! before it, and nothing of types. Limits: arms of a `match` are not told apart; both sides of an `#if` are read.

use crate::language::Language;
use crate::statement::{Block, Kind, Statement};

/// The statements of a source that was masked; `None` if its braces do not balance.
pub(crate) fn statements(language: Language, text: &[u8]) -> Option<Block> {
    let mut scanner = Scanner {
        language,
        text,
        at: 0,
        in_function: false,
    };
    let statements = scanner.until_close()?;
    (scanner.at == text.len()).then(|| Block::new(0..0, 0..text.len(), true, statements))
}

struct Scanner<'t> {
    language: Language,
    text: &'t [u8],
    at: usize,
    in_function: bool,
}

/// What a brace opens.
enum Opened {
    Values,
    Block(Kind),
}

impl Scanner<'_> {
    fn skip_blanks(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// The word that stands here.
    fn word(&self) -> &[u8] {
        word_at(self.text, self.at)
    }

    /// Up to a closing brace, which stays, or the end.
    fn until_close(&mut self) -> Option<Vec<Statement>> {
        let mut statements = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                None | Some(b'}') => return Some(statements),
                Some(b')' | b']') => return None,
                Some(_) => statements.push(self.statement()?),
            }
        }
    }

    fn statement(&mut self) -> Option<Statement> {
        let start = self.at;
        if self.peek() == Some(b'{') {
            let block = self.braced(start..start)?;
            return Some(Statement::new(Kind::Plain, start..self.at, vec![block]));
        }
        let (word, rust) = (self.word().to_vec(), self.language == Language::Rust);
        match (word.as_slice(), rust) {
            (b"if", _) => self.branches(start),
            (b"for" | b"while", _) => self.with_head(start, Kind::Loop),
            (b"switch", false) | (b"catch", false) => self.with_head(start, Kind::Switch),
            (b"loop", true) => self.with_body(start, Kind::Loop, 4),
            (b"try", false) => self.with_body(start, Kind::Plain, 3),
            (b"unsafe", true) if self.follows(6, b'{') => self.with_body(start, Kind::Plain, 6),
            (b"do", false) => {
                self.at += 2;
                let body = self.body(start..self.at)?;
                self.skip_blanks();
                if self.word() == b"while" {
                    self.at += 5;
                    self.parentheses()?;
                    self.semicolon();
                }
                Some(Statement::new(Kind::Loop, start..self.at, vec![body]))
            }
            (b"case", false) => {
                while self.peek()? != b':' || self.text.get(self.at + 1) == Some(&b':') {
                    self.at += if self.text[self.at..].starts_with(b"::") {
                        2
                    } else {
                        1
                    };
                }
                self.at += 1;
                Some(Statement::new(Kind::Simple, start..self.at, Vec::new()))
            }
            (name, false) if !name.is_empty() && self.in_function && self.is_label(name.len()) => {
                self.skip_to(b':');
                self.at += 1;
                Some(Statement::new(Kind::Simple, start..self.at, Vec::new()))
            }
            _ => self.simple(start),
        }
    }

    /// Whether this byte comes next after some, blanks aside.
    fn follows(&self, after: usize, byte: u8) -> bool {
        let mut rest = self.text[self.at + after..].iter();
        rest.find(|byte| !byte.is_ascii_whitespace()) == Some(&byte)
    }

    fn is_label(&self, length: usize) -> bool {
        let rest = self.text[self.at + length..].trim_ascii_start();
        rest.starts_with(b":") && !rest.starts_with(b"::")
    }

    fn skip_to(&mut self, byte: u8) {
        while self.peek().is_some_and(|other| other != byte) {
            self.at += 1;
        }
    }

    fn semicolon(&mut self) {
        self.skip_blanks();
        if self.peek() == Some(b';') {
            self.at += 1;
        }
    }

    /// A condition in parentheses; in Rust, all up to the brace.
    fn parentheses(&mut self) -> Option<()> {
        if self.language == Language::Rust {
            let mut depth = 0;
            loop {
                match self.peek()? {
                    b'{' if depth == 0 => return Some(()),
                    b'(' | b'[' | b'{' => depth += 1,
                    b')' | b']' | b'}' => depth -= 1,
                    _ => {}
                }
                self.at += 1;
            }
        }
        self.skip_blanks();
        if self.word() == b"constexpr" {
            self.at += 9;
            self.skip_blanks();
        }
        if self.peek() != Some(b'(') {
            return None;
        }
        self.at = closing(self.text, self.at)? + 1;
        Some(())
    }

    fn with_head(&mut self, start: usize, kind: Kind) -> Option<Statement> {
        self.at += self.word().len();
        self.parentheses()?;
        let body = self.body(start..self.at)?;
        Some(Statement::new(kind, start..self.at, vec![body]))
    }

    fn with_body(&mut self, start: usize, kind: Kind, word: usize) -> Option<Statement> {
        self.at += word;
        let body = self.body(start..self.at)?;
        Some(Statement::new(kind, start..self.at, vec![body]))
    }

    fn branches(&mut self, start: usize) -> Option<Statement> {
        let mut blocks = Vec::new();
        let mut head = start;
        loop {
            self.at += 2;
            self.parentheses()?;
            blocks.push(self.body(head..self.at)?);
            let end = self.at;
            self.skip_blanks();
            if self.word() != b"else" {
                self.at = end;
                return Some(Statement::new(Kind::If { complete: false }, start..end, blocks));
            }
            head = self.at;
            self.at += 4;
            let after = self.at;
            self.skip_blanks();
            if self.word() == b"if" {
                continue;
            }
            self.at = after;
            blocks.push(self.body(head..self.at)?);
            return Some(Statement::new(
                Kind::If { complete: true },
                start..self.at,
                blocks,
            ));
        }
    }

    fn body(&mut self, head: std::ops::Range<usize>) -> Option<Block> {
        self.skip_blanks();
        if self.peek() == Some(b'{') {
            return self.braced(head);
        }
        let statement = self.statement()?;
        Some(Block::new(head, statement.range(), false, vec![statement]))
    }

    fn braced(&mut self, head: std::ops::Range<usize>) -> Option<Block> {
        self.at += 1;
        let start = self.at;
        let statements = self.until_close()?;
        let range = start..self.at;
        if self.peek() != Some(b'}') {
            return None;
        }
        self.at += 1;
        Some(Block::new(head, range, true, statements))
    }

    fn simple(&mut self, start: usize) -> Option<Statement> {
        let mut blocks = Vec::new();
        let mut kind = Kind::Simple;
        let (mut depth, mut assigned) = (0_u32, false);
        loop {
            match self.peek() {
                None => break,
                Some(b'(' | b'[') => depth += 1,
                Some(b')' | b']') => depth = depth.checked_sub(1)?,
                Some(b'}') if depth == 0 => break,
                Some(b'}') => return None,
                Some(b';') if depth == 0 => {
                    self.at += 1;
                    break;
                }
                Some(b't' | b'o') if depth == 0 && self.skip_signs(start) => continue,
                Some(b'=') if depth == 0 => assigned = true,
                Some(b'{') => match self.opened(start, depth > 0 || assigned) {
                    Opened::Values => self.at = closing(self.text, self.at)?,
                    Opened::Block(opened) => {
                        let outside = self.in_function;
                        self.in_function |= matches!(opened, Kind::Function);
                        blocks.push(self.braced(start..self.at)?);
                        self.in_function = outside;
                        let declares = [b"struct".as_slice(), b"class", b"union", b"typedef"];
                        let more = declares.contains(&word_at(self.text, start));
                        if depth == 0 && !assigned && !(more && self.language == Language::C) {
                            kind = opened;
                            break;
                        }
                        if depth == 0 && !assigned {
                            kind = Kind::Plain;
                        }
                        continue;
                    }
                },
                Some(_) => {}
            }
            self.at += 1;
        }
        (self.at > start).then(|| Statement::new(kind, start..self.at, blocks))
    }

    /// Skips what has signs of an expression and is none: the parameters of a template, and the name of an operator
    /// that is declared.
    fn skip_signs(&mut self, start: usize) -> bool {
        let is_word = self.at == start || !is_word(self.text[self.at - 1]);
        if self.language != Language::C || !is_word {
            return false;
        }
        let signs: &[u8] = match self.word() {
            b"template" => return self.skip_parameters(),
            b"operator" => b"=<>!+-*/%^&|~ ",
            _ => return false,
        };
        self.at += self.word().len();
        while self.peek().is_some_and(|byte| signs.contains(&byte)) {
            self.at += 1;
        }
        true
    }

    /// Skips `template` and its parameters.
    fn skip_parameters(&mut self) -> bool {
        let after = &self.text[self.at + self.word().len()..];
        let mut depth = 0_u32;
        for (index, byte) in after.iter().enumerate() {
            match byte {
                b'<' => depth += 1,
                b'>' => depth = depth.saturating_sub(1),
                _ if depth == 0 && !byte.is_ascii_whitespace() => return false,
                b'{' | b';' => return false,
                _ => continue,
            }
            if depth == 0 {
                self.at = self.text.len() - after.len() + index + 1;
                return true;
            }
        }
        false
    }

    /// What the brace here opens.
    fn opened(&self, start: usize, in_expression: bool) -> Opened {
        let before = self.text[start..self.at].trim_ascii_end();
        let last = before.last().copied().unwrap_or(b';');
        let words: Vec<&[u8]> = before
            .split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
            .filter(|word| !word.is_empty())
            .collect();
        let has = |wanted: &[&[u8]]| words.iter().any(|word| wanted.contains(word));
        if self.language == Language::Rust {
            return match () {
                () if !in_expression && has(&[b"fn"]) => Opened::Block(Kind::Function),
                () if !in_expression && has(&[b"impl", b"mod", b"trait", b"extern"]) => {
                    Opened::Block(Kind::Plain)
                }
                () if last == b'|' || has(&[b"else", b"move"]) => Opened::Block(Kind::Plain),
                () => Opened::Values,
            };
        }
        let returns = matches!(words.first(), Some(&(b"return" | b"throw" | b"co_return")));
        if in_expression || returns {
            let is_function = last == b']'
                || (last == b')' && is_after_capture(before))
                || words.last().is_some_and(|word| *word == b"mutable")
                || before.windows(2).any(|pair| pair == b"->") && has(&[b"auto"]);
            return if is_function {
                Opened::Block(Kind::Plain)
            } else {
                Opened::Values
            };
        }
        match () {
            () if has(&[b"enum"]) => Opened::Values,
            () if last == b')' && self.in_function => Opened::Block(Kind::Loop),
            () if last == b')' => Opened::Block(Kind::Function),
            () if has(&[b"struct", b"class", b"union", b"namespace", b"extern"]) => {
                Opened::Block(Kind::Plain)
            }
            () if self.in_function => Opened::Values,
            () => Opened::Block(Kind::Function),
        }
    }
}

/// The word at a place.
fn word_at(text: &[u8], at: usize) -> &[u8] {
    let rest = &text[at.min(text.len())..];
    &rest[..rest.iter().take_while(|byte| is_word(**byte)).count()]
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether what ends with `)` is the parameters of a function without a name: `[&](int i)`.
fn is_after_capture(before: &[u8]) -> bool {
    let mut depth = 0;
    for (index, byte) in before.iter().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return before[..index].trim_ascii_end().ends_with(b"]");
        }
    }
    false
}

/// The bracket that closes the one at `open`.
pub(crate) fn closing(text: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, byte) in text.iter().enumerate().skip(open) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The way to `@`, as kinds.
    fn way(language: Language, text: &str) -> Vec<Kind> {
        let at = text.find('@').expect("a mark");
        let text = text.replacen('@', "", 1);
        let block = statements(language, text.as_bytes()).expect("balanced");
        block
            .path(at)
            .iter()
            .map(|step| step.statement().kind())
            .collect()
    }

    #[test]
    fn the_way_to_a_statement() {
        let (complete, partial) = (Kind::If { complete: true }, Kind::If { complete: false });
        let table: &[(Language, &str, &[Kind])] = &[
            (
                Language::C,
                "int main(void) { @f(); }",
                &[Kind::Function, Kind::Simple],
            ),
            (
                Language::C,
                "void f() { if (a) @g(); else h(); }",
                &[Kind::Function, complete, Kind::Simple],
            ),
            (
                Language::C,
                "void f() { if (a) if (b) x(); else y(); @z(); }",
                &[Kind::Function, Kind::Simple],
            ),
            (
                Language::C,
                "void f() { for (;;) { int a[] = {1, 2}; if (a) @g(); } }",
                &[Kind::Function, Kind::Loop, partial, Kind::Simple],
            ),
            (
                Language::C,
                "int g; struct s { int a; } v = {1}; void f() { do @x(); while (a); }",
                &[Kind::Function, Kind::Loop, Kind::Simple],
            ),
            (
                Language::C,
                "void f() { switch (a) { case 1: @g(); break; default: h(); } }",
                &[Kind::Function, Kind::Switch, Kind::Simple],
            ),
            (
                Language::C,
                "namespace n { class c { c() : a(1) { run([&](int i) { @g(i); }); } }; }",
                &[
                    Kind::Plain,
                    Kind::Plain,
                    Kind::Function,
                    Kind::Simple,
                    Kind::Simple,
                ],
            ),
            (
                Language::C,
                "template <class V, class H = M<V>> class c { void f() { @g(); } };",
                &[Kind::Plain, Kind::Function, Kind::Simple],
            ),
            (
                Language::C,
                "struct s { bool operator==(const s &) const { @f(); return true; } };",
                &[Kind::Plain, Kind::Function, Kind::Simple],
            ),
            (
                Language::C,
                "template <int N = 3> int f() { for (;;) { @g(); } }",
                &[Kind::Function, Kind::Loop, Kind::Simple],
            ),
            (
                Language::Rust,
                "fn main() -> R { win.fence(|epoch| { @epoch.put(1)?; Ok(()) })?; }",
                &[Kind::Function, Kind::Simple, Kind::Simple],
            ),
            (
                Language::Rust,
                "impl A { fn f() { if a == B { c: 1 }.c { x(); } else { @y(); } } }",
                &[Kind::Plain, Kind::Function, complete, Kind::Simple],
            ),
        ];
        for (language, text, wanted) in &table[..table.len() - 1] {
            assert_eq!(way(*language, text), *wanted, "{text}");
        }
    }

    #[test]
    fn what_does_not_balance_is_not_read() {
        for text in ["void f() { g(;", "void f() { } }", "f(a]) ) {"] {
            assert_eq!(statements(Language::C, text.as_bytes()), None, "{text}");
        }
    }
}
