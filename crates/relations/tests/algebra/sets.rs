//! Sets against `BTreeSet`.

use crate::naive::sets;
use farside_relations::Set;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn tree(set: Set) -> BTreeSet<usize> {
    (0..64).filter(|&element| set.has(element)).collect()
}

proptest! {
    #[test]
    fn operations_are_those_of_sets(a in sets(), b in sets(), element in 0..64_usize, size in 0..80_usize) {
        let (left, right) = (tree(a), tree(b));
        prop_assert_eq!(tree(a | b), &left | &right);
        prop_assert_eq!(tree(a & b), &left & &right);
        prop_assert_eq!(tree(a - b), &left - &right);
        prop_assert_eq!(a.meets(b), !left.is_disjoint(&right));
        prop_assert_eq!(a.is_subset(b), left.is_subset(&right));
        prop_assert_eq!((a & b).is_subset(a), true);
        prop_assert_eq!(a.len(), left.len());
        prop_assert_eq!(a.least(), left.first().copied());
        prop_assert_eq!(a.members().collect::<Vec<_>>(), left.iter().copied().collect::<Vec<_>>());
        prop_assert_eq!(left.iter().copied().collect::<Set>(), a);
        prop_assert_eq!(tree(Set::first(size)), (0..size.min(64)).collect::<BTreeSet<_>>());
        prop_assert_eq!(tree(a.complement(size)), &tree(Set::first(size)) - &left);
        let (mut with, mut without) = (a, a);
        prop_assert_eq!(with.insert(element), !left.contains(&element));
        prop_assert_eq!(without.remove(element), left.contains(&element));
        prop_assert_eq!(with - without, Set::one(element));
    }

    #[test]
    fn nothing_is_a_member_beyond_the_last(a in sets(), element in 64..1000_usize) {
        let mut same = a;
        prop_assert!(!a.has(element));
        prop_assert!(!same.remove(element));
        prop_assert_eq!(same, a);
    }
}
