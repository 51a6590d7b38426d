//! The statements of Fortran: lines, which `&` continues and `;` splits, and what is between a beginning and its `end`
//! or, for a loop that says so, the statement with a label. Of fixed form ([`crate::fixed`]) the lines of a statement
//! come as one.
//!
//! Limit: loops that end at one and the same label are not read, for no statement can be added between their ends.

use crate::statement::{Block, Kind, Statement};
use std::ops::Range;

/// The statements of a source that was masked; `None` if an `end` is missing or too many.
pub(crate) fn statements(text: &[u8]) -> Option<Block> {
    let lines = logical_lines(text);
    let mut reader = Reader {
        text,
        lines: &lines,
        next: 0,
    };
    let statements = reader.until_end(&|_| false)?;
    (reader.next == lines.len()).then(|| Block::new(0..0, 0..text.len(), true, statements))
}

/// The ranges of statements without those in them.
fn logical_lines(text: &[u8]) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut continued = false;
    for at in 0..=text.len() {
        let byte = text.get(at).copied().unwrap_or(b'\n');
        if byte != b'\n' && byte != b';' {
            continue;
        }
        let part = &text[start..at];
        let blank = part.trim_ascii().is_empty();
        if byte == b'\n'
            && at < text.len()
            && (part.trim_ascii_end().ends_with(b"&") || (continued && ends_open(part)))
        {
            continued = true;
            continue;
        }
        continued = false;
        if !blank {
            let from = start + part.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            lines.push(from..start + part.trim_ascii_end().len());
        }
        start = at + 1;
    }
    lines
}

/// Whether the last line of a statement is blank, after one that goes on: a comment stood there.
fn ends_open(part: &[u8]) -> bool {
    let last = part.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    last.trim_ascii().is_empty()
}

struct Reader<'t> {
    text: &'t [u8],
    lines: &'t [Range<usize>],
    next: usize,
}

impl Reader<'_> {
    /// A line in small letters, without blanks that say nothing.
    fn line(&self, index: usize) -> Option<String> {
        let range = self.lines.get(index)?.clone();
        let text = String::from_utf8_lossy(&self.text[range]).to_ascii_lowercase();
        let text = text.replace('&', " ");
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let code = line.trim_start_matches(|c: char| c.is_ascii_digit());
        Some(code.strip_prefix(' ').map_or_else(|| line.clone(), str::to_owned))
    }

    /// The label of a line.
    fn label(&self, index: usize) -> Option<u32> {
        let text = &self.text[self.lines.get(index)?.clone()];
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        String::from_utf8_lossy(&text[..digits]).parse().ok()
    }

    /// A loop up to the statement with a label: `do 10 i = 1, n`. It may end with `continue` or `end do`, or with a
    /// statement of the loop.
    fn labelled(&mut self, label: u32) -> Option<Statement> {
        let head = self.lines[self.next].clone();
        self.next += 1;
        let mut statements = Vec::new();
        loop {
            let line = self.line(self.next)?;
            let here = self.lines[self.next].clone();
            let is_last = self.label(self.next) == Some(label);
            if is_last && (line == "continue" || is_end(&line)) {
                self.next += 1;
                let block = Block::new(head.clone(), head.end..here.start, true, statements);
                return Some(Statement::new(Kind::Loop, head.start..here.end, vec![block]));
            }
            if is_end(&line) {
                return None;
            }
            statements.push(self.statement(&line)?);
            if is_last && self.lines[self.next - 1] == here {
                let block = Block::new(head.clone(), head.end..here.end, true, statements);
                return Some(Statement::new(Kind::Loop, head.start..here.end, vec![block]));
            }
            // An inner loop ended there, too.
            if self.label(self.next - 1) == Some(label) {
                return None;
            }
        }
    }

    /// Statements up to one that ends them, which stays.
    fn until_end(&mut self, more: &dyn Fn(&str) -> bool) -> Option<Vec<Statement>> {
        let mut statements = Vec::new();
        while let Some(line) = self.line(self.next) {
            if is_end(&line) || more(&line) {
                return Some(statements);
            }
            statements.push(self.statement(&line)?);
        }
        Some(statements)
    }

    fn statement(&mut self, line: &str) -> Option<Statement> {
        let range = self.lines[self.next].clone();
        if let Some(label) = ends_at(line) {
            return self.labelled(label);
        }
        let Some(kind) = opens(line) else {
            self.next += 1;
            let one_line = one_line_if(line).then(|| self.one_line(&range)).flatten();
            return Some(one_line.unwrap_or_else(|| Statement::new(Kind::Simple, range, Vec::new())));
        };
        let parts: &dyn Fn(&str) -> bool = match kind {
            Kind::If { .. } => &|line| is_else(line),
            Kind::Switch => {
                &|line| line.starts_with("case") || line.starts_with("rank (") || line.starts_with("class is")
            }
            Kind::Function | Kind::Plain => &|line| line == "contains",
            _ => &|_| false,
        };
        let (mut blocks, mut complete) = (Vec::new(), false);
        loop {
            let head = self.lines[self.next].clone();
            complete |= self.line(self.next)?.trim() == "else";
            self.next += 1;
            let statements = self.until_end(parts)?;
            let next = self.lines.get(self.next)?.clone();
            blocks.push(Block::new(head.clone(), head.end..next.start, true, statements));
            if is_end(&self.line(self.next)?) {
                self.next += 1;
                let kind = if matches!(kind, Kind::If { .. }) {
                    Kind::If { complete }
                } else {
                    kind
                };
                return Some(Statement::new(kind, range.start..next.end, blocks));
            }
        }
    }

    /// `if (a) b`: a branch of one statement.
    fn one_line(&self, range: &Range<usize>) -> Option<Statement> {
        let open = range.start + self.text[range.clone()].iter().position(|byte| *byte == b'(')?;
        let close = crate::braces::closing(self.text, open)? + 1;
        let blanks = self.text[close..range.end].iter();
        let start = close
            + blanks
                .take_while(|byte| byte.is_ascii_whitespace() || **byte == b'&')
                .count();
        let inner = Statement::new(Kind::Simple, start..range.end, Vec::new());
        let block = Block::new(range.start..close, start..range.end, false, vec![inner]);
        Some(Statement::new(
            Kind::If { complete: false },
            range.clone(),
            vec![block],
        ))
    }
}

