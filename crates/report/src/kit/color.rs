//! Colours of a terminal.

use anstyle::{AnsiColor, Style};

/// Whether to write colours. The caller decides, from `--color`, `NO_COLOR` and the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// Escape sequences for colours.
    Always,
    /// Plain text.
    Never,
}

impl Color {
    /// `text` in this style.
    pub(crate) fn paint(self, style: Style, text: &str) -> String {
        match self {
            Self::Always => format!("{style}{text}{style:#}"),
            Self::Never => text.to_owned(),
        }
    }
}

/// Of what is as it should be.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Of what is wrong.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// Of what could not be decided.
pub(crate) const UNSURE: Style = AnsiColor::Yellow.on_default().bold();
/// Of what matters less.
pub(crate) const FAINT: Style = AnsiColor::BrightBlack.on_default();
