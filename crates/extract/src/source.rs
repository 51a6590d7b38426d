//! The lines of the sources, which are one text, and where in it a statement of the calculus comes from.

use crate::SourceFile;
use crate::state::State;
use crate::tables::Path as CallPath;
use farside_lint::ir::{Module, PlaceId};
use farside_pgas::ast::Place;
use std::ops::Range;
use std::path::Path;

/// An execution of a function.
pub(crate) struct Execution {
    path: CallPath,
    /// In how many calls it is, its own one included.
    calls: usize,
    /// The line and column of the call to it, as far as that is in the files.
    call: Option<(u32, u32)>,
}

impl Execution {
    /// Whether both are the same.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.path == other.path
    }

    /// Whether a loop of a function that is in so many calls is one around its statements.
    pub(crate) fn is_within(&self, calls: usize) -> bool {
        calls <= self.calls
    }

    /// The line and column of the call to it, as far as that is in the files.
    pub(crate) fn call(&self) -> Option<(u32, u32)> {
        self.call
    }
}

/// Source files.
pub(crate) struct Lines<'t> {
    text: &'t str,
    files: &'t [SourceFile],
    /// Where each line begins.
    starts: Vec<usize>,
    /// How many lines there are before each file.
    before: Vec<u32>,
}

impl<'t> Lines<'t> {
    pub(crate) fn of(files: &'t [SourceFile], text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
        let starts: Vec<usize> = starts.collect();
        let lines = |file: &SourceFile| starts.partition_point(|start| *start < file.start) as u32;
        Self {
            text,
            files,
            before: files.iter().map(lines).collect(),
            starts,
        }
    }

    /// The file that a line of the text is in, by its number, and the line there; 0 stays 0.
    pub(crate) fn in_file(&self, line: u32) -> (usize, u32) {
        let file = self
            .before
            .partition_point(|before| *before < line)
            .saturating_sub(1);
        let before = self.before.get(file).copied().unwrap_or(0);
        (file, line.saturating_sub(before))
    }

    /// The file of this name: the one at the path, or else the only one that is called so, for the compiler may have
    /// been told another path.
    fn file_of(&self, name: &str) -> Option<usize> {
        let exact = self.files.iter().position(|file| file.path == Path::new(name));
        exact.or_else(|| {
            let named = Path::new(name).file_name();
            let mut same = (0..)
                .zip(self.files)
                .filter(|(_, file)| file.path.file_name() == named);
            let (number, _) = same.next()?;
            same.next().is_none().then_some(number)
        })
    }

    /// The line of an instruction, or of the innermost call to it that is in these files; 0 if there is none.
    pub(crate) fn line(&self, state: &State, module: &Module, place: PlaceId) -> u32 {
        self.spot(state, module, place).0
    }

    /// The line, and the column in it; 0 for what is not known.
    fn spot(&self, state: &State, module: &Module, place: PlaceId) -> (u32, u32) {
        let mut spots = self.spots(state, module, place);
        spots.next().map(|(spot, _)| spot).unwrap_or_default()
    }

    /// The line and the column of an instruction and of the calls that led to it, as far as these are in the files, the
    /// innermost first, each with the execution of the function that it is in.
    fn spots(
        &self,
        state: &State,
        module: &Module,
        place: PlaceId,
    ) -> impl Iterator<Item = ((u32, u32), CallPath)> {
        let mut frames = state.frames().iter().rev();
        let own = frames
            .next()
            .map(|frame| (self.spot_here(module, place), frame.path()));
        let calls = frames.map(move |frame| {
            let block = &module.functions[frame.function() as usize].blocks[frame.block() as usize];
            let call = block.instructions.get(frame.at().saturating_sub(1));
            (
                call.and_then(|call| self.spot_here(module, call.place)),
                frame.path(),
            )
        });
        let all = own.into_iter().chain(calls);
        all.filter_map(|(spot, path)| Some((spot?, path)))
    }

    /// Which execution of a function the statement of an instruction is in.
    pub(crate) fn execution(&self, state: &State, module: &Module, place: PlaceId) -> Option<Execution> {
        let mut spots = self.spots(state, module, place);
        let (_, path) = spots.next()?;
        let call = spots.next().map(|(spot, _)| spot);
        let calls = 1 + state.frames().iter().position(|frame| frame.path() == path)?;
        Some(Execution { path, calls, call })
    }

    /// The line where a state is.
    pub(crate) fn line_of(&self, state: &State, module: &Module) -> u32 {
        let Some(frame) = state.frame() else {
            return 0;
        };
        let block = &module.functions[frame.function() as usize].blocks[frame.block() as usize];
        self.line(state, module, block.end_place)
    }

