//! Headers that new code needs.

use crate::edit::Edit;
use crate::source::Source;

/// Includes a header after the last one that the source includes before an offset, if it does not include it yet.
pub(super) fn including(source: &Source, header: &str, before: usize) -> Option<Edit> {
    let text = source.text();
    let line = format!("#include <{header}>");
    if text.contains(&line) {
        return None;
    }
    let last = text[..before].rfind("#include");
    let at = last.map_or(0, |last| source.next_line(last));
    Some(Edit::insert(at.min(before), 0, format!("{line}\n")))
}
