//! Suppression files: findings that are known, and shall not be shown again.
//!
//! # Format
//!
//! A suppression a line. Blank lines, and everything from a `#` that begins a word, are ignored. A line is a list of
//! `key=value` terms; a finding is hidden when **all** terms of a line hold for it.
//!
//! ```text
//! # the ghost cells are rewritten on purpose
//! rule=remote-race file=halo.c:54-60 reason="see issue 12"
//! id=3f2a90c1d4
//! rule=local-race file=put.c:54 file=put.c:56
//! file=third_party/*
//! caller=H5D* window="scratch *"
//! ```
//!
//! | key | holds when |
//! |---|---|
//! | `rule` | the finding's rule has this id |
//! | `id` | the finding has this id (ten hexadecimal digits) |
//! | `file` | the place of a party lies in this file, at this line (`:54`) or in these lines (`:54-60`) if given |
//! | `function` | the function at the place of a party has this name |
//! | `caller` | any function on a party's stack has this name |
//! | `window` | the finding's window has this name, or was made at this place (`created at FILE:LINE`) |
//! | `reason` | always: a note for readers |
//!
//! Names may contain `*` (any run of characters) and `?` (one character). A file pattern may stand for the whole path
//! or for its end: `halo.c` and `src/halo.c` both match `/home/me/src/halo.c`. A value with blanks stands in double
//! quotes, in which `\"` is a quote and `\\` a backslash. When `file` (or `function`, or `caller`) stands twice on a
//! line, two different parties must match: a pair of places is named by two `file` terms.
//!
//! Limits: a finding without source places is not matched by `file`.

use crate::wildcard::Wildcard;
use crate::{Finding, Party, Report, Rule};
use std::fmt;

/// The suppressions of one or more files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suppressions {
    entries: Vec<Suppression>,
}

impl Suppressions {
    /// Parses the text of a suppression file; `file` is its name, for messages.
    ///
    /// # Errors
    /// All lines that are wrong, in their order.
    pub fn parse(file: &str, text: &str) -> Result<Self, Vec<SuppressionError>> {
        let mut entries = Vec::new();
        let mut errors = Vec::new();
        for (line, content) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            match parse_line(file, line, content) {
                Ok(entry) => entries.extend(entry),
                Err((message, hint)) => {
                    errors.push(SuppressionError {
                        file: file.to_owned(),
                        line,
                        message,
                        hint,
                    });
                }
            }
        }
        if errors.is_empty() {
            Ok(Suppressions { entries })
        } else {
            Err(errors)
        }
    }

    /// Adds those of another file.
    pub fn extend(&mut self, other: Suppressions) {
        self.entries.extend(other.entries);
    }

    /// Removes the findings that a suppression names from `report`, adds their number to [`Report::suppressed`], and
    /// returns the suppressions that no finding matched.
    pub fn apply(&self, report: &mut Report) -> Vec<&Suppression> {
        let mut used = vec![false; self.entries.len()];
        report.findings.retain(|finding| {
            let mut hidden = false;
            for (entry, used) in self.entries.iter().zip(&mut used) {
                if entry.matches(finding) {
                    (hidden, *used) = (true, true);
                }
            }
            report.suppressed += u64::from(hidden);
            !hidden
        });
        self.entries
            .iter()
            .zip(used)
            .filter_map(|(entry, used)| (!used).then_some(entry))
            .collect()
    }
}

/// One line of a suppression file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// File that it stands in.
    pub file: String,
    /// Line in that file, from 1.
    pub line: u32,
    /// The line as written, without comment.
    pub text: String,
    /// The note for readers.
    pub reason: Option<String>,
    terms: Vec<Term>,
}

