//! A binomial tree over the ranks of a group, which are numbered from its root.

use crate::Rank;
use std::ops::Range;

/// The place of a rank in the tree.
pub(super) struct Tree {
    root: Rank,
    size: u32,
    me: u32,
    /// The subtree of this place is so many places from it, as far as there are ranks.
    span: u32,
}

impl Tree {
    /// Of rank `me`.
    pub(super) fn new(root: Rank, me: Rank, size: u32) -> Self {
        let place = (me + size - root) % size;
        let span = match place {
            0 => size.next_power_of_two(),
            place => 1 << place.trailing_zeros(),
        };
        Self {
            root,
            size,
            me: place,
            span,
        }
    }

    /// The place of this rank.
    pub(super) fn place(&self) -> u32 {
        self.me
    }

    /// The rank at a place.
    pub(super) fn rank(&self, place: u32) -> Rank {
        (place + self.root) % self.size
    }

    /// The rank next to the root; none of the root.
    pub(super) fn parent(&self) -> Option<Rank> {
        (self.me != 0).then(|| self.rank(self.me - self.span))
    }

    /// The places of the own subtree.
    pub(super) fn subtree(&self) -> Range<usize> {
        self.me as usize..(self.me + self.span).min(self.size) as usize
    }

    /// The ranks below this one, each with the places of its subtree: the largest first.
    pub(super) fn children(&self) -> impl DoubleEndedIterator<Item = (Rank, Range<usize>)> + '_ {
        let places = (0..self.span.trailing_zeros())
            .rev()
            .map(|bit| (self.me + (1 << bit), 1 << bit));
        places
            .filter(|&(place, _)| place < self.size)
            .map(|(place, span)| {
                let subtree = place as usize..(place + span).min(self.size) as usize;
                (self.rank(place), subtree)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each rank is the child of its parent, and the subtrees of the children are the own one without its place.
    #[test]
    fn every_rank_has_one_parent_and_its_part_of_the_places() {
        for size in 1..=33 {
            for root in [0, size / 2, size - 1] {
                let tree = |rank| Tree::new(root, rank, size);
                for rank in 0..size {
                    let own = tree(rank);
                    assert_eq!(own.rank(own.place()), rank);
                    assert_eq!(own.parent().is_none(), rank == root);
                    if let Some(parent) = own.parent() {
                        let of_parent = tree(parent);
                        let found: Vec<_> = of_parent.children().filter(|child| child.0 == rank).collect();
                        assert_eq!(found, [(rank, own.subtree())]);
                    }
                    let below: Vec<usize> = own.children().rev().flat_map(|(_, places)| places).collect();
                    let mut all = own.subtree();
                    assert_eq!(all.next(), Some(own.place() as usize));
                    assert!(all.eq(below), "rank {rank} of {size}, root {root}");
                }
            }
        }
    }
}
