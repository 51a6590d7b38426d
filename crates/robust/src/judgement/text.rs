//! The text of a program, and what stands at a place in it.

use farside_pgas::diagnostic::line_and_column;
use farside_robustness::Source;
use std::ops::Range;

/// A text, of one file or of several that follow one another.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    all: &'a str,
    /// Where the text of each file after the first one begins, and its name.
    further: &'a [(usize, String)],
}

impl<'a> Text<'a> {
    /// That of one file.
    #[must_use]
    pub fn of(all: &'a str) -> Self {
        Self { all, further: &[] }
    }

    /// That of several files; where each after the first one begins, in their order, and its name.
    #[must_use]
    pub fn of_files(all: &'a str, further: &'a [(usize, String)]) -> Self {
        Self { all, further }
    }

    /// What stands there. A call stands in the text otherwise than in the calculus.
    #[must_use]
    pub fn source(self, place: &Range<usize>) -> Source {
        let of = self.further.partition_point(|(start, _)| *start <= place.start);
        let of = of.checked_sub(1).map(|before| &self.further[before]);
        let start = of.map_or(0, |(start, _)| *start);
        let (line, column) = line_and_column(
            self.all.get(start..).unwrap_or_default(),
            place.start.saturating_sub(start),
        );
        let words = self.all.get(place.clone()).and_then(|words| words.lines().next());
        Source {
            file: of.map(|(_, file)| file.clone()),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
            text: words
                .unwrap_or_default()
                .trim()
                .chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_file() {
        let further = [(6, "b.c".to_owned())];
        let text = Text::of_files("a;\nb;\nc;\n  d;\n", &further);
        let at = |word: char| {
            let start = "a;\nb;\nc;\n  d;\n".find(word).unwrap();
            let source = text.source(&(start..start + 1));
            (source.file, source.line, source.column)
        };
        assert_eq!(at('b'), (None, 2, 1));
        assert_eq!(at('c'), (Some("b.c".to_owned()), 1, 1));
        assert_eq!(at('d'), (Some("b.c".to_owned()), 2, 3));
    }
}
