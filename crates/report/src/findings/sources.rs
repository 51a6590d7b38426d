//! Where renderers get source lines and repairs from: the caller reads files, this crate does not.

use farside_findings::{Change, Finding, Place};

/// Looks up the text of the source line at a place, without its line end; `None` if the file or line is not there.
///
/// Renderers also ask for the lines around a place, by a [`Place`] with another line.
pub type Sources<'a> = &'a dyn Fn(&Place) -> Option<String>;

/// Gives the changes of sources that repair a finding; none if it is not repaired.
pub type Repairs<'r> = &'r dyn Fn(&Finding) -> Vec<Change>;

/// No repairs at all.
pub fn no_repairs(_: &Finding) -> Vec<Change> {
    Vec::new()
}

/// No source lines at all: reports show places only.
pub fn no_sources(_: &Place) -> Option<String> {
    None
}
