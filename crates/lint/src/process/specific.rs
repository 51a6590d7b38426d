//! Thread-specific data: what each thread keeps under a key.

use crate::value::Scalar;
use rustc_hash::FxHashMap as HashMap;

/// The keys of a process, and the values of its threads.
#[derive(Debug, Default)]
pub(crate) struct Specific {
    keys: u64,
    values: HashMap<(usize, u64), Scalar>,
}

impl Specific {
    /// A key that no thread has a value for. Numbers of keys are not used again.
    pub(crate) fn new_key(&mut self) -> u64 {
        let key = self.keys;
        self.keys += 1;
        key
    }

    /// What a thread keeps under a key; a null pointer if nothing.
    pub(crate) fn get(&self, thread: usize, key: u64) -> Scalar {
        self.values.get(&(thread, key)).copied().unwrap_or_default()
    }

    /// A thread keeps a value under a key.
    pub(crate) fn set(&mut self, thread: usize, key: u64, value: Scalar) {
        self.values.insert((thread, key), value);
    }
}