    fn spot_here(&self, module: &Module, place: PlaceId) -> Option<(u32, u32)> {
        let place = module.places.get(place as usize)?;
        let before = self.before[self.file_of(&place.file)?];
        let line = before + place.line;
        let is_here = place.line > 0 && line as usize <= self.starts.len();
        is_here.then_some((line, place.column))
    }

    /// The statement of the source, without its margin: the rest of its line, and further lines as far as its brackets
    /// go; of a line with several statements, the one at the column.
    pub(crate) fn place(&self, state: &State, module: &Module, place: PlaceId) -> Place {
        self.statement(self.spot(state, module, place))
    }

    /// Likewise, by its line and column.
    pub(crate) fn statement(&self, (line, column): (u32, u32)) -> Place {
        let line = line as usize;
        let Some(start) = line.checked_sub(1).and_then(|line| self.starts.get(line)) else {
            return Place::default();
        };
        let text = self.text[*start..].lines().next().unwrap_or_default();
        let margin = text.len() - text.trim_start().len();
        let begin = start + margin;
        let mut end = start + text.trim_end().len().max(margin);
        let later = self.starts.get(line..).unwrap_or_default();
        for next in later.iter().take(MOST_LINES) {
            if depth(&self.text[begin..end]) <= 0 {
                break;
            }
            let text = self.text[*next..].lines().next().unwrap_or_default();
            end = next + text.trim_end().len();
        }
        let all = match depth(&self.text[begin..end]) {
            ..=0 => begin..end,
            // Brackets within texts or comments: no more is known than the line.
            _ => begin..start + text.trim_end().len().max(margin),
        };
        let at = (start + column.saturating_sub(1) as usize).saturating_sub(begin);
        let own = statement_at(&self.text[all.clone()], at);
        Place(match own.filter(|_| column > 0) {
            Some(own) => begin + own.start..begin + own.end,
            None => all,
        })
    }
}

/// The statement at an offset of a text with several, without what ends it; `None` if there is one statement.
fn statement_at(text: &str, at: usize) -> Option<Range<usize>> {
    let (mut begin, mut end, mut depth, mut quote) = (0, None, 0_usize, None);
    let mut before = b' ';
    for (offset, byte) in text.bytes().enumerate() {
        let is_escaped = std::mem::replace(&mut before, byte) == b'\\';
        match (quote, byte) {
            (Some(open), _) => quote = Some(open).filter(|open| *open != byte || is_escaped),
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(' | b'[') => depth += 1,
            (None, b')' | b']') => depth = depth.saturating_sub(1),
            (None, b'/') if text[offset..].starts_with("//") => break,
            // The braces of a list of values are brackets.
            (None, b'{') if text[..offset].trim_end().ends_with(['=', ',']) => depth += 1,
            (None, b'}') if depth > 0 => depth -= 1,
            (None, b';' | b'{' | b'}') if depth == 0 && offset < at => begin = offset + 1,
            (None, b';' | b'{' | b'}') if depth == 0 => {
                end.get_or_insert(offset);
            }
            _ => {}
        }
    }
    let end = end?;
    let after = text[end..].trim_start_matches([';', '{', ' ', '\t']);
    if begin == 0 && (after.is_empty() || after.starts_with("//") || after.starts_with("/*")) {
        return None;
    }
    let own = &text[begin..end];
    let begin = begin + own.len() - own.trim_start().len();
    (begin < end).then_some(begin..begin + text[begin..end].trim_end().len())
}

/// A statement that goes over more lines is taken for its first line.
const MOST_LINES: usize = 20;

/// How many round brackets are open at the end of a text.
fn depth(text: &str) -> i64 {
    let count = |wanted| text.matches(wanted).count() as i64;
    count('(') - count(')')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_line_with_several_statements_the_one_at_the_column() {
        for (text, word, statement) in [
            (
                "void raise(int pe) { put(word, 1, pe); }",
                "put",
                Some("put(word, 1, pe)"),
            ),
            (
                "int look() const { return *word; }",
                "*word",
                Some("return *word"),
            ),
            (
                "if (me == 0) { raise(1); seen = look(); }",
                "look",
                Some("seen = look()"),
            ),
            (
                "if (me == 0) { raise(\";{\"); look(); }",
                "raise",
                Some("raise(\";{\")"),
            ),
            ("for (i = 0; i < n; i++) put(i);", "put", None),
            ("put(x); // and then; get(y);", "put", None),
            ("int a[] = {get(x), get(y)};", "get", None),
            ("if (me == 0) {", "me", None),
        ] {
            let found = statement_at(text, text.find(word).unwrap());
            assert_eq!(found.map(|range| &text[range]), statement, "{text}");
        }
    }
}
