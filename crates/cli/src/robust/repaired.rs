//! The repair of a C or C++ program in its source: written, read again, and taken only if the program is robust then.
//!
//! Of MPI, what waits is said as an expert says it: a flush of one target, where that is enough, before one of all.
//! Nothing is left out: what the calculus does not need may complete what a process uses again or waits for. A repair
//! that cannot be written into the source is given in the language of `.pgas` files, with the reason.

use super::joined::Joined;
use crate::sources;
use farside_extract::{ContextNames, Reach, WindowNames};
use farside_fix::{Addition, added};
use farside_pgas::ast::Program;
use farside_pgas::change::{Change, apply, patch, patch_with};
use farside_pgas::printer;
use farside_processes::plain;
use farside_robustness::{FileRepair, LineEdit, Repair, SourceRepair};
use similar::{DiffOp, TextDiff};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

/// What became of a repair.
enum Written {
    /// It is in the source: the new text, and what the changes are.
    Source { new: Joined, changes: Vec<Change> },
    /// It is not, but a call that is there already is made before statements that only compute.
    Moved {
        new: Joined,
        /// The call in the old text.
        call: Range<usize>,
        /// The first statement that it is made before.
        before: String,
    },
    /// It is not, and why.
    Refused(String),
}

/// A program that is repaired.
pub(super) struct Repaired<'c> {
    sources: &'c Joined,
    text: &'c str,
    program: &'c Program,
    is_robust: &'c dyn Fn(&str) -> bool,
    written: RefCell<Option<Written>>,
}

impl<'c> Repaired<'c> {
    /// A program of the calculus, the sources that it was made of, and whether these are robust with another text.
    pub(super) fn new(
        sources: &'c Joined,
        program: &'c Program,
        is_robust: &'c dyn Fn(&str) -> bool,
    ) -> Self {
        Self {
            sources,
            text: sources.all(),
            program,
            is_robust,
            written: RefCell::new(None),
        }
    }

    /// The source with changes, if it is robust then; else the program of the calculus with them.
    pub(super) fn write(&self, changes: &[Change]) -> String {
        // What is not needed any more stays.
        let is_put_in = |change: &&Change| !matches!(change, Change::Remove { .. });
        let changes: Vec<Change> = changes.iter().filter(is_put_in).cloned().collect();
        let written = self.in_source(&changes);
        let text = match &written {
            Written::Source { new, .. } | Written::Moved { new, .. } => self.sources.changed(new),
            Written::Refused(_) => apply(self.program, &changes).to_string(),
        };
        *self.written.borrow_mut() = Some(written);
        text
    }

    /// Says of a repair where it was written, in the words that stand there.
    pub(super) fn tell(&self, repair: &mut Repair) {
        repair.needless.clear();
        match self.written.take() {
            None => {}
            Some(Written::Refused(why)) => repair.unwritten = Some(why),
            Some(Written::Moved { new, call, before }) => {
                let source = self.sources.text().source(&call);
                repair.cost = 0;
                repair.changes = vec![farside_robustness::Change {
                    what: format!("move `{}` before `{before}`", source.text),
                    source,
                    cost: 0,
                }];
                repair.source = Some(self.written_in(&new));
            }
            Some(Written::Source { new, changes }) => {
                for (said, change) in repair.changes.iter_mut().zip(&changes) {
                    if let Change::Strengthen { statement, end, .. } = change {
                        said.source = self.sources.text().source(&(*statement..*end));
                    }
                    said.what = change.words(&said.source.text);
                }
                repair.source = Some(self.written_in(&new));
            }
        }
    }

    /// Where the new text differs.
    fn written_in(&self, new: &Joined) -> SourceRepair {
        SourceRepair {
            folder: std::env::current_dir().unwrap_or_default().display().to_string(),
            files: file_repairs(self.sources, new),
        }
    }

    fn in_source(&self, changes: &[Change]) -> Written {
        let mut refusal = None;
        for reach in [Reach::Target, Reach::All] {
            let changes = match self.in_words(changes, reach) {
                Ok(changes) => changes,
                Err(why) => {
                    refusal = Some(why);
                    continue;
                }
            };
            let beside_lines = patch(self.text, self.program, &changes);
            let texts = self.beside_statements(&changes).into_iter().chain([beside_lines]);
            for text in texts {
                let text = tidy(&text);
                if let Some(new) = self.sources.with(&text)
                    && (self.is_robust)(&text)
                {
                    return Written::Source { new, changes };
                }
            }
        }
        self.earlier().unwrap_or_else(|| {
            Written::Refused(refusal.unwrap_or_else(|| {
                "with the changes, it is not compiled, or not known to be robust when it is read again"
                    .to_owned()
            }))
        })
    }

