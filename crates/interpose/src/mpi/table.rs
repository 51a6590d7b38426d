//! A map from MPI handles to what we know of the object, shared by all threads.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

/// Handles are few and look-ups are many.
pub(super) struct Table<T>(RwLock<HashMap<usize, Arc<T>, BuildHasherDefault<HandleHasher>>>);

impl<T> Table<T> {
    pub(super) const fn new() -> Self {
        Self(RwLock::new(HashMap::with_hasher(BuildHasherDefault::new())))
    }

    pub(super) fn get(&self, handle: usize) -> Option<Arc<T>> {
        let map = self.0.read().unwrap_or_else(PoisonError::into_inner);
        map.get(&handle).cloned()
    }

    pub(super) fn insert(&self, handle: usize, value: Arc<T>) {
        let mut map = self.0.write().unwrap_or_else(PoisonError::into_inner);
        map.insert(handle, value);
    }

    pub(super) fn remove(&self, handle: usize) -> Option<Arc<T>> {
        let mut map = self.0.write().unwrap_or_else(PoisonError::into_inner);
        map.remove(&handle)
    }
}

/// One multiplication: handles are addresses or small numbers, never hostile.
#[derive(Default)]
pub(super) struct HandleHasher(u64);

impl Hasher for HandleHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_usize(usize::from(*byte));
        }
    }

    fn write_usize(&mut self, word: usize) {
        let mixed = (self.0 ^ word as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}
