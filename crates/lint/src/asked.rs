//! What a program asks of the words of its command line: the options that it names to `getopt`, and the texts that it
//! compares an unlikely word with.
//!
//! Promise: what is noted was asked by the program in this simulation. A word that the program takes apart before it
//! compares it is not seen.

use std::collections::{BTreeMap, BTreeSet};

/// A word that no program knows. What it is compared with are words that the program does know. So are words that end
/// in it: in an order, such a word comes right after the word that it begins with, so that a search for it in a sorted
/// table meets the next one.
pub(crate) const UNLIKELY: &str = "@";
/// Bytes of a word that is worth noting.
const LONGEST: usize = 40;

/// Whether a text is a word that no program knows.
pub(crate) fn is_unlikely(text: &[u8]) -> bool {
    text.trim_ascii_end().ends_with(UNLIKELY.as_bytes())
}

/// What was asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    options: BTreeMap<String, bool>,
    words: BTreeSet<String>,
    numbers: bool,
}

impl Asked {
    /// The program knows an option of this name, dashes included, which takes an argument or does not.
    pub(crate) fn option(&mut self, name: String, takes: bool) {
        self.options.insert(name, takes);
    }

    /// The program compares two texts.
    pub(crate) fn compared(&mut self, one: &[u8], other: &[u8]) {
        for (word, known) in [(one, other), (other, one)] {
            if is_unlikely(word)
                && let Ok(known) = std::str::from_utf8(known.trim_ascii())
                && (1..=LONGEST).contains(&known.len())
                && known.bytes().all(|byte| byte.is_ascii_graphic())
                && !is_unlikely(known.as_bytes())
            {
                self.words.insert(known.to_owned());
            }
        }
    }

    /// The program wants a number where this text is.
    pub(crate) fn converted(&mut self, text: &[u8]) {
        self.numbers |= is_unlikely(text);
    }

    /// Whether a number was wanted where the unlikely word was.
    pub(crate) fn wants_number(&self) -> bool {
        self.numbers
    }

    /// The options, and whether each takes an argument.
    pub(crate) fn options(&self) -> &BTreeMap<String, bool> {
        &self.options
    }

    /// The words that the unlikely one was compared with.
    pub(crate) fn words(&self) -> &BTreeSet<String> {
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_unlikely_word_is_compared_with_is_known() {
        let mut asked = Asked::default();
        asked.compared(b"-n", b"@");
        asked.compared(b"@   ", b"fence   ");
        asked.compared(b"fence", b"locks");
        asked.compared(b"@", b"two words");
        asked.compared(b"fence@", b"locks");
        asked.compared(b"fence@", b"@");
        assert_eq!(asked.words().iter().collect::<Vec<_>>(), ["-n", "fence", "locks"]);
    }
}