impl Suppression {
    /// Whether it names this finding.
    pub fn matches(&self, finding: &Finding) -> bool {
        let whole = self.terms.iter().all(|term| match term {
            Term::Rule(rule) => finding.rule == *rule,
            Term::Id(id) => finding.id == *id,
            // By its variable, and by its place, as a report without debug information names it.
            Term::Window(name) => {
                let place = finding.created.as_ref().map(|made| &made.place);
                let by_place = place.map(|place| format!("created at {}:{}", place.file, place.line));
                let names = finding.window.iter().chain(&by_place);
                names.into_iter().any(|window| name.matches(window))
            }
            Term::File(..) | Term::Function(_) | Term::Caller(_) => true,
        });
        whole
            && PARTY_KEYS.iter().all(|key| {
                let terms: Vec<&Term> = self.terms.iter().filter(|term| term.key() == *key).collect();
                by_different_parties(&terms, &finding.parties.iter().collect::<Vec<_>>())
            })
    }
}

impl fmt::Display for Suppression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.text)
    }
}

/// A line that is not a suppression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuppressionError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub hint: String,
}

impl fmt::Display for SuppressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}: {}\n  help: {}",
            self.file, self.line, self.message, self.hint
        )
    }
}

impl std::error::Error for SuppressionError {}

const KEYS: [&str; 7] = ["rule", "id", "file", "function", "caller", "window", "reason"];
const PARTY_KEYS: [&str; 3] = ["file", "function", "caller"];

#[derive(Clone, Debug, PartialEq, Eq)]
enum Term {
    Rule(Rule),
    Id(String),
    File(Wildcard, Option<(u32, u32)>),
    Function(Wildcard),
    Caller(Wildcard),
    Window(Wildcard),
}

impl Term {
    fn key(&self) -> &'static str {
        match self {
            Term::Rule(_) => "rule",
            Term::Id(_) => "id",
            Term::File(..) => "file",
            Term::Function(_) => "function",
            Term::Caller(_) => "caller",
            Term::Window(_) => "window",
        }
    }

    fn matches_party(&self, party: &Party) -> bool {
        match self {
            Term::File(pattern, lines) => party.place().is_some_and(|place| {
                pattern.matches_path(&place.file)
                    && lines.is_none_or(|(first, last)| (first..=last).contains(&place.line))
            }),
            Term::Function(name) => {
                let at_place = party
                    .stack
                    .iter()
                    .find(|frame| frame.place.is_some())
                    .or(party.stack.first());
                at_place
                    .and_then(|frame| frame.function.as_deref())
                    .is_some_and(|f| name.matches(f))
            }
            Term::Caller(name) => party
                .stack
                .iter()
                .filter_map(|frame| frame.function.as_deref())
                .any(|f| name.matches(f)),
            Term::Rule(_) | Term::Id(_) | Term::Window(_) => false,
        }
    }
}

/// Whether each term has a party of its own. Lists are as short as a line of text and the parties of a finding.
fn by_different_parties(terms: &[&Term], parties: &[&Party]) -> bool {
    let Some((term, others)) = terms.split_first() else {
        return true;
    };
    (0..parties.len()).any(|chosen| {
        let mut remaining = parties.to_vec();
        term.matches_party(remaining.remove(chosen)) && by_different_parties(others, &remaining)
    })
}

/// What is wrong with a line, and a hint.
type Wrong = (String, String);

fn parse_line(file: &str, line: u32, content: &str) -> Result<Option<Suppression>, Wrong> {
    let (mut terms, mut reason) = (Vec::new(), None);
    let mut rest = content.trim();
    while !rest.is_empty() && !rest.starts_with('#') {
        let word_end = rest
            .find(|c: char| c == '=' || c.is_whitespace())
            .unwrap_or(rest.len());
        let (key, after_key) = rest.split_at(word_end);
        let Some(value) = after_key.strip_prefix('=') else {
            return Err(bare_word(key));
        };
        let (value, after_value) = take_value(value)?;
        if value.is_empty() {
            return Err((
                format!("`{key}` has no value"),
                format!("write {key}=VALUE, without blanks around `=`"),
            ));
        }
        match key {
            "reason" => reason = Some(value),
            _ => terms.push(parse_term(key, value)?),
        }
        rest = after_value.trim_start();
    }
    if terms.is_empty() && reason.is_none() {
        return Ok(None);
    }
    if terms.is_empty() {
        let hint = "add what shall be hidden, such as rule=..., id=... or file=...".to_owned();
        return Err(("a reason alone would hide every finding".to_owned(), hint));
    }
    for key in PARTY_KEYS {
        if terms.iter().filter(|term| term.key() == key).count() > 4 {
            return Err((
                format!("more than four `{key}` terms"),
                "write several lines".to_owned(),
            ));
        }
    }
    let content = content.trim();
    let text = content[..content.len() - rest.len()].trim_end().to_owned();
    Ok(Some(Suppression {
        file: file.to_owned(),
        line,
        text,
        reason,
        terms,
    }))
}