    /// The source with a call that ends an exposure or an epoch made earlier, if it is robust then.
    fn earlier(&self) -> Option<Written> {
        if self.program.api.is_some() {
            return None;
        }
        earlier_calls(self.text).into_iter().find_map(|(call, at)| {
            let line = line_of(self.text, call.start);
            let before = code_of(&self.text[line_of(self.text, at)]).to_owned();
            let mut text = self.text.to_owned();
            text.replace_range(line.clone(), "");
            let mut moved = self.text[line].to_owned();
            if !moved.contains("//") {
                moved.insert_str(moved.trim_end().len(), " // changed: moved");
            }
            text.insert_str(at, &moved);
            let new = self.sources.with(&text).filter(|_| (self.is_robust)(&text))?;
            Some(Written::Moved { new, call, before })
        })
    }

    /// The changes in the words of the source.
    fn in_words(&self, changes: &[Change], reach: Reach) -> Result<Vec<Change>, String> {
        if self.program.api.is_some() {
            let names = ContextNames::of(self.program, self.text);
            return changes
                .iter()
                .map(|change| names.change(change, self.text))
                .collect();
        }
        let names = WindowNames::of(self.program, self.text);
        changes
            .iter()
            .map(|change| names.change(change, self.text, reach))
            .collect()
    }

    /// The text with changes, where what is put in stands in the block of the statement that it is put beside: a body
    /// without braces gets them. `None` if a source is not understood.
    fn beside_statements(&self, changes: &[Change]) -> Option<String> {
        let mut others = Vec::new();
        let mut additions: Vec<(usize, Addition)> = Vec::new();
        for change in changes {
            match change {
                Change::Insert { gap, statement, kind } => additions.push((
                    gap.statement,
                    Addition {
                        beside: gap.statement..gap.end,
                        behind: gap.behind,
                        statement: format!("{};", printer::head(statement)),
                        mark: format!("// inserted: {}", kind.name()),
                    },
                )),
                other => others.push(other.clone()),
            }
        }
        let mut pieces = Vec::new();
        for ((path, text), start) in self.sources.files().zip(self.sources.starts()) {
            let within = |at: &usize| (start..=start + text.len()).contains(at);
            let here = additions.iter().filter(|(at, _)| within(at));
            let here: Vec<Addition> = here
                .map(|(_, addition)| Addition {
                    beside: addition.beside.start - start..addition.beside.end - start,
                    ..addition.clone()
                })
                .collect();
            if here.is_empty() {
                continue;
            }
            let found = added(&path.display().to_string(), text, &here)?;
            let shifted = |range: Range<usize>| range.start + start..range.end + start;
            pieces.extend(found.into_iter().map(|(range, new)| (shifted(range), new)));
        }
        (!pieces.is_empty()).then(|| patch_with(self.text, self.program, &others, pieces))
    }
}

/// Ends the statements that were put in.
fn tidy(text: &str) -> String {
    let lines = text
        .split_inclusive('\n')
        .map(|line| match line.contains("// inserted: ") {
            true => Cow::Owned(line.replace(") // inserted:", "); // inserted:")),
            false => Cow::Borrowed(line),
        });
    lines.collect()
}

/// Calls after which what others have written is there.
const ARRIVALS: [&str; 2] = ["MPI_Win_wait(", "MPI_Win_fence("];

/// Each such call that has a line for itself, with the first byte of a line before it, from which on there are only
/// statements of one block that call nothing: these do not wait for anybody, so that the call may come before them.
fn earlier_calls(text: &str) -> Vec<(Range<usize>, usize)> {
    let mut found = Vec::new();
    for at in ARRIVALS
        .iter()
        .flat_map(|call| text.match_indices(call))
        .map(|(at, _)| at)
    {
        let line = line_of(text, at);
        let statement = code_of(&text[line.clone()]);
        if !ARRIVALS.iter().any(|call| statement.starts_with(call)) || !statement.ends_with(");") {
            continue;
        }
        let call = at..at + statement.len();
        let mut start = line.start;
        while start > 0 {
            let before = line_of(text, start - 1);
            if !only_computes(code_of(&text[before.clone()])) {
                break;
            }
            start = before.start;
            let above = text[..start].lines().map(code_of).rfind(|line| !line.is_empty());
            if above.is_some_and(|line| line.ends_with([';', '{', '}'])) && !code_of(&text[before]).is_empty()
            {
                found.push((call.clone(), start));
            }
        }
    }
    found
}

