//! What a program calls something that the program of the calculus has a number for, told by the calls that name it.

use std::collections::BTreeMap;

/// The names, by number; none of what is called by two, for it cannot be told which one is there elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Names<N>(BTreeMap<N, Option<String>>);

impl<N> Default for Names<N> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<N: Ord> Names<N> {
    /// A call calls it so, or by no plain name.
    pub(crate) fn note(&mut self, number: N, name: Option<String>) {
        let known = self.0.entry(number).or_insert_with(|| name.clone());
        if *known != name {
            *known = None;
        }
    }

    /// The name by which all calls call it.
    pub(crate) fn get(&self, number: &N) -> Option<&str> {
        self.0.get(number)?.as_deref()
    }
}
