//! Tests as they are printed for people.
//!
//! Promise: the command line and the playground print the same.

use crate::kit::color::Color;
use crate::verdicts::{explanation, matrix, text};
use farside_verdicts::Test;

/// Logs of single models, or tables where there are several, with the explanations after them.
#[must_use]
pub fn render(tests: &[Test], several: bool, color: Color) -> String {
    if several && tests.len() > 1 {
        return matrix::render(tests, color);
    }
    let mut body = String::new();
    for test in tests {
        if several {
            body += &matrix::outcomes(test, color);
            body.push('\n');
        }
        for judgement in &test.judgements {
            if !several {
                body += &text::render(test, judgement, color);
            }
            body += &explanation::render(test, judgement, color);
        }
    }
    body
}
