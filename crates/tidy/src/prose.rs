//! What of a source is for people: comments and string literals; and what is code.
//!
//! Limits: knows the words of Rust and of C, not their grammar. A macro that takes a source text apart is read as
//! usual.

/// What a piece of a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Code,
    Comment,
    Literal,
}

/// For each character of the text, what it belongs to. `nested` says whether block comments are (in Rust they are).
pub(crate) fn pieces(text: &str, nested: bool) -> Vec<Piece> {
    let characters: Vec<char> = text.chars().collect();
    let mut pieces = Vec::with_capacity(characters.len());
    while pieces.len() < characters.len() {
        let at = pieces.len();
        let (piece, length) = next(
            &characters[at..],
            at.checked_sub(1).map(|before| characters[before]),
            nested,
        );
        pieces.resize(at + length, piece);
    }
    pieces
}

/// The piece that begins here, and its length, which is not 0.
fn next(rest: &[char], before: Option<char>, nested: bool) -> (Piece, usize) {
    match rest {
        ['/', '/', ..] => (Piece::Comment, line(rest)),
        ['/', '*', ..] => (Piece::Comment, block(rest, nested)),
        ['"', ..] => (Piece::Literal, quoted(rest)),
        ['r', '"' | '#', ..] if !before.is_some_and(is_word) => match raw(rest) {
            Some(length) => (Piece::Literal, length),
            None => (Piece::Code, 1),
        },
        // A character, not a lifetime.
        ['\'', '\\', ..] => (
            Piece::Code,
            rest.iter()
                .skip(3)
                .position(|&c| c == '\'')
                .map_or(1, |at| at + 4),
        ),
        ['\'', _, '\'', ..] => (Piece::Code, 3),
        _ => (Piece::Code, 1),
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn line(rest: &[char]) -> usize {
    rest.iter().position(|&c| c == '\n').unwrap_or(rest.len())
}

fn block(rest: &[char], nested: bool) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        match rest[at..] {
            ['/', '*', ..] if nested || depth == 0 => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    rest.len()
}

fn quoted(rest: &[char]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// Of a raw literal, `r"` or `r#"`; none if it is something else.
fn raw(rest: &[char]) -> Option<usize> {
    let hashes = rest[1..].iter().take_while(|&&c| c == '#').count();
    let body = 2 + hashes;
    if rest.get(1 + hashes) != Some(&'"') {
        return None;
    }
    let end = (body..rest.len()).find(|&at| {
        rest[at] == '"' && rest[at + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes
    });
    Some(end.map_or(rest.len(), |at| at + 1 + hashes))
}

#[cfg(test)]
mod tests {
    use super::{Piece, pieces};

    /// The text with `c` for code, `/` for comments and `"` for literals.
    fn drawn(text: &str, nested: bool) -> String {
        let draw = |piece| match piece {
            Piece::Code => 'c',
            Piece::Comment => '/',
            Piece::Literal => '"',
        };
        pieces(text, nested).into_iter().map(draw).collect()
    }

    #[test]
    fn comments_and_literals_are_told_from_code() {
        assert_eq!(drawn(r#"a "b\"" // c"#, true), r#"cc"""""c////"#);
        assert_eq!(drawn("a\n// b\nc", true), "cc////cc");
        assert_eq!(drawn("'\"' \"x\"", true), "cccc\"\"\"");
        assert_eq!(drawn("<'a> \"x\"", true), "ccccc\"\"\"");
        assert_eq!(drawn(r#"'\'' "x""#, true), r#"ccccc""""#);
    }

    #[test]
    fn raw_literals_end_at_their_own_mark() {
        assert_eq!(drawn("r#\"a\"b\"#;", true), "\"\"\"\"\"\"\"\"c");
        assert_eq!(drawn("for#", true), "cccc");
    }

    #[test]
    fn block_comments_nest_in_rust_only() {
        assert_eq!(drawn("/* /* */ */x", true), "///////////c");
        assert_eq!(drawn("/* /* */x", false), "////////c");
    }

    #[test]
    fn nothing_is_left_out_at_the_end() {
        for text in ["\"open", "/* open", "r#\"open", "'\\", "\\", "r#"] {
            assert_eq!(pieces(text, true).len(), text.chars().count(), "{text}");
        }
    }
}
