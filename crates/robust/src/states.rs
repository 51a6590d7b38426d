//! The states that a search has met, each kept once, as a few bytes.
//!
//! Nothing is lost: two states are the same only if all their numbers are (the hash only says where to look).

/// Bytes of a block; a state that is longer has one of its own.
const BLOCK: usize = 1 << 20;

/// States by number, in the order in which they were met.
pub(crate) struct States {
    /// Blocks are never moved, so that growing takes no more than what it adds.
    blocks: Vec<Vec<u8>>,
    /// Where each state is: block, first byte, number of bytes.
    places: Vec<(u32, u32, u32)>,
    bytes: u64,
    /// Numbers of states plus 1, by hash; 0 is free. Its length is a power of 2.
    table: Vec<u32>,
    packed: Vec<u8>,
}

impl States {
    pub(crate) fn new() -> Self {
        Self {
            blocks: vec![Vec::with_capacity(BLOCK)],
            places: Vec::new(),
            bytes: BLOCK as u64,
            table: vec![0; 1024],
            packed: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// What they take, with what the tables have in reserve.
    pub(crate) fn memory(&self) -> u64 {
        let places = self.places.capacity() * size_of::<(u32, u32, u32)>();
        self.bytes + (places + 4 * self.table.capacity()) as u64
    }

    /// The number of a state, and whether it is new.
    pub(crate) fn insert(&mut self, state: &[u32]) -> (usize, bool) {
        let mut packed = std::mem::take(&mut self.packed);
        packed.clear();
        pack(state, &mut packed);
        if (self.len() + 1) * 3 > self.table.len() * 2 {
            self.grow();
        }
        let mut at = hash(&packed) as usize & (self.table.len() - 1);
        let found = loop {
            match self.table[at] {
                0 => break None,
                number if self.packed_state(number as usize - 1) == packed => {
                    break Some(number as usize - 1);
                }
                _ => at = (at + 1) & (self.table.len() - 1),
            }
        };
        let result = if let Some(found) = found {
            (found, false)
        } else {
            let number = self.len();
            self.append(&packed);
            // The search stops before there are more states than that.
            self.table[at] = number as u32 + 1;
            (number, true)
        };
        self.packed = packed;
        result
    }

    /// The numbers of a state.
    pub(crate) fn get(&self, number: usize, into: &mut Vec<u32>) {
        unpack(self.packed_state(number), into);
    }

    fn packed_state(&self, number: usize) -> &[u8] {
        let (block, first, length) = self.places[number];
        &self.blocks[block as usize][first as usize..(first + length) as usize]
    }

    fn append(&mut self, packed: &[u8]) {
        let last = self.blocks.last_mut();
        if last.is_none_or(|last| last.capacity() - last.len() < packed.len()) {
            let size = packed.len().max(BLOCK);
            self.blocks.push(Vec::with_capacity(size));
            self.bytes += size as u64;
        }
        let at = self.blocks.len() - 1;
        let block = &mut self.blocks[at];
        self.places
            .push((at as u32, block.len() as u32, packed.len() as u32));
        block.extend_from_slice(packed);
    }

    fn grow(&mut self) {
        let mut table = vec![0_u32; self.table.len() * 2];
        for number in 0..self.len() {
            let mut at = hash(self.packed_state(number)) as usize & (table.len() - 1);
            while table[at] != 0 {
                at = (at + 1) & (table.len() - 1);
            }
            table[at] = number as u32 + 1;
        }
        self.table = table;
    }
}

/// Numbers are small: seven bits a byte. Most are 0: a row of zeros is a 0 and its length.
fn pack(state: &[u32], into: &mut Vec<u8>) {
    let mut at = 0;
    while at < state.len() {
        number(state[at], into);
        if state[at] == 0 {
            let zeros = state[at..].iter().take_while(|&&word| word == 0).count();
            number(zeros as u32, into);
            at += zeros;
        } else {
            at += 1;
        }
    }
}

fn number(mut rest: u32, into: &mut Vec<u8>) {
    while rest >= 0x80 {
        into.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    into.push(rest as u8);
}

fn unpack(packed: &[u8], into: &mut Vec<u32>) {
    into.clear();
    let (mut word, mut shift, mut zeros) = (0, 0, false);
    for &byte in packed {
        word |= u32::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            if zeros {
                into.resize(into.len() + word as usize, 0);
                zeros = false;
            } else if word == 0 {
                zeros = true;
            } else {
                into.push(word);
            }
            (word, shift) = (0, 0);
        }
    }
}

/// A quick hash; nobody chooses states to make it slow.
fn hash(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_comes_back_as_it_was_and_is_kept_once() {
        let mut states = States::new();
        let of = |seed: u32| -> Vec<u32> {
            (0..40)
                .map(|index| match (seed >> (index % 11)) % 4 {
                    _ if index == 17 => seed,
                    0 | 1 => 0,
                    2 => index,
                    _ => seed.wrapping_mul(0x9e37_79b9) >> (index % 32),
                })
                .collect()
        };
        for seed in 0..5000 {
            assert_eq!(states.insert(&of(seed)), (seed as usize, true));
        }
        let mut back = Vec::new();
        for seed in 0..5000 {
            assert_eq!(states.insert(&of(seed)), (seed as usize, false));
            states.get(seed as usize, &mut back);
            assert_eq!(back, of(seed));
        }
    }
}
