//! Handles of the C interface: pointers to nothing, which name an entry of a table.

use std::sync::{Arc, PoisonError, RwLock};

/// `shmem_ctx_t`.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ctx(usize);

impl Ctx {
    /// By its handle.
    pub(crate) fn new(handle: usize) -> Self {
        Self(handle)
    }

    /// Its handle.
    pub(crate) fn handle(self) -> usize {
        self.0
    }

    /// `SHMEM_CTX_INVALID`.
    pub(crate) const INVALID: Self = Self(0);
    /// `SHMEM_CTX_DEFAULT`.
    pub(crate) const DEFAULT: Self = Self(1);
}

/// `shmem_team_t`.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Team(usize);

impl Team {
    /// By its handle.
    pub(crate) fn new(handle: usize) -> Self {
        Self(handle)
    }

    /// Its handle.
    pub(crate) fn handle(self) -> usize {
        self.0
    }

    /// `SHMEM_TEAM_INVALID`.
    pub(crate) const INVALID: Self = Self(0);
    /// `SHMEM_TEAM_WORLD`.
    pub(crate) const WORLD: Self = Self(1);
    /// `SHMEM_TEAM_SHARED`.
    pub(crate) const SHARED: Self = Self(2);
}

/// Bits of a handle that say which entry, from 1; those above count how often the entry was given before.
const ENTRY_BITS: u32 = 24;

struct Entry<V> {
    generation: usize,
    value: Option<Arc<V>>,
}

/// Values by handle. A handle that was given back names nothing, even when its entry is in use again.
pub(crate) struct Handles<V>(RwLock<Vec<Entry<V>>>);

impl<V> Handles<V> {
    pub(crate) fn new() -> Self {
        Self(RwLock::new(Vec::new()))
    }

    /// Keeps a value. The first handles of a table are 1, 2, ...
    pub(crate) fn insert(&self, value: V) -> usize {
        let mut entries = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let index = match entries.iter().position(|entry| entry.value.is_none()) {
            Some(index) => index,
            None => {
                entries.push(Entry {
                    generation: 0,
                    value: None,
                });
                entries.len() - 1
            }
        };
        entries[index].value = Some(Arc::new(value));
        entries[index].generation << ENTRY_BITS | (index + 1)
    }

    /// The value of a handle that is in use.
    pub(crate) fn get(&self, handle: usize) -> Option<Arc<V>> {
        let entries = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let entry = entries.get((handle & ((1 << ENTRY_BITS) - 1)).checked_sub(1)?)?;
        entry
            .value
            .clone()
            .filter(|_| entry.generation == handle >> ENTRY_BITS)
    }

    /// Gives a handle back.
    pub(crate) fn remove(&self, handle: usize) -> Option<Arc<V>> {
        let mut entries = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let entry = entries.get_mut((handle & ((1 << ENTRY_BITS) - 1)).checked_sub(1)?)?;
        if entry.generation != handle >> ENTRY_BITS {
            return None;
        }
        let value = entry.value.take()?;
        entry.generation += 1;
        Some(value)
    }

    /// All that are in use, with their handles.
    pub(crate) fn all(&self) -> Vec<(usize, Arc<V>)> {
        let entries = self.0.read().unwrap_or_else(PoisonError::into_inner);
        (1..)
            .zip(entries.iter())
            .filter_map(|(number, entry)| {
                Some((entry.generation << ENTRY_BITS | number, entry.value.clone()?))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_that_was_given_back_names_nothing() {
        let handles = Handles::new();
        assert_eq!((handles.insert('a'), handles.insert('b')), (1, 2));
        assert_eq!(handles.remove(1).as_deref(), Some(&'a'));
        let again = handles.insert('c');
        assert_ne!(again, 1);
        assert_eq!(handles.get(again).as_deref(), Some(&'c'));
        assert!(handles.get(1).is_none() && handles.remove(1).is_none());
        assert!(handles.get(0).is_none() && handles.get(3).is_none());
        assert_eq!(handles.all().len(), 2);
    }
}
