//! What of a source line is marked, and which part of a long line is shown.

/// Which characters of a source line to underline: start and length, in characters.
pub(super) fn underlined(line: &str, operation: &str, column: Option<u32>) -> (usize, usize) {
    let length = line.chars().count();
    if let Some(byte) = line.find(operation).filter(|_| !operation.is_empty()) {
        return (line[..byte].chars().count(), operation.chars().count());
    }
    let indent = line.chars().take_while(|c| c.is_whitespace()).count();
    match column {
        // Columns count bytes and tabs as one; good enough to point near it, and never beyond the line.
        Some(column) if column > 0 && (column as usize) <= length => {
            let start = (column as usize - 1).max(indent);
            (start, 1)
        }
        _ => (indent.min(length), length.saturating_sub(indent).max(1)),
    }
}

/// The part of a line that is shown, of so many characters at most, and where its mark lies in it: what is left out
/// before and after is `…`.
pub(super) fn around(line: &str, (start, length): (usize, usize), limit: usize) -> (String, (usize, usize)) {
    let whole = line.chars().count();
    if whole <= limit {
        return (line.to_owned(), (start, length));
    }
    let kept = limit.saturating_sub(2).max(1);
    // A third of what is shown comes before the mark.
    let from = start.saturating_sub(kept / 3).min(whole - kept);
    let part: String = line.chars().skip(from).take(kept).collect();
    let (before, after) = (
        if from > 0 { "…" } else { "" },
        if from + kept < whole { "…" } else { "" },
    );
    let start = start - from;
    let length = length.min(kept.saturating_sub(start)).max(1);
    (
        format!("{before}{part}{after}"),
        (start + before.chars().count(), length),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is marked in the part that is shown.
    fn marked(line: &str, operation: &str, limit: usize) -> (String, String) {
        let (part, (start, length)) = around(line, underlined(line, operation, None), limit);
        let marks = part.chars().skip(start).take(length).collect();
        (part, marks)
    }

    #[test]
    fn the_mark_stays_on_the_operation_of_a_long_line() {
        let (before, after) = ("a;".repeat(50), "b;".repeat(50));
        for line in [
            format!("{before}PUT(x);{after}"),
            format!("PUT(x);{after}"),
            format!("{before}PUT(x);"),
        ] {
            let (part, marks) = marked(&line, "PUT", 40);
            assert_eq!(marks, "PUT", "{part}");
            assert!(part.chars().count() <= 40 && part.contains("PUT(x);"), "{part}");
            assert_eq!(part.starts_with('…'), line.starts_with('a'), "{part}");
            assert_eq!(part.ends_with('…'), line.ends_with("b;"), "{part}");
        }
    }

    #[test]
    fn a_mark_longer_than_what_is_shown_ends_with_it() {
        let line = "x".repeat(100);
        let (part, (start, length)) = around(&line, (0, 100), 10);
        assert_eq!((part.chars().count(), start, length), (9, 0, 8));
        assert_eq!(around("short", (1, 2), 10), ("short".to_owned(), (1, 2)));
    }
}
