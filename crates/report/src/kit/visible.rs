//! Makes characters visible that would otherwise act on the reader's terminal or browser, or deceive the reader.
//!
//! The checked program controls window names, file names and variable names. An escape sequence in one of them could
//! rewrite a terminal, a line feed could forge a line of the report, and a direction override (U+202E, "Trojan Source")
//! could show other text than is there. All of these are written as `\n`, `\x1b` or `\u{202e}` instead.

use std::borrow::Cow;
use std::fmt::Write;

/// `text` with every control, direction and zero-width character written as an escape.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(acts_unseen) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            '\0' => shown.push_str("\\0"),
            ascii if ascii.is_ascii_control() => {
                let _ = write!(shown, "\\x{:02x}", u32::from(ascii));
            }
            other if acts_unseen(other) => {
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(other));
            }
            plain => shown.push(plain),
        }
    }
    Cow::Owned(shown)
}

/// [`visible`], and no longer than `limit` characters: the middle gives way to `…`, since names differ at their ends.
pub(crate) fn shortened(text: &str, limit: usize) -> String {
    let shown = visible(text);
    let length = shown.chars().count();
    if length <= limit {
        return shown.into_owned();
    }
    let kept = limit.saturating_sub(1);
    let (head, tail) = (kept - kept / 2, kept / 2);
    let start: String = shown.chars().take(head).collect();
    let end: String = shown.chars().skip(length - tail).collect();
    format!("{start}…{end}")
}

/// [`visible`] for a line of source code: tabs become four blanks, so that columns stay countable.
pub(crate) fn source_line(line: &str) -> String {
    visible(&line.trim_end().replace('\t', "    ")).into_owned()
}

/// Whether a character acts without being seen: controls, direction marks, zero-width characters, line and paragraph
/// separators, tags.
pub(crate) fn acts_unseen(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_stays_as_it_is() {
        assert!(matches!(visible("Größe 漢字 \"x\""), Cow::Borrowed(_)));
    }

    #[test]
    fn escape_sequences_and_overrides_become_visible() {
        assert_eq!(
            visible("a\x1b[31m\r\n\u{202e}\u{9b}\0"),
            "a\\x1b[31m\\r\\n\\u{202e}\\u{9b}\\0"
        );
    }

    #[test]
    fn a_long_name_keeps_both_ends() {
        assert_eq!(shortened("abcdefghij", 5), "ab…ij");
        assert_eq!(shortened("abcde", 5), "abcde");
        assert_eq!(shortened("abc", 0), "…");
    }
}
