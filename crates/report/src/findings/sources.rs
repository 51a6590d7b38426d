//! Where renderers get source lines from: the caller reads files, this crate does not.

use farside_findings::Place;

/// Looks up the text of the source line at a place, without its line end; `None` if the file or line is not there.
///
/// Renderers also ask for the lines around a place, by a [`Place`] with another line.
pub type Sources<'a> = &'a dyn Fn(&Place) -> Option<String>;

/// No source lines at all: reports show places only.
pub fn no_sources(_: &Place) -> Option<String> {
    None
}
