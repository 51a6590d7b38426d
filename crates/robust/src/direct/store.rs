//! States that were met, each once, with the way to it. States are compared whole; a hash only says where to look.

/// A state that was met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    /// Where its bytes begin; they end where those of the next begin.
    start: usize,
    /// The state before it; itself for the first.
    pub(super) parent: u32,
    /// The number of the step from there.
    pub(super) step: u32,
    /// Events of the computation to it, operations with both of their pops.
    pub(super) events: u32,
}

#[derive(Debug, Default)]
pub(super) struct Store {
    bytes: Vec<u8>,
    met: Vec<Met>,
    /// Open addressing; `EMPTY` or the index of a state.
    table: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;

impl Store {
    pub(super) fn len(&self) -> usize {
        self.met.len()
    }

    /// Bytes that all this takes.
    pub(super) fn size(&self) -> u64 {
        let (met, table) = (
            size_of::<Met>() * self.met.capacity(),
            size_of::<u32>() * self.table.capacity(),
        );
        (self.bytes.capacity() + met + table) as u64
    }

    pub(super) fn bytes(&self, state: u32) -> &[u8] {
        let index = state as usize;
        let end = self
            .met
            .get(index + 1)
            .map_or(self.bytes.len(), |next| next.start);
        &self.bytes[self.met[index].start..end]
    }

    pub(super) fn met(&self, state: u32) -> Met {
        self.met[state as usize]
    }

    /// Adds a state, or a shorter way to it. Its number, if it is new or the way is shorter.
    pub(super) fn add(&mut self, bytes: &[u8], parent: u32, step: u32, events: u32) -> Option<u32> {
        if self.met.len() * 4 >= self.table.len() * 3 {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut slot = hash(bytes) as usize & mask;
        while self.table[slot] != EMPTY {
            let known = self.table[slot];
            if self.bytes(known) == bytes {
                let met = &mut self.met[known as usize];
                let shorter = events < met.events;
                if shorter {
                    (met.parent, met.step, met.events) = (parent, step, events);
                }
                return shorter.then_some(known);
            }
            slot = (slot + 1) & mask;
        }
        let number = self.met.len() as u32;
        self.table[slot] = number;
        self.met.push(Met {
            start: self.bytes.len(),
            parent,
            step,
            events,
        });
        self.bytes.extend_from_slice(bytes);
        Some(number)
    }

    fn grow(&mut self) {
        let slots = (self.table.len() * 2).max(1 << 10);
        let mut table = vec![EMPTY; slots];
        for state in 0..self.met.len() as u32 {
            let mut slot = hash(self.bytes(state)) as usize & (slots - 1);
            while table[slot] != EMPTY {
                slot = (slot + 1) & (slots - 1);
            }
            table[slot] = state;
        }
        self.table = table;
    }
}

/// Multiplies and rotates, eight bytes at a time.
fn hash(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    hash ^ hash >> 32
}
