//! Symmetry over ranks: states that differ only in who is who are one.
//!
//! A permutation p of the ranks is an automorphism of a [specialised](super::specialise) program if the code of p(r) is
//! that of r with every rank that it names, or that a value stands for by its [role](super::roles), replaced by its
//! image, and so are the first values. Codes that compute with ranks are thus not mapped to one another. Then p maps
//! steps to steps and violations to violations, and any representative of a state will do.
//!
//! Two groups are looked for: all permutations of classes of ranks, any two of which can be swapped; or else the
//! rotations of all ranks. [Representatives](super::renaming) are found by sorting, or as the least rotation.

use super::roles::{Roles, image};
use farside_pgas::calculus::{Automaton, Program};

/// The automorphisms that are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Symmetry {
    /// Members of a class can be permuted; classes of one are left out.
    Classes(Vec<Vec<usize>>),
    /// All ranks can be rotated.
    Rotations,
}

impl Symmetry {
    /// The symmetry of a program if it is wanted, and the roles that it takes: the guessed ones only if they help.
    pub(super) fn found(program: &Program, guessed: Roles, wanted: bool) -> (Self, Roles) {
        let none = Roles::none(program);
        if !wanted {
            return (Self::none(), none);
        }
        if guessed.any() && guessed.fit(program) {
            let found = Self::of(program, &guessed);
            if found != Self::none() {
                return (found, guessed);
            }
        }
        (Self::of(program, &none), none)
    }

    /// The automorphisms of a program.
    pub(super) fn of(program: &Program, roles: &Roles) -> Self {
        let ranks = program.ranks as usize;
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for rank in 0..ranks {
            // If two swaps that share a rank are automorphisms, so is the third.
            let swapped = |other: usize| {
                let mut images: Vec<usize> = (0..ranks).collect();
                images.swap(rank, other);
                automorphism(program, roles, &images)
            };
            match classes.iter_mut().find(|class| swapped(class[0])) {
                Some(class) => class.push(rank),
                None => classes.push(vec![rank]),
            }
        }
        classes.retain(|class| class.len() > 1);
        let rotated: Vec<usize> = (0..ranks).map(|rank| (rank + 1) % ranks).collect();
        if classes.is_empty() && ranks > 1 && automorphism(program, roles, &rotated) {
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

fn automorphism(program: &Program, roles: &Roles, images: &[usize]) -> bool {
    let first = |rank: usize| {
        let registers = program.first_registers[rank].iter();
        registers.chain(&program.first_cells[rank]).copied()
    };
    images.iter().enumerate().all(|(rank, &to)| {
        let renamed = first(rank)
            .zip(roles.words())
            .map(|(value, role)| image(role, value, images));
        renamed.eq(first(to)) && maps(program, roles, (rank, to), images)
    })
}

/// Whether the code of one rank becomes that of another one when the ranks that it names get their images.
fn maps(program: &Program, roles: &Roles, (one, other): (usize, usize), images: &[usize]) -> bool {
    let (code, other): (&Automaton, &Automaton) = (&program.codes[one], &program.codes[other]);
    code.states == other.states
        && code.transitions.len() == other.transitions.len()
        && code
            .transitions
            .iter()
            .zip(&other.transitions)
            .all(|(one, other)| {
                (one.from, one.to, &one.dead) == (other.from, other.to, &other.dead)
                    && roles.mapped(program, &one.command, images).as_ref() == Some(&other.command)
            })
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
        let program = lower(&parse(text).unwrap(), settings).unwrap();
        Symmetry::of(&specialise(&program), &Roles::of(&program))
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
    fn values_that_stand_for_ranks_are_renamed() {
        let mcs = "shared tail, next, locked = 1\nqueue q\nshared old\n\
            swap(old, 0, tail, me + 1, q)\nwait q\nbefore = old\n\
            if before != 0 { shared_me = me + 1\nnext = shared_me\nwrite(next, before - 1, next, q) }\n";
        let mcs = mcs.replace("shared_me", "mine");
        assert_eq!(symmetry(&mcs, 3), Symmetry::Classes(vec![vec![1, 2]]), "{mcs}");
        // What is computed with is a number.
        let sum = mcs.replace("before != 0", "before + 1 != 2");
        assert_eq!(symmetry(&sum, 3), Symmetry::none(), "{sum}");
    }

    #[test]
    fn values_code_and_computed_ranks_tell_ranks_apart() {
        for text in [
            "shared x = me, y\nqueue q\nx = x + 1\nwrite(x, me, y, q)\n",
            "shared x, y\nx = me\ny = x < 1\n",
            "shared x\nrank 0 { x = 1 }\nrank 1 { x = 2 }\nrank 2 { x = 3 }\n",
            "shared x, y\nqueue q\nr = x\nwrite(x, (r + 1) % n, y, q)\n",
            // A line of neighbours, which ends.
            "shared x, y\nqueue q\nif me + 1 < n { write(x, me + 1, y, q) }\n",
        ] {
            assert_eq!(symmetry(text, 3), Symmetry::none(), "{text}");
        }
    }
}
