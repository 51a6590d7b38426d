//! Things that come and go, named by keys that are not used again.

/// Names a thing of a [`Slab`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    index: u32,
    generation: u32,
}

impl Key {
    /// A number that is not 0.
    pub(crate) fn number(self) -> u64 {
        (u64::from(self.generation) << 32 | u64::from(self.index)) + 1
    }

    /// The key of a number that is not 0.
    pub(crate) fn of_number(number: u64) -> Self {
        let bits = number - 1;
        Self {
            index: bits as u32,
            generation: (bits >> 32) as u32,
        }
    }
}

/// What became of a key.
pub(crate) enum Found<'t, T> {
    /// It is there.
    There(&'t T),
    /// It was there.
    Gone,
    /// It never was.
    Never,
}

/// Things in slots that are used again.
pub(crate) struct Slab<T> {
    slots: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
}

impl<T> Slab<T> {
    pub(crate) fn new() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
        }
    }

    pub(crate) fn insert(&mut self, thing: T) -> Key {
        if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            slot.1 = Some(thing);
            return Key {
                index,
                generation: slot.0,
            };
        }
        let index = self.slots.len() as u32;
        self.slots.push((0, Some(thing)));
        Key { index, generation: 0 }
    }

    pub(crate) fn find(&self, key: Key) -> Found<'_, T> {
        match self.slots.get(key.index as usize) {
            Some((generation, Some(thing))) if *generation == key.generation => Found::There(thing),
            Some((generation, _)) if *generation > key.generation => Found::Gone,
            _ => Found::Never,
        }
    }

    pub(crate) fn get_mut(&mut self, key: Key) -> Option<&mut T> {
        match self.slots.get_mut(key.index as usize) {
            Some((generation, thing)) if *generation == key.generation => thing.as_mut(),
            _ => None,
        }
    }

    pub(crate) fn get(&self, key: Key) -> Option<&T> {
        match self.find(key) {
            Found::There(thing) => Some(thing),
            _ => None,
        }
    }

    /// Takes a thing out. A slot whose generations are used up is not used again.
    pub(crate) fn remove(&mut self, key: Key) -> Option<T> {
        let slot = self.slots.get_mut(key.index as usize)?;
        if slot.0 != key.generation {
            return None;
        }
        let thing = slot.1.take()?;
        if let Some(next) = slot.0.checked_add(1) {
            slot.0 = next;
            self.free.push(key.index);
        }
        Some(thing)
    }

    /// All keys of things that are there, in a fixed order.
    pub(crate) fn keys(&self) -> Vec<Key> {
        let there = self
            .slots
            .iter()
            .zip(0..)
            .filter(|((_, thing), _)| thing.is_some());
        there
            .map(|((generation, _), index)| Key {
                index,
                generation: *generation,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_not_used_again() {
        let mut slab = Slab::new();
        let first = slab.insert('a');
        assert_eq!(slab.remove(first), Some('a'));
        let second = slab.insert('b');
        assert_ne!(first, second);
        assert!(matches!(slab.find(first), Found::Gone));
        assert!(matches!(slab.find(second), Found::There('b')));
        assert!(matches!(slab.find(Key::of_number(77)), Found::Never));
        assert_eq!(Key::of_number(second.number()), second);
        assert_eq!(slab.keys(), [second]);
    }
}
