//! A source file: its text, what of it is code, and its statements.

use crate::braces;
use crate::fixed;
use crate::fortran;
use crate::language::{Language, is_fixed_form};
use crate::mask::masked;
use crate::refusal::Refusal;
use crate::statement::{Block, Kind, Statement, Step};
use farside_findings::Place;
use std::ops::Range;

/// Directives of OpenMP that stand alone, and hold for no statement (5.2).
const ALONE: [&str; 6] = [
    "barrier",
    "flush",
    "taskwait",
    "taskyield",
    "cancel",
    "cancellation",
];

/// Directives of OpenMP whose body is one statement, or several in braces.
const BODIES: [&str; 6] = ["critical", "single", "master", "masked", "task", "taskgroup"];

/// Lines of directives and comments that may stand above the statement that they are about.
const MOST_LINES: u32 = 8;

/// A source file that can be edited.
#[derive(Debug)]
pub(crate) struct Source {
    file: String,
    language: Language,
    is_fixed: bool,
    text: String,
    code: Vec<u8>,
    statements: Block,
    /// Where each line begins.
    lines: Vec<usize>,
}

impl Source {
    /// Reads a source.
    ///
    /// # Errors
    /// It is generated, or not understood.
    pub(crate) fn read(file: &str, text: String) -> Result<Self, Refusal> {
        let language = Language::of(file).ok_or_else(|| Refusal::Language(file.to_owned()))?;
        if let Some(mark) = generated(&text) {
            return Err(Refusal::Generated(file.to_owned(), mark));
        }
        let not_understood = || Refusal::NotUnderstood(file.to_owned());
        let is_fixed = is_fixed_form(file);
        let (code, statements) = match language {
            Language::Fortran if is_fixed => {
                let (joined, code) = fixed::masked(&text)
                    .ok_or_else(not_understood)?
                    .into_statements_and_code();
                let statements = fortran::statements(&joined);
                (code, statements)
            }
            _ => {
                let code = masked(language, &text);
                let statements = match language {
                    Language::Fortran => fortran::statements(&code),
                    _ => braces::statements(language, &code),
                };
                (code, statements)
            }
        };
        let statements = statements.ok_or_else(not_understood)?;
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Ok(Self {
            file: file.to_owned(),
            language,
            is_fixed,
            text,
            code,
            statements,
            lines,
        })
    }

    /// Its name.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// Its language.
    pub(crate) fn language(&self) -> Language {
        self.language
    }

    /// Whether columns of a line have their own meaning.
    pub(crate) fn is_fixed(&self) -> bool {
        self.is_fixed
    }

