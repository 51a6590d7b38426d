//! Symmetry over ranks: states that differ only in who is who are one.
//!
//! A permutation p of the ranks is an automorphism of a [specialised](super::specialise) program if the code of p(r) is
//! that of r with every rank that it names replaced by its image, and both have the same first values. Codes whose
//! named ranks are computed from registers, or whose values depend on the rank, are thus not mapped to one another.
//! Then p maps steps to steps and violations to violations, and any representative of a state will do.
//!
//! Two groups are looked for: all permutations of classes of ranks, any two of which can be swapped; or else the
//! rotations of all ranks. Representatives are found by sorting, or as the least rotation; where two processes look the
//! same but for what each has on its way to whom, a state may keep several representatives, which costs states and
//! nothing else.

use super::Delay;
use super::layout::Layout;
use farside_pgas::calculus::{Automaton, Command, Expression, Program};

/// The automorphisms that are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Symmetry {
    /// Members of a class can be permuted; classes of one are left out.
    Classes(Vec<Vec<usize>>),
    /// All ranks can be rotated.
    Rotations,
}

impl Symmetry {
    /// The automorphisms of a program.
    pub(super) fn of(program: &Program) -> Self {
        let ranks = program.ranks as usize;
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for rank in 0..ranks {
            // If two swaps that share a rank are automorphisms, so is the third.
            let swapped = |other: usize| {
                let mut images: Vec<usize> = (0..ranks).collect();
                images.swap(rank, other);
                automorphism(program, &images)
            };
            match classes.iter_mut().find(|class| swapped(class[0])) {
                Some(class) => class.push(rank),
                None => classes.push(vec![rank]),
            }
        }
        classes.retain(|class| class.len() > 1);
        let rotated: Vec<usize> = (0..ranks).map(|rank| (rank + 1) % ranks).collect();
        if classes.is_empty() && ranks > 1 && automorphism(program, &rotated) {
            Self::Rotations
        } else {
            Self::Classes(classes)
        }
    }

    /// No automorphism.
    pub(super) fn none() -> Self {
        Self::Classes(Vec::new())
    }

    /// The ranks that a rank can become, itself among them.
    pub(super) fn images(&self, rank: usize, ranks: usize) -> Vec<usize> {
        match self {
            Self::Rotations => (0..ranks).collect(),
            Self::Classes(classes) => classes
                .iter()
                .find(|class| class.contains(&rank))
                .map_or_else(|| vec![rank], Vec::clone),
        }
    }
}

fn automorphism(program: &Program, images: &[usize]) -> bool {
    images.iter().enumerate().all(|(rank, &image)| {
        program.first_registers[rank] == program.first_registers[image]
            && program.first_cells[rank] == program.first_cells[image]
            && maps(&program.codes[rank], &program.codes[image], images)
    })
}

/// Whether a code becomes the other one when the ranks that it names get their images.
fn maps(code: &Automaton, other: &Automaton, images: &[usize]) -> bool {
    code.states == other.states
        && code.transitions.len() == other.transitions.len()
        && code
            .transitions
            .iter()
            .zip(&other.transitions)
            .all(|(one, other)| {
                (one.from, one.to, &one.dead) == (other.from, other.to, &other.dead)
                    && mapped(&one.command, images).as_ref() == Some(&other.command)
            })
}

/// A command with the images of the ranks that it names; none if it computes one.
fn mapped(command: &Command, images: &[usize]) -> Option<Command> {
    let image = |rank: &Expression| match rank {
        Expression::Constant(rank) => {
            // A rank that does not exist is one of nobody.
            let image = usize::try_from(*rank).ok().and_then(|rank| images.get(rank));
            Some(Expression::Constant(image.map_or(*rank, |&image| image as i64)))
        }
        _ => None,
    };
    let mut command = command.clone();
    match &mut command {
        Command::Transfer(transfer) => transfer.rank = image(&transfer.rank)?,
        Command::Atomic(atomic) => atomic.rank = image(&atomic.rank)?,
        Command::Fence { rank: Some(rank), .. } => *rank = image(rank)?,
        _ => {}
    }
    Some(command)
}

impl Delay {
    /// The new name of each process in the representative of a state; none if it is one.
    pub(super) fn names(&self, state: &[u32]) -> Option<Vec<usize>> {
        let ranks = self.layout.ranks;
        let mut names: Vec<usize> = (0..ranks).collect();
        match &self.symmetry {
            Symmetry::Classes(classes) => {
                for class in classes {
                    let mut order = class.clone();
                    order.sort_by(|&one, &other| self.key(state, one).cmp(self.key(state, other)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delay::specialise::specialise;
    use farside_pgas::calculus::Polls;
    use farside_pgas::lower::{Settings, lower};
    use farside_pgas::parser::parse;

    fn symmetry(text: &str, ranks: u32) -> Symmetry {
        let settings = Settings {
            ranks: Some(ranks),
            domain: Some(4),
            api: None,
            polls: Polls::Awaited,
        };
        Symmetry::of(&specialise(&lower(&parse(text).unwrap(), settings).unwrap()))
    }

    #[test]
    fn what_names_one_rank_leaves_the_others_alike() {
        let text = "shared x, y\nqueue q\nwrite(x, 0, y, q)\nwait q\nr = x\n";
        assert_eq!(symmetry(text, 4), Symmetry::Classes(vec![vec![1, 2, 3]]));
    }

    #[test]
    fn neighbours_can_be_rotated() {
        let text = "shared x, y\nqueue q\nwrite(x, (me + 1) % n, y, q)\nwait q\nr = x\n";
        assert_eq!(symmetry(text, 4), Symmetry::Rotations);
        // At two ranks a rotation is a swap.
        assert_eq!(symmetry(text, 2), Symmetry::Classes(vec![vec![0, 1]]));
    }

    #[test]
    fn values_code_and_computed_ranks_tell_ranks_apart() {
        for text in [
            "shared x = me, y\nqueue q\nwrite(x, me, y, q)\n",
            "shared x, y\nx = me\ny = x\n",
            "shared x\nrank 0 { x = 1 }\nrank 1 { x = 2 }\nrank 2 { x = 3 }\n",
            "shared x, y\nqueue q\nr = x\nwrite(x, r, y, q)\n",
            // A line of neighbours, which ends.
            "shared x, y\nqueue q\nif me + 1 < n { write(x, me + 1, y, q) }\n",
        ] {
            assert_eq!(symmetry(text, 3), Symmetry::none(), "{text}");
        }
    }
}
