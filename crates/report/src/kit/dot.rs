//! The graph language of Graphviz.

/// A string of the graph language: only quotes and backslashes act in it; a line break is `\n`.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            control if control.is_control() => quoted.push('\u{fffd}'),
            plain => quoted.push(plain),
        }
    }
    quoted.push('"');
    quoted
}