/// Splits a value off: a quoted one, or everything up to the next blank.
fn take_value(text: &str) -> Result<(String, &str), Wrong> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        return Ok((text[..end].to_owned(), &text[end..]));
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Ok((value, &quoted[at + 1..])),
            '\\' => match characters.next() {
                Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                // Anything else keeps its backslash, which patterns use: "a\*".
                Some((_, other)) => value.extend(['\\', other]),
                None => break,
            },
            plain => value.push(plain),
        }
    }
    Err((
        "the closing quote is missing".to_owned(),
        "end the value with `\"` on the same line".to_owned(),
    ))
}

fn parse_term(key: &str, value: String) -> Result<Term, Wrong> {
    Ok(match key {
        "rule" => match Rule::from_id(&value) {
            Some(rule) => Term::Rule(rule),
            None => {
                let ids: Vec<&str> = Rule::ALL.iter().map(|rule| rule.id()).collect();
                return Err((format!("there is no rule `{value}`"), did_you_mean(&value, &ids)));
            }
        },
        "id" if value.len() == 10 && value.bytes().all(|b| b.is_ascii_hexdigit()) => {
            Term::Id(value.to_ascii_lowercase())
        }
        "id" => {
            let hint = "take the ten hexadecimal digits that the report shows as id".to_owned();
            return Err((format!("`{value}` is not the id of a finding"), hint));
        }
        "file" => parse_file(&value)?,
        "function" => Term::Function(Wildcard::parse(&value)),
        "caller" => Term::Caller(Wildcard::parse(&value)),
        "window" => Term::Window(Wildcard::parse(&value)),
        _ => return Err((format!("unknown key `{key}`"), did_you_mean(key, &KEYS))),
    })
}

/// `PATTERN`, `PATTERN:LINE` or `PATTERN:FIRST-LAST`. What follows the last colon is a line only if it looks like one.
fn parse_file(value: &str) -> Result<Term, Wrong> {
    let numeric = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let Some((pattern, lines)) = value.rsplit_once(':').filter(|(_, lines)| numeric(lines)) else {
        return Ok(Term::File(Wildcard::parse(value), None));
    };
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 0 < first && first <= last && !pattern.is_empty() => {
            Ok(Term::File(Wildcard::parse(pattern), Some((first, last))))
        }
        _ => Err((
            format!("`{lines}` is not a line or a range of lines"),
            "write file=NAME:54 or file=NAME:54-60".to_owned(),
        )),
    }
}

/// A word without `=`: people will try rule ids and keys with a colon.
fn bare_word(word: &str) -> Wrong {
    let hint = match word {
        rule if Rule::from_id(rule).is_some() => format!("write rule={rule}"),
        _ => format!("write KEY=VALUE, where KEY is one of {}", KEYS.join(", ")),
    };
    (format!("`{word}` is not a KEY=VALUE term"), hint)
}

fn did_you_mean(word: &str, known: &[&str]) -> String {
    let nearest = known
        .iter()
        .min_by_key(|candidate| edit_distance(word, candidate));
    match nearest {
        Some(candidate) if edit_distance(word, candidate) <= 1 + word.len() / 4 => {
            format!("did you mean `{candidate}`?")
        }
        _ => format!("known are {}", known.join(", ")),
    }
}

/// Levenshtein's distance, over bytes.
fn edit_distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in right.bytes().enumerate() {
            let substituted = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}
