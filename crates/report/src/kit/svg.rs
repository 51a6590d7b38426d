//! Numbers and places of SVG.

/// A place: right, down.
pub(crate) type Point = (f32, f32);

/// At most one digit after the point.
pub(crate) fn tenths(value: f32) -> String {
    format!("{}", (value * 10.0).round() / 10.0)
}

/// A place in a path.
pub(crate) fn point((x, y): Point) -> String {
    format!("{} {}", tenths(x), tenths(y))
}

/// The view box of a picture of this size.
pub(crate) fn view(width: f32, height: f32) -> String {
    format!("0 0 {} {}", tenths(width), tenths(height))
}

/// How wide a text is in the pictures' font, which has letters of one width.
pub(crate) fn text_width(text: &str) -> f32 {
    // Texts are short.
    text.chars().count() as f32 * 7.4
}