    /// All of it.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// A part of it.
    pub(crate) fn part(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// A part of it without comments and texts.
    pub(crate) fn code(&self, range: Range<usize>) -> &[u8] {
        self.code.get(range).unwrap_or_default()
    }

    /// Where a place is.
    ///
    /// # Errors
    /// There is no such line, or no code in it.
    pub(crate) fn offset(&self, place: &Place) -> Result<usize, Refusal> {
        let found = self.offset_in_line(place);
        let (Err(Refusal::Directive(_)), Language::C) = (&found, self.language) else {
            return found;
        };
        // What a directive does is done by the statement below it, which it holds for.
        let below = (place.line + 1..place.line + MOST_LINES).map(|line| {
            self.offset_in_line(&Place {
                line,
                column: None,
                ..place.clone()
            })
        });
        let mut below = below.skip_while(|at| matches!(at, Err(Refusal::Directive(_) | Refusal::NoCode(_))));
        below.next().and_then(Result::ok).map_or(found, Ok)
    }

    fn offset_in_line(&self, place: &Place) -> Result<usize, Refusal> {
        let absent = || Refusal::NoCode(place.clone());
        let number = usize::try_from(place.line)
            .ok()
            .and_then(|line| line.checked_sub(1));
        let number = number.ok_or_else(absent)?;
        let start = *self.lines.get(number).ok_or_else(absent)?;
        let line = start..self.line_end(start);
        let column = place
            .column
            .and_then(|column| usize::try_from(column).ok()?.checked_sub(1));
        let first = self
            .code(line.clone())
            .iter()
            .position(|byte| !byte.is_ascii_whitespace());
        let first = start + first.ok_or_else(|| self.directive(place, &line))?;
        Ok(column
            .map(|column| start + column)
            .filter(|at| (first..line.end).contains(at))
            .unwrap_or(first))
    }

    fn directive(&self, place: &Place, line: &Range<usize>) -> Refusal {
        let text = self.part(line.clone()).trim_start().to_ascii_lowercase();
        match () {
            () if text.starts_with("#pragma") || text.starts_with("!$") => Refusal::Directive(place.clone()),
            () if text.is_empty() => Refusal::NoCode(place.clone()),
            () if self.language == Language::Fortran => Refusal::NoCode(place.clone()),
            () => Refusal::Macro(place.clone()),
        }
    }

    /// Whether two offsets are in one function.
    pub(crate) fn is_one_function(&self, one: usize, other: usize) -> bool {
        let function = |at: usize| {
            let path = self.statements.path(at);
            let mut functions = path
                .iter()
                .filter(|step| step.statement().kind() == Kind::Function);
            functions.next_back().map(|step| step.statement().range().start)
        };
        function(one) == function(other)
    }

    /// The way to the statement at an offset.
    ///
    /// # Errors
    /// It is in code that is not told apart into statements.
    pub(crate) fn path(&self, at: usize) -> Result<Vec<Step<'_>>, Refusal> {
        let path = self.statements.path(at);
        let last = path
            .last()
            .ok_or_else(|| Refusal::NotUnderstood(self.file.clone()))?;
        let blocks = last.statement().blocks();
        if blocks.iter().any(|block| block.range().contains(&at)) {
            return Err(Refusal::NotUnderstood(self.file.clone()));
        }
        Ok(path)
    }