fn is_end(line: &str) -> bool {
    let word = line
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .next();
    let word = word.unwrap_or_default();
    let rest = line[word.len()..].trim_start();
    let all = [
        "if",
        "do",
        "select",
        "program",
        "subroutine",
        "function",
        "module",
        "type",
        "block",
        "where",
    ];
    let ends = |what: &str| word.strip_prefix("end").is_some_and(|end| end.starts_with(what));
    (word == "end" && !rest.starts_with(['=', '(', '%']))
        || (all.iter().any(|what| ends(what)) && !rest.starts_with('='))
        || [
            "endassociate",
            "endinterface",
            "endforall",
            "endcritical",
            "endenum",
        ]
        .contains(&word)
}

/// The label that a loop ends at: `do 10 i = 1, n`.
fn ends_at(line: &str) -> Option<u32> {
    let rest = line.strip_prefix("do ")?;
    let (label, rest) = rest.split_once([' ', ','])?;
    (!rest.trim().is_empty()).then(|| label.parse().ok()).flatten()
}

fn is_else(line: &str) -> bool {
    line == "else"
        || line.starts_with("else if")
        || line.starts_with("elseif")
        || line.starts_with("elsewhere")
}

/// Whether a line is `if (a) b`, and not `if (a) then`.
fn one_line_if(line: &str) -> bool {
    line.strip_prefix("if")
        .is_some_and(|rest| rest.trim_start().starts_with('('))
        && !line.ends_with("then")
}

/// What a line begins that an `end` ends.
fn opens(line: &str) -> Option<Kind> {
    // A construct may have a name: `outer: do`.
    let named = line.split_once(':').filter(|(name, rest)| {
        !rest.starts_with(':')
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ' ')
    });
    let line = named.map_or(line, |(_, rest)| rest.trim_start());
    let word = line
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .next()
        .unwrap_or_default();
    let rest = line[word.len()..].trim_start();
    let is_name = !rest.starts_with(['=', '(', '%', ',']);
    match word {
        "if" if line.ends_with("then") => Some(Kind::If { complete: false }),
        "do" if !rest.starts_with(['=', '(']) => Some(Kind::Loop),
        "select" if rest.starts_with(['c', 't', 'r']) => Some(Kind::Switch),
        "program" | "module" | "submodule" if is_name && !rest.starts_with("procedure") => Some(Kind::Plain),
        "interface" | "abstract" => Some(Kind::Plain),
        "block" if rest.is_empty() => Some(Kind::Plain),
        "associate" if rest.starts_with('(') => Some(Kind::Plain),
        "where" | "forall" if ends_with_condition(line) => Some(Kind::Loop),
        "type" if !rest.starts_with('(') && !rest.starts_with('=') => Some(Kind::Plain),
        "subroutine" | "function" if is_name => Some(Kind::Function),
        "end" => None,
        _ if has_function(line) => Some(Kind::Function),
        _ => None,
    }
}

