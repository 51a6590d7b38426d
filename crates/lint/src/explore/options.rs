//! The options that a program may know, from the texts in it: what it compares, and what it says of its usage.
//!
//! Nothing here is certain: `command_line` tries each of them.

use crate::ir::{Module, Operand, Type};
use std::collections::BTreeMap;

/// Options that are tried; a program that has more is tried with these.
const MOST: usize = 40;

/// What texts say of an option.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    /// The words that a usage text lists for its argument.
    words: Vec<String>,
    /// It is written `--steps=N`.
    joined: bool,
}

impl Said {
    /// The words that a usage text lists for its argument.
    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether it is written in one word with its argument: `--steps=N`.
    pub(super) fn is_joined(&self) -> bool {
        self.joined
    }
}

/// Names of options, dashes included.
pub(super) type Named = BTreeMap<String, Said>;

/// The options that texts of a program name.
pub(super) fn of(module: &Module) -> Named {
    let mut named = Named::new();
    for text in texts(module) {
        find(&text, &mut named);
    }
    while named.len() > MOST {
        named.pop_last();
    }
    named
}

/// The constant strings of a program.
fn texts(module: &Module) -> impl Iterator<Item = String> {
    module.globals.iter().filter_map(|global| {
        let mut bytes = vec![0; global.initial.len()];
        for (place, (offset, ty, value)) in global.initial.iter().enumerate() {
            match (ty, value) {
                (Type::Integer(8), Operand::Integer(byte)) if *offset == place as u64 => {
                    bytes[place] = *byte as u8
                }
                _ => return None,
            }
        }
        let text = std::str::from_utf8(&bytes).ok()?;
        Some(text.trim_end_matches('\0').to_owned()).filter(|text| text.contains('-'))
    })
}

/// Adds the options that a text names: `-n`, `--steps`, `-mode fence|locks`, `[--order=x|y]`.
fn find(text: &str, named: &mut Named) {
    let is_of_word = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        let begins = letter == '-' && (before.is_ascii_whitespace() || "[(|,'\"`{/".contains(before));
        before = letter;
        if !begins {
            continue;
        }
        let (name, rest) = split(&text[at..], is_of_word);
        let plain = name.trim_start_matches('-');
        if name.len() - plain.len() > 2 || !plain.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            continue;
        }
        let said = named.entry(name.to_owned()).or_default();
        said.joined |= rest.trim_start_matches('[').starts_with('=');
        let words = &mut said.words;
        let mut rest = rest.trim_start_matches([' ', '=', '<', '{', '[', '(']);
        let mut listed = Vec::new();
        loop {
            let (word, more) = split(rest, is_of_word);
            listed.push(word);
            match more.strip_prefix('|') {
                Some(more) if !word.is_empty() => rest = more,
                _ => break,
            }
        }
        // `-x|--exchange` lists names, not words.
        if listed.len() > 1
            && listed
                .iter()
                .all(|word| !word.is_empty() && !word.starts_with('-'))
        {
            words.extend(listed.into_iter().map(str::to_owned));
            words.sort();
            words.dedup();
        }
    }
}

/// The part of a text whose letters belong to a word, and the rest.
fn split(text: &str, is_of_word: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|letter| !is_of_word(letter)).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usage_text_names_options_and_words() {
        let mut named = Named::new();
        find(
            "usage: heat [-n CELLS] [-x|--exchange put|get|pscw] [--steps=N]\n  -c {fence,locks} -v a-b 3-4 - --",
            &mut named,
        );
        let words = |name: &str| named.get(name).map(|said| said.words.join(" "));
        assert_eq!(words("--exchange").as_deref(), Some("get pscw put"));
        assert_eq!(words("-x").as_deref(), Some(""));
        let joined = |name: &str| named.get(name).is_some_and(Said::is_joined);
        assert!(joined("--steps") && !joined("--exchange") && !joined("-n"));
        let names: Vec<&str> = named.keys().map(String::as_str).collect();
        assert_eq!(names, ["--exchange", "--steps", "-c", "-n", "-v", "-x"]);
    }
}