    /// Line and column of an offset, from 1; columns count characters.
    pub(crate) fn position(&self, at: usize) -> (u32, u32) {
        let before = &self.text[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        let cut = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        (cut(line), cut(column))
    }

    /// The end of the line of an offset, before its line end.
    pub(crate) fn line_end(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        match rest.find('\n') {
            Some(length) => at + rest[..length].trim_end_matches('\r').len(),
            None => self.text.len(),
        }
    }

    /// The beginning of the line after that of an offset, or the end of the text.
    pub(crate) fn next_line(&self, at: usize) -> usize {
        let end = self.text[at..].find('\n');
        end.map_or(self.text.len(), |length| at + length + 1)
    }

    /// The beginning of the line of an offset.
    pub(crate) fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |end| end + 1)
    }

    /// The blanks that the line of an offset begins with; in fixed form, those that a line without a label has at
    /// least.
    pub(crate) fn indentation(&self, at: usize) -> &str {
        let line = &self.text[self.line_start(at)..];
        let blanks = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
        match self.is_fixed && blanks.len() < fixed::BLANKS.len() {
            true => fixed::BLANKS,
            false => blanks,
        }
    }

    /// Whether a statement has a label, to which others may jump.
    pub(crate) fn is_labelled(&self, statement: &Statement) -> bool {
        let first = self.code(statement.range()).first();
        self.language == Language::Fortran && first.is_some_and(u8::is_ascii_digit)
    }

    /// Whether nothing but blanks stands before an offset in its line.
    pub(crate) fn is_first(&self, at: usize) -> bool {
        self.text[self.line_start(at)..at].trim().is_empty()
    }

    /// Whether no code stands after an offset in its line, and no comment that goes on in the next one.
    pub(crate) fn is_last(&self, at: usize) -> bool {
        let rest = at..self.line_end(at);
        let open = self
            .part(rest.clone())
            .rfind("/*")
            .is_some_and(|open| !self.part(rest.clone())[open..].contains("*/"));
        self.code(rest).trim_ascii().is_empty() && !open
    }

    /// One more level of indentation.
    pub(crate) fn level(&self, indentation: &str) -> &'static str {
        let two = || {
            self.text
                .lines()
                .any(|line| line.starts_with("  ") && line.as_bytes().get(2).is_some_and(|b| *b > b' '))
        };
        match () {
            () if self.is_fixed => "  ",
            () if indentation.contains('\t') || self.text.contains("\n\t") => "\t",
            () if two() => "  ",
            () => "    ",
        }
    }

    /// The line right above a statement, if that is a directive.
    pub(crate) fn directive_above(&self, statement: &Statement) -> Option<&str> {
        let before = self.text[..self.line_start(statement.range().start)].trim_end();
        let line = before.lines().next_back()?.trim_start();
        line.starts_with(['#', '!']).then_some(line)
    }

    /// Whether a directive of OpenMP stands right before a statement, so that it holds for this one alone.
    pub(crate) fn is_under_directive(&self, statement: &Statement) -> bool {
        self.directive_of(statement)
            .is_some_and(|word| !ALONE.contains(&word))
    }

    /// Whether it is the whole body of a construct of OpenMP that may have more statements in braces, and is executed
    /// as it would be without.
    pub(crate) fn is_body(&self, statement: &Statement) -> bool {
        let is_simple = statement.kind() == Kind::Simple && self.language == Language::C;
        let has_body = |word| BODIES.contains(&word);
        is_simple && self.directive_of(statement).is_some_and(has_body)
    }

    /// The first word of the directive of OpenMP right above a statement.
    fn directive_of(&self, statement: &Statement) -> Option<&str> {
        let mut words = self.directive_above(statement)?.split_whitespace();
        let is_openmp = words.next() == Some("#pragma") && words.next() == Some("omp");
        let word = words.next().filter(|_| is_openmp)?;
        word.split('(').next()
    }

    /// Whether all names of an expression are known at an offset: they stand in code before it, in a block around it.
    pub(crate) fn knows(&self, expression: &str, at: usize) -> bool {
        let path = self.statements.path(at);
        // What the statement names itself is known beside it, members of a class for example, unless it declares that.
        let own = path.last().map(Step::statement);
        let own = own.filter(|own| own.kind() == Kind::Simple && !self.declares(own));
        variables(expression).all(|name| {
            is_constant(name)
                || own.is_some_and(|own| self.has_name(own.range(), name))
                || path.iter().any(|step| {
                    let block = step.block();
                    // Members of a class are known in its functions, wherever they are declared.
                    let known = match self.is_of_a_class(block) {
                        true => block.statements().len(),
                        false => step.index(),
                    };
                    let earlier = block.statements()[..known].iter();
                    let declares = |one: &Statement| match one.kind() {
                        Kind::Simple => self.has_name(one.range(), name),
                        Kind::Plain if one.blocks().iter().all(|block| !block.range().contains(&at)) => false,
                        _ => false,
                    };
                    // What a loop declares is known in it, and not at its beginning.
                    let around = |block: &&Block| block.range().contains(&at);
                    let heads = step.statement().blocks().iter().filter(around);
                    earlier.clone().any(declares)
                        || heads.clone().any(|block| self.has_name(block.head(), name))
                })
        })
    }

    /// Whether a block is the body of a class.
    fn is_of_a_class(&self, block: &Block) -> bool {
        self.language == Language::C
            && ["class", "struct"]
                .iter()
                .any(|word| self.has_name(block.head(), word))
            && !self.code(block.head()).contains(&b'(')
    }

    /// Whether a statement declares something, as far as two names in a row tell.
    pub(crate) fn declares(&self, statement: &Statement) -> bool {
        if self.language == Language::Fortran {
            return false;
        }
        let code = String::from_utf8_lossy(self.code(statement.range())).into_owned();
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let first: String = code.chars().take_while(|c| is_name(*c)).collect();
        let rest = code[first.len()..].trim_start();
        let rest = rest.trim_start_matches(['*', '&']).trim_start();
        let is_jump = ["return", "goto", "break", "continue", "delete", "throw"].contains(&&*first);
        !first.is_empty() && !is_jump && rest.starts_with(is_name)
            || code.contains("::") && code.contains('=')
            || first == "auto"
    }

    fn has_name(&self, range: Range<usize>, name: &str) -> bool {
        let code = String::from_utf8_lossy(self.code(range)).into_owned();
        match self.language {
            Language::Fortran => names(&code).any(|other| other.eq_ignore_ascii_case(name)),
            _ => names(&code).any(|other| other == name),
        }
    }

    /// Whether a condition asks for the rank: it names a variable that a call put the rank into.
    pub(crate) fn asks_for_rank(&self, condition: Range<usize>) -> bool {
        let code = String::from_utf8_lossy(&self.code).into_owned();
        let asking = [
            "comm_rank",
            "shmem_my_pe",
            "shmem_team_my_pe",
            "gaspi_proc_rank",
            "shmem_n_pes",
            "comm_size",
        ];
        let condition_text = String::from_utf8_lossy(self.code(condition)).to_ascii_lowercase();
        if asking[..4].iter().any(|call| condition_text.contains(call)) {
            return true;
        }
        let ranks = code.lines().filter(|line| {
            let line = line.to_ascii_lowercase();
            asking[..4].iter().any(|call| line.contains(call))
        });
        let of_line = |line: &str| -> Vec<String> {
            let lower = line.to_ascii_lowercase();
            let call = asking[..4].iter().find_map(|call| lower.find(call)).unwrap_or(0);
            let assigned = line[..call].rfind('=').map(|end| &line[..end]);
            let set = assigned.and_then(|left| names(left).last()).map(str::to_owned);
            let given = line[call..].split([',', '(']).skip(1);
            // Where the function is declared, it is given types.
            let is_type = |name: &&str| ["int", "gaspi_rank_t"].contains(name);
            let given = given
                .filter_map(|argument| names(argument).next())
                .filter(|name| !is_type(name))
                .map(str::to_owned);
            set.into_iter()
                .chain(given)
                .map(|name| name.to_ascii_lowercase())
                .collect()
        };
        let ranks: Vec<String> = ranks
            .flat_map(of_line)
            .filter(|name| !is_constant(&name.to_ascii_uppercase()))
            .collect();
        names(&condition_text).any(|name| ranks.iter().any(|rank| rank == name))
    }
}

