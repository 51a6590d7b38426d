//! Representatives of states under a [symmetry](super::symmetry): new names for processes.
//!
//! Members of a class are sorted by what tells them apart, whatever the names of others are. Where states hold ranks,
//! processes that look alike are told apart by who holds whose rank, again and again until that tells nothing new. If
//! two still look the same, or differ in what each has on its way to whom only, a state may keep several
//! representatives, which costs states and nothing else.

use super::Delay;
use super::layout::Layout;
use super::roles::{image, rank as held};
use super::symmetry::Symmetry;

impl Delay {
    /// The new name of each process in the representative of a state; none if it is one.
    pub(super) fn names(&self, state: &[u32]) -> Option<Vec<usize>> {
        let ranks = self.layout.ranks;
        let mut names: Vec<usize> = (0..ranks).collect();
        match &self.symmetry {
            Symmetry::Classes(classes) => {
                let colours = self.roles.any().then(|| self.colours(state, classes));
                for class in classes {
                    let mut order = class.clone();
                    match &colours {
                        Some(colours) => order.sort_by_key(|&rank| colours[rank]),
                        None => {
                            order.sort_by(|&one, &other| self.key(state, one).cmp(self.key(state, other)));
                        }
                    }
                    for (&rank, &name) in order.iter().zip(class) {
                        names[rank] = name;
                    }
                }
            }
            Symmetry::Rotations => {
                let rotation = |first: usize| (0..ranks).map(move |index| (first + index) % ranks);
                let least = (0..ranks).min_by(|&one, &other| {
                    let keys = |first| rotation(first).map(|rank| self.key(state, rank));
                    let compared = keys(one).zip(keys(other)).map(|(one, other)| one.cmp(other));
                    compared
                        .into_iter()
                        .find(|order| order.is_ne())
                        .unwrap_or(std::cmp::Ordering::Equal)
                })?;
                for (name, rank) in rotation(least).enumerate() {
                    names[rank] = name;
                }
            }
        }
        names
            .iter()
            .enumerate()
            .any(|(rank, &name)| rank != name)
            .then_some(names)
    }

    /// Numbers of the processes, equal only where nothing was found that tells two apart.
    fn colours(&self, state: &[u32], classes: &[Vec<usize>]) -> Vec<u32> {
        let ranks = self.layout.ranks;
        let words: Vec<(usize, Option<u32>)> = (0..self.layout.block - 1).zip(self.roles.words()).collect();
        // What a process holds of whom: place in its block, and rank.
        let holds: Vec<Vec<(u32, usize)>> = (0..ranks)
            .map(|rank| {
                let first = self.layout.control(rank) + 1;
                let holder = |&(word, role): &(usize, Option<u32>)| {
                    let other = held(role, state[first + word]).filter(|&other| other < ranks)?;
                    Some((word as u32, other))
                };
                words.iter().filter_map(holder).collect()
            })
            .collect();
        let keys: Vec<Vec<u32>> = (0..ranks)
            .map(|rank| {
                let mut key: Vec<u32> = self.key(state, rank).collect();
                for &(word, other) in &holds[rank] {
                    // Itself, or somebody else, whoever that is.
                    key[1 + word as usize] = u32::MAX - u32::from(other == rank);
                }
                // Who is in no class is told by name, and the members of a class by it.
                let class = classes.iter().position(|class| class.contains(&rank));
                key.push(class.map_or(rank as u32, |class| (ranks + class) as u32));
                key
            })
            .collect();
        let mut colours = numbered(&keys);
        let count = |colours: &[u32]| colours.iter().max().copied().unwrap_or(0);
        loop {
            let keys: Vec<Vec<u32>> = (0..ranks)
                .map(|rank| {
                    let mut key = vec![colours[rank]];
                    key.extend(
                        holds[rank]
                            .iter()
                            .flat_map(|&(word, other)| [word, colours[other]]),
                    );
                    let by = (0..ranks).flat_map(|other| {
                        let held = holds[other].iter().filter(move |(_, held)| *held == rank);
                        held.map(move |&(word, _)| (other, word))
                    });
                    let mut by: Vec<[u32; 2]> = by.map(|(other, word)| [colours[other], word]).collect();
                    by.sort_unstable();
                    key.push(u32::MAX);
                    key.extend(by.into_iter().flatten());
                    key
                })
                .collect();
            let finer = numbered(&keys);
            if count(&finer) == count(&colours) {
                return colours;
            }
            colours = finer;
        }
    }

    /// What tells a process from others, whatever their names are.
    fn key<'s>(&'s self, state: &'s [u32], rank: usize) -> impl Iterator<Item = u32> + 's {
        let block = self.layout.control(rank)..self.layout.control(rank) + self.layout.block;
        let event = Layout::delayed(state).filter(|event| event.address / self.layout.cells == rank);
        let more = Layout::delayed(state).map_or(0..0, |_| {
            let first = self.layout.after(rank);
            first..first + self.layout.more
        });
        let channels = self.layout.channel(rank, 0);
        let unnamed = move |&word: &usize| {
            word < channels
                || !self
                    .layout
                    .channels
                    .by_target()
                    .any(|range| range.contains(&(word - channels)))
        };
        let own = event.map_or(0, |event| 1 + (event.address % self.layout.cells) as u32);
        state[block]
            .iter()
            .copied()
            .chain([own])
            .chain(more.filter(unnamed).map(|word| state[word]))
    }

    /// A state in which each process has its new name.
    pub(super) fn renamed(&self, state: &[u32], names: &[usize]) -> Vec<u32> {
        let mut renamed = state.to_vec();
        let layout = &self.layout;
        let event = Layout::delayed(state);
        if let Some(mut event) = event {
            event.address = layout.address(names[event.address / layout.cells], event.address % layout.cells);
            renamed[0] = Layout::event(event);
        }
        for (rank, &name) in names.iter().enumerate() {
            let (from, to) = (layout.control(rank), layout.control(name));
            renamed[to..to + layout.block].copy_from_slice(&state[from..from + layout.block]);
            if self.roles.any() {
                for (word, role) in renamed[to + 1..].iter_mut().zip(self.roles.words()) {
                    *word = image(role, *word, names);
                }
            }
            if event.is_none() {
                continue;
            }
            let (from, to) = (layout.after(rank), layout.after(name));
            renamed[to..to + layout.more].copy_from_slice(&state[from..from + layout.more]);
            for channels in layout.channels.by_target() {
                for (target, channel) in channels.clone().enumerate() {
                    renamed[layout.channel(name, channels.start + names[target])] =
                        state[layout.channel(rank, channel)];
                }
            }
        }
        renamed
    }
}

/// The place of each key among the different ones.
fn numbered(keys: &[Vec<u32>]) -> Vec<u32> {
    let mut sorted: Vec<&Vec<u32>> = keys.iter().collect();
    sorted.sort_unstable();
    sorted.dedup();
    let place = |key: &Vec<u32>| sorted.binary_search(&key).unwrap_or_default() as u32;
    keys.iter().map(place).collect()
}
