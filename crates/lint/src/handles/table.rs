//! Which object a handle names.

use crate::abi::HANDLES;

/// A kind of handle that we give out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HandleKind {
    Comm = 1,
    Group = 2,
    Type = 3,
    Win = 4,
    Request = 5,
    Info = 6,
}

/// The objects of a kind that a process has made. None is ever taken away, so that no handle names two of them.
#[derive(Debug)]
pub(super) struct Table<T> {
    kind: HandleKind,
    objects: Vec<T>,
}

impl HandleKind {
    /// The handle of the `index`-th object.
    pub(super) fn handle(self, index: usize) -> u64 {
        HANDLES | (self as u64) << 24 | index as u64
    }

    /// Which object a handle of this kind names.
    pub(super) fn index(self, handle: u64) -> Option<usize> {
        let handle = handle & 0xffff_ffff;
        let base = self.handle(0);
        (base..base + (1 << 24))
            .contains(&handle)
            .then(|| (handle - base) as usize)
    }
}

impl<T> Table<T> {
    pub(super) fn of(kind: HandleKind) -> Self {
        Self {
            kind,
            objects: Vec::new(),
        }
    }

    /// One more; its handle.
    pub(super) fn add(&mut self, object: T) -> u64 {
        self.objects.push(object);
        self.kind.handle(self.objects.len() - 1)
    }

    pub(super) fn get(&self, handle: u64) -> Option<&T> {
        self.objects.get(self.kind.index(handle)?)
    }

    pub(super) fn get_mut(&mut self, handle: u64) -> Option<&mut T> {
        self.objects.get_mut(self.kind.index(handle)?)
    }

    /// All of them, in the order in which they were made.
    pub(super) fn all(&self) -> &[T] {
        &self.objects
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_names_one_object_of_one_kind() {
        let (mut groups, mut infos) = (Table::of(HandleKind::Group), Table::of(HandleKind::Info));
        let (first, second, info) = (groups.add("a"), groups.add("b"), infos.add("c"));
        assert_eq!((groups.get(first), groups.get(second)), (Some(&"a"), Some(&"b")));
        assert_eq!((infos.get(info), infos.get(first)), (Some(&"c"), None));
        // What an ABI with wider handles keeps in the upper half is not ours.
        assert_eq!(groups.get(second | 7 << 32), Some(&"b"));
    }
}