/// The names in an expression.
pub(crate) fn names(expression: &str) -> impl Iterator<Item = &str> {
    let words = expression.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// The names in an expression that are no members of others: `a` and `i` in `a[i].b`.
fn variables(expression: &str) -> impl Iterator<Item = &str> {
    names(expression).filter(move |name| {
        let start = name.as_ptr() as usize - expression.as_ptr() as usize;
        let before = expression[..start].trim_end();
        !(before.ends_with('.') || before.ends_with("->") || before.ends_with('%'))
    })
}

/// Whether a name is one of an interface's constants.
pub(crate) fn is_constant(name: &str) -> bool {
    ["MPI_", "GASPI_", "SHMEM_"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
        || name == "ierr"
        || name == "ierror"
}

/// What says that a program writes the file.
fn generated(text: &str) -> Option<&'static str> {
    let beginning = || text.lines().take(20);
    let has = |mark: &str| beginning().any(|line| line.to_ascii_lowercase().contains(mark));
    let lines = || text.lines().map(str::trim_start);
    let numbered = |line: &str| {
        let rest = line.strip_prefix('#').map(str::trim_start);
        let rest = rest.map(|rest| rest.strip_prefix("line").unwrap_or(rest).trim_start());
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    match () {
        () if has("do not edit") => Some("DO NOT EDIT"),
        () if has("@generated") => Some("@generated"),
        () if lines().any(numbered) => Some("#line"),
        () => None,
    }
}
