//! The lines of the source, and where in it a statement of the calculus comes from.

use crate::state::State;
use farside_lint::ir::{Module, PlaceId};
use farside_pgas::ast::Place;
use std::path::Path;

/// A source file.
pub(crate) struct Lines<'t> {
    text: &'t str,
    file: &'t Path,
    /// Where each line begins.
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn of(file: &'t Path, text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
        Self {
            text,
            file,
            starts: starts.collect(),
        }
    }

    /// The line of an instruction, or of the innermost call to it that is in this file; 0 if there is none.
    pub(crate) fn line(&self, state: &State, module: &Module, place: PlaceId) -> u32 {
        let own = self.line_here(module, place);
        if own > 0 {
            return own;
        }
        let calls = state.frames().iter().rev().skip(1).map(|frame| {
            let block = &module.functions[frame.function() as usize].blocks[frame.block() as usize];
            let call = block.instructions.get(frame.at().saturating_sub(1));
            call.map_or(0, |call| self.line_here(module, call.place))
        });
        calls.into_iter().find(|line| *line > 0).unwrap_or(0)
    }

    /// The line where a state is.
    pub(crate) fn line_of(&self, state: &State, module: &Module) -> u32 {
        let Some(frame) = state.frame() else {
            return 0;
        };
        let block = &module.functions[frame.function() as usize].blocks[frame.block() as usize];
        self.line(state, module, block.end_place)
    }

    fn line_here(&self, module: &Module, place: PlaceId) -> u32 {
        let Some(place) = module.places.get(place as usize) else {
            return 0;
        };
        let same = Path::new(&place.file).file_name() == self.file.file_name();
        if same && (place.line as usize) <= self.starts.len() {
            place.line
        } else {
            0
        }
    }

    /// The statement of the source, without its margin: the rest of its line, and further lines as far as its brackets
    /// go.
    pub(crate) fn place(&self, state: &State, module: &Module, place: PlaceId) -> Place {
        let line = self.line(state, module, place) as usize;
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
                return Place(begin..end);
            }
            let text = self.text[*next..].lines().next().unwrap_or_default();
            end = next + text.trim_end().len();
        }
        match depth(&self.text[begin..end]) {
            ..=0 => Place(begin..end),
            // Brackets within texts or comments: no more is known than the line.
            _ => Place(begin..start + text.trim_end().len().max(margin)),
        }
    }
}

/// A statement that goes over more lines is taken for its first line.
const MOST_LINES: usize = 20;

/// How many round brackets are open at the end of a text.
fn depth(text: &str) -> i64 {
    let count = |wanted| text.matches(wanted).count() as i64;
    count('(') - count(')')
}