/// The bytes of the line that a byte is on, with its end.
fn line_of(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
    start..end
}

/// A line without its comment.
fn code_of(line: &str) -> &str {
    line.split_once("//").map_or(line, |(code, _)| code).trim()
}

/// Whether a line is of statements that neither call something nor lead elsewhere.
fn only_computes(code: &str) -> bool {
    const ELSEWHERE: [&str; 10] = [
        "if", "else", "for", "while", "do", "switch", "case", "return", "goto", "break",
    ];
    let mut last = ' ';
    let mut words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let calls = code.chars().any(|c| {
        let is_call = c == '(' && (last.is_ascii_alphanumeric() || last == '_');
        last = c;
        is_call
    });
    !calls
        && !code.contains(['{', '}', '#', ':', '"', '\'', '?'])
        && !code.contains("/*")
        && !words.any(|word| ELSEWHERE.contains(&word) || word == "continue")
}

/// What changes in each file that does.
fn file_repairs(old: &Joined, new: &Joined) -> Vec<FileRepair> {
    let both = old
        .files()
        .zip(new.files())
        .filter(|((_, old), (_, new))| old != new);
    both.map(|((path, old), (_, new))| FileRepair {
        file: plain(&path.display().to_string()),
        sha256: sources::read(path).map_or_else(String::new, |bytes| sources::hash(&bytes)),
        edits: edits(old, new),
    })
    .collect()
}

/// The lines that differ.
fn edits(old: &str, new: &str) -> Vec<LineEdit> {
    let lines: Vec<&str> = new.split_inclusive('\n').collect();
    let diff = TextDiff::from_lines(old, new);
    let edit = |op: &DiffOp| {
        let (before, after) = (op.old_range(), op.new_range());
        LineEdit {
            line: u32::try_from(before.start + 1).unwrap_or(u32::MAX),
            lines: u32::try_from(before.len()).unwrap_or(u32::MAX),
            text: lines
                .get(after)
                .unwrap_or_default()
                .iter()
                .map(|line| unmarked(line))
                .collect(),
        }
    };
    let differs = |op: &&DiffOp| !matches!(op, DiffOp::Equal { .. });
    diff.ops().iter().filter(differs).map(edit).collect()
}

/// A line without the comment that marks it as one of the repair.
fn unmarked(line: &str) -> String {
    let marks = [" // inserted: ", " // changed: "];
    match marks.iter().find_map(|mark| line.find(mark)) {
        Some(at) => format!(
            "{}{}",
            &line[..at],
            &line[line.trim_end_matches(['\r', '\n']).len()..]
        ),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_comes_before_statements_that_only_compute() {
        let found = |text: &str| -> Vec<String> {
            let all = earlier_calls(text).into_iter();
            all.map(|(_, at)| text[at..].lines().next().unwrap_or_default().trim().to_owned())
                .collect()
        };
        let block = "f();\n  a = b;\n  // why\n  c = (int)a +\n    2;\n  MPI_Win_wait(w); // end\n";
        assert_eq!(found(block), ["c = (int)a +", "a = b;"]);
        for other in [
            "g();\nMPI_Win_wait(w);\n",
            "if (x)\n  a = b;\nMPI_Win_wait(w);\n",
            "a = b;\nif (x) MPI_Win_wait(w);\n",
            "a = b; }\nMPI_Win_wait(w);\n",
            "a = b;\nreturn a;\nMPI_Win_wait(w);\n",
            "a = b;\nMPI_Win_flush(w);\n",
        ] {
            assert!(found(other).is_empty(), "{other}");
        }
    }

    #[test]
    fn edits_make_the_new_text_of_the_old_one() {
        let old = "a\nb\nc\nd\n";
        for new in [
            "a\nx\nb\nd\n",
            "",
            "b\nc\nd\ne",
            "a\nb\nc\nd\n",
            "a\nB\nC\nx\nd\n",
        ] {
            let repair = FileRepair {
                file: String::new(),
                sha256: String::new(),
                edits: edits(old, new),
            };
            assert_eq!(repair.applied(old).as_deref(), Some(new));
        }
        let marked = edits(old, "a\n  f(); // inserted: wait\nb\nc\nd\n");
        assert_eq!(marked[0].text, "  f();\n");
        let marked = edits("a\r\nb\r\n", "a\r\n  f(); // inserted: wait\r\nb\r\n");
        assert_eq!(marked[0].text, "  f();\r\n");
    }
}
