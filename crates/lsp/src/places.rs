//! Places: Farside counts lines and characters from 1, or bytes from 0; editors count lines from 0 and UTF-16 units.

use lsp_types::{Position, Range};

/// The position of a line and a character, both from 1, in a text.
pub(crate) fn position(text: &str, (line, column): (u32, u32)) -> Position {
    let line = line.saturating_sub(1);
    let content = text.lines().nth(line as usize).unwrap_or_default();
    let before = content.chars().take(column.saturating_sub(1) as usize);
    let units: usize = before.map(char::len_utf16).sum();
    Position::new(line, units as u32)
}

/// From the character of a place to the end of the word there, or of the line.
pub(crate) fn word(text: &str, (line, column): (u32, Option<u32>)) -> Range {
    let content = text
        .lines()
        .nth(line.saturating_sub(1) as usize)
        .unwrap_or_default();
    let indent = content
        .chars()
        .take_while(|letter| letter.is_whitespace())
        .count() as u32;
    let first = column.unwrap_or(indent + 1);
    let rest = content.chars().skip(first.saturating_sub(1) as usize);
    let length = match column {
        Some(_) => rest
            .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
            .count(),
        None => rest.count(),
    };
    let last = first + (length as u32).max(1);
    Range::new(position(text, (line, first)), position(text, (line, last)))
}

/// The range of some bytes of a text.
pub(crate) fn bytes(text: &str, place: &std::ops::Range<usize>) -> Range {
    let at = |byte: usize| {
        let mut end = byte.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let line = before.matches('\n').count() as u32;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Position::new(line, before[start..].encode_utf16().count() as u32)
    };
    let start = at(place.start);
    Range::new(start, at(place.end.max(place.start + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_outside_of_the_first_plane_are_two_units() {
        let text = "a\n\u{1f980}b c\n";
        assert_eq!(position(text, (2, 2)), Position::new(1, 2));
        assert_eq!(
            bytes(text, &(6..7)),
            Range::new(Position::new(1, 2), Position::new(1, 3))
        );
        assert_eq!(
            word(text, (2, Some(2))),
            Range::new(Position::new(1, 2), Position::new(1, 3))
        );
        assert_eq!(
            word("  x = 1;\n", (1, None)),
            Range::new(Position::new(0, 2), Position::new(0, 8))
        );
        assert_eq!(position(text, (9, 9)), Position::new(8, 0));
    }
}
