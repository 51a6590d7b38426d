//! The sources of a report, each read once.

use crate::refusal::Refusal;
use crate::source::Source;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Gives the text of a source, or says why it cannot be edited.
pub type Read<'r> = &'r dyn Fn(&str) -> Result<String, Refusal>;

/// Sources, each read once.
pub(crate) struct Sources<'r> {
    read: Read<'r>,
    known: RefCell<BTreeMap<String, Result<Rc<Source>, Refusal>>>,
}

impl<'r> Sources<'r> {
    /// Sources that are read in this way.
    pub(crate) fn new(read: Read<'r>) -> Self {
        Self {
            read,
            known: RefCell::default(),
        }
    }

    /// A source by its name.
    ///
    /// # Errors
    /// It cannot be edited.
    pub(crate) fn get(&self, file: &str) -> Result<Rc<Source>, Refusal> {
        let mut known = self.known.borrow_mut();
        let entry = known.entry(file.to_owned());
        let read = || {
            (self.read)(file)
                .and_then(|text| Source::read(file, text))
                .map(Rc::new)
        };
        entry.or_insert_with(read).clone()
    }
}