/// `where (a)` with nothing after it.
fn ends_with_condition(line: &str) -> bool {
    let open = line.find('(').unwrap_or(0);
    crate::braces::closing(line.as_bytes(), open).is_some_and(|close| line[close + 1..].trim().is_empty())
}

/// `pure integer function f(x)`, `recursive subroutine s`.
fn has_function(line: &str) -> bool {
    let prefixes = [
        "pure",
        "elemental",
        "impure",
        "recursive",
        "integer",
        "real",
        "logical",
        "complex",
        "character",
        "double",
        "type",
        "class",
    ];
    let first = line
        .split(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .unwrap_or_default();
    let before = line
        .split_once(" function ")
        .or_else(|| line.split_once(" subroutine "));
    prefixes.contains(&first)
        && before.is_some_and(|(before, _)| !before.contains("::") && !before.contains('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_a_statement() {
        let text = "program p\n  use mpi\n  type(t) :: x\n  type :: t\n    integer :: a\n  end type t\n  \
                    call a(1, & ! why\n    2)\n  outer: do i = 1, 2\n    if (x == 1) call b(); call c()\n    \
                    if (y) then\n      call d()\n    else if (z) then\n      call e()\n    else\n      call f()\n    \
                    end if\n  end do outer\ncontains\n  integer function g(x)\n    g = 1\n  end function\nend program p\n";
        let masked = crate::mask::masked(crate::language::Language::Fortran, text);
        let block = statements(&masked).expect("all ends are there");
        let way = |mark: &str| -> Vec<Kind> {
            let path = block.path(text.find(mark).expect(mark));
            path.iter().map(|step| step.statement().kind()).collect()
        };
        let (complete, partial) = (Kind::If { complete: true }, Kind::If { complete: false });
        for (mark, wanted) in [
            ("call a", &[Kind::Plain, Kind::Simple][..]),
            ("2)", &[Kind::Plain, Kind::Simple]),
            ("call b", &[Kind::Plain, Kind::Loop, partial, Kind::Simple]),
            ("call c", &[Kind::Plain, Kind::Loop, Kind::Simple]),
            ("call f", &[Kind::Plain, Kind::Loop, complete, Kind::Simple]),
            ("g = 1", &[Kind::Plain, Kind::Function, Kind::Simple]),
        ] {
            assert_eq!(way(mark), wanted, "{mark}");
        }
    }

    #[test]
    fn a_loop_that_ends_at_a_label() {
        let text = "      program p\n      do 20 i = 1, n\n      do 10, j = 1, n\n        call a(i)\n   10 continue\n        \
                    call b(i)\n   20 call c(i)\n      call d()\n      end\n";
        let fixed = crate::fixed::masked(text).expect("fixed form");
        let block = statements(&fixed.into_statements_and_code().0).expect("all ends are there");
        let way = |mark: &str| -> Vec<Kind> {
            let path = block.path(text.find(mark).expect(mark));
            path.iter().map(|step| step.statement().kind()).collect()
        };
        let (plain, looped, simple) = (Kind::Plain, Kind::Loop, Kind::Simple);
        assert_eq!(way("call a"), [plain, looped, looped, simple]);
        assert_eq!(way("call b"), [plain, looped, simple]);
        assert_eq!(way("call c"), [plain, looped, simple]);
        assert_eq!(way("call d"), [plain, simple]);
        let shared = text.replace("   10 continue\n", "").replace("do 10", "do 20");
        assert!(
            statements(
                &crate::fixed::masked(&shared)
                    .expect("fixed form")
                    .into_statements_and_code()
                    .0
            )
            .is_none()
        );
    }
}
