//! Patterns with `*` and `?`, as suppression files use them.
//!
//! `*` stands for any run of characters, `/` included; `?` for one character; `\` takes the next character as it is.
//! There are no character classes: window and function names often contain brackets.
//!
//! Time is at most the product of both lengths, whatever the pattern (only the last `*` is ever taken back).

/// A parsed pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wildcard(Vec<Piece>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Run,
    Any,
    Exactly(char),
}

impl Wildcard {
    pub(crate) fn parse(pattern: &str) -> Self {
        let mut pieces = Vec::new();
        let mut rest = pattern.chars();
        while let Some(character) = rest.next() {
            pieces.push(match character {
                '*' if pieces.last() == Some(&Piece::Run) => continue,
                '*' => Piece::Run,
                '?' => Piece::Any,
                '\\' => Piece::Exactly(rest.next().unwrap_or('\\')),
                plain => Piece::Exactly(plain),
            });
        }
        Wildcard(pieces)
    }

    /// Whether the pattern stands for the whole of `text`.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        let (mut piece, mut at) = (0, 0);
        // The last `*` seen, and how far it reaches.
        let mut run: Option<(usize, usize)> = None;
        while at < text.len() {
            match self.0.get(piece) {
                Some(Piece::Run) => {
                    run = Some((piece, at));
                    piece += 1;
                }
                Some(Piece::Any) => (piece, at) = (piece + 1, at + 1),
                Some(Piece::Exactly(c)) if *c == text[at] => (piece, at) = (piece + 1, at + 1),
                _ => match run {
                    Some((star, reach)) => {
                        run = Some((star, reach + 1));
                        (piece, at) = (star + 1, reach + 1);
                    }
                    None => return false,
                },
            }
        }
        self.0[piece..].iter().all(|rest| *rest == Piece::Run)
    }

    /// Whether the pattern stands for the whole path, or for its end after a `/`.
    pub(crate) fn matches_path(&self, path: &str) -> bool {
        self.matches(path)
            || path
                .match_indices('/')
                .any(|(slash, _)| self.matches(&path[slash + 1..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Wildcard::parse(pattern).matches(text)
    }

    #[test]
    fn patterns_stand_for_whole_texts() {
        assert!(matches("halo", "halo") && !matches("halo", "halo2") && !matches("alo", "halo"));
        assert!(
            matches("h*o", "halo") && matches("*", "") && matches("**a**", "a") && !matches("h*o", "halos")
        );
        assert!(matches("h?lo", "hälo") && !matches("h?lo", "hlo"));
        assert!(matches("a[0]", "a[0]") && matches(r"a\*", "a*") && !matches(r"a\*", "ab"));
        assert!(matches("*ab*ab", "xabyabab") && !matches("*ab*abc", "xabyabab"));
    }

    #[test]
    fn a_path_matches_by_its_end() {
        let path = |pattern| Wildcard::parse(pattern).matches_path("/home/me/src/halo.c");
        assert!(path("halo.c") && path("src/halo.c") && path("/home/*.c") && path("src/*"));
        assert!(!path("alo.c") && !path("other/halo.c"));
    }

    #[test]
    fn a_pattern_made_to_be_slow_is_not() {
        let text = "a".repeat(4000);
        assert!(!matches(&("a*".repeat(500) + "b"), &text));
    }
}
