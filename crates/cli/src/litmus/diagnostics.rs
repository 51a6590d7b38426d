//! Errors in tests and model files, shown with their line, a mark below the place, and a hint.

use super::sources::Source;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use farside_models::ModelError;
use farside_processes::plain;
use std::ops::Range;

/// A mistake in a text.
pub(super) struct Mistake<'a> {
    /// Bytes of the text.
    pub(super) place: Range<usize>,
    /// What is wrong.
    pub(super) message: &'a str,
    /// What would be right; may be empty.
    pub(super) hint: &'a str,
}

/// A mistake as the user sees it.
pub(super) fn show(source: &Source, mistake: &Mistake<'_>, coloured: bool) -> String {
    let renderer = if coloured {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let text = source.text.as_str();
    let path = plain(&source.path.display().to_string());
    let title = Level::ERROR.primary_title(mistake.message);
    // A text without lines has nothing to point at.
    let element = (!text.is_empty()).then(|| {
        let mark = AnnotationKind::Primary.span(inside(text, &mistake.place));
        Snippet::source(text).path(path.as_str()).annotation(mark)
    });
    let hint = (!mistake.hint.is_empty()).then(|| Level::HELP.message(mistake.hint));
    let mut group = annotate_snippets::Group::with_title(title);
    if let Some(element) = element {
        group = group.element(element);
    } else {
        group = group.element(annotate_snippets::Origin::path(path.as_str()));
    }
    if let Some(hint) = hint {
        group = group.element(hint);
    }
    renderer.decor_style(DecorStyle::Ascii).render(&[group]) + "\n"
}

/// The mistakes of a model file.
pub(super) fn model(source: &Source, errors: &[ModelError], coloured: bool) -> String {
    let shown = errors.iter().map(|error| match &error.file {
        // It stands in another text.
        Some(_) => format!("{error}\n"),
        None => show(
            source,
            &Mistake {
                place: error.place.clone(),
                message: &error.message,
                hint: error.hint.as_deref().unwrap_or_default(),
            },
            coloured,
        ),
    });
    shown.collect::<String>().trim_end().to_owned()
}

/// A range that lies in the text, at boundaries of characters.
fn inside(text: &str, place: &Range<usize>) -> Range<usize> {
    let boundary = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = boundary(place.start);
    start..boundary(place.end).max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, place: Range<usize>) -> String {
        let source = Source {
            path: "x.litmus".into(),
            text: text.to_owned(),
        };
        let mistake = Mistake {
            place,
            message: "no such variable: `Z`",
            hint: "declare it in the initial state",
        };
        show(&source, &mistake, false)
    }

    #[test]
    fn the_line_and_a_mark_below_the_place() {
        let text = shown("RMA x\n{ 0: X = 1; }\n P0 ;\n a = Z ;\n", 31..32);
        for words in [
            "error: no such variable: `Z`",
            "x.litmus:4:6",
            "a = Z ;",
            " ^",
            "help: declare it",
        ] {
            assert!(text.contains(words), "{words}\n{text}");
        }
    }

    #[test]
    fn any_place_in_any_text_is_shown() {
        for text in ["", "x", "ä", "ä\n", "\n\n", "\t\u{1b}[31m\n"] {
            for start in 0..4 {
                for end in 0..6 {
                    assert!(shown(text, start..end).contains("no such variable"));
                }
            }
        }
    }
}
