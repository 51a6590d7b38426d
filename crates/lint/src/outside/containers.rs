//! The parts of C++'s containers that libstdc++ keeps in its library: the trees of `std::map` and `std::set`, the
//! links of `std::list`, the numbers of buckets of `std::unordered_map`, the allocators of `std::string`.
//!
//! Source: the headers `stl_tree.h`, `stl_list.h` and `hashtable_policy.h` of libstdc++ 12 say what these functions do
//! and how their objects lie; the trees are those of Cormen et al., *Introduction to Algorithms*, 3rd edition, ch. 13.
//!
//! Promise: what the containers hold is as the program has it. The order of an unordered container is one that the
//! language allows, not the library's own: buckets are counted in other primes, and bytes are hashed in another way.
//! Limit: nodes are accessed without being accesses of the program, as they never are window memory.

use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::value::Scalar;
use std::hash::{DefaultHasher, Hasher};

/// Where a node of a tree has its parts; the colour is an `int` at its start.
const PARENT: u64 = 8;
const LEFT: u64 = 16;
const RIGHT: u64 = 24;
const RED: u64 = 0;
const BLACK: u64 = 1;

/// Where a node of a list has its parts.
const NEXT: u64 = 0;
const PREVIOUS: u64 = 8;

/// Memory by addresses of words.
trait Words {
    fn word(&self, at: u64) -> u64;
    fn set_word(&mut self, at: u64, value: u64);
    fn color(&self, node: u64) -> u64;
    fn set_color(&mut self, node: u64, color: u64);
}

impl Words for Caller<'_> {
    fn word(&self, at: u64) -> u64 {
        self.long_at(at)
    }

    fn set_word(&mut self, at: u64, value: u64) {
        self.put_long(at, value);
    }

    fn color(&self, node: u64) -> u64 {
        u64::from(self.int_at(node) != 0)
    }

    fn set_color(&mut self, node: u64, color: u64) {
        self.put_int(node, color as i32);
    }
}

/// A function of the library; `None` if it is none that is known here.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let name = name.strip_prefix("_Z")?;
    let [one, two, three, four] = [0, 1, 2, 3].map(|index| a.get(index).map_or(0, |argument| argument.bits));
    let known = |value| Some(Flow::Return(Scalar::known(value)));
    match name {
        "St29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_" => {
            insert(caller, one & 1 != 0, two, three, four);
            Some(NOTHING)
        }
        "St28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_" => known(erase(caller, one, two)),
        "St18_Rb_tree_incrementPSt18_Rb_tree_node_base"
        | "St18_Rb_tree_incrementPKSt18_Rb_tree_node_base" => known(next(caller, one)),
        "St18_Rb_tree_decrementPSt18_Rb_tree_node_base"
        | "St18_Rb_tree_decrementPKSt18_Rb_tree_node_base" => known(previous(caller, one)),
        "NSt8__detail15_List_node_base7_M_hookEPS0_" => {
            hook(caller, one, two);
            Some(NOTHING)
        }
        "NSt8__detail15_List_node_base9_M_unhookEv" => {
            unhook(caller, one);
            Some(NOTHING)
        }
        "NSt8__detail15_List_node_base11_M_transferEPS0_S1_" => {
            transfer(caller, one, two, three);
            Some(NOTHING)
        }
        "NSt8__detail15_List_node_base4swapERS0_S1_" => {
            swap(caller, one, two);
            Some(NOTHING)
        }
        "NSt8__detail15_List_node_base10_M_reverseEv" => {
            reverse(caller, one);
            Some(NOTHING)
        }
        // An allocator of characters has no content.
        "NSaIcEC1Ev" | "NSaIcEC2Ev" | "NSaIcEC1ERKS_" | "NSaIcEC2ERKS_" | "NSaIcED1Ev" | "NSaIcED2Ev"
        | "NSaIwEC1Ev" | "NSaIwEC2Ev" | "NSaIwEC1ERKS_" | "NSaIwEC2ERKS_" | "NSaIwED1Ev" | "NSaIwED2Ev" => {
            Some(NOTHING)
        }
        "NKSt8__detail20_Prime_rehash_policy11_M_next_bktEm" => known(buckets(caller, one, two)),
        "NKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm" => {
            let [needs, count] = rehash(caller, one, two, three.saturating_add(four)).map(Scalar::known);
            Some(Flow::Pair(needs, count))
        }
        "St11_Hash_bytesPKvmm" | "St15_Fnv_hash_bytesPKvmm" => {
            let bytes = caller.memory(one).bytes(one, two.min(1 << 20));
            let mut hasher = DefaultHasher::new();
            hasher.write(&bytes);
            hasher.write_u64(three);
            known(hasher.finish())
        }
        _ => None,
    }
}

/// The last node of a part of a tree, to one side.
fn outermost(words: &impl Words, mut node: u64, side: u64) -> u64 {
    while words.word(node + side) != 0 {
        node = words.word(node + side);
    }
    node
}

/// The node after one in the order of a tree; the header after the last.
fn next(words: &impl Words, node: u64) -> u64 {
    let right = words.word(node + RIGHT);
    if right != 0 {
        return outermost(words, right, LEFT);
    }
    let (mut node, mut parent) = (node, words.word(node + PARENT));
    while node == words.word(parent + RIGHT) {
        (node, parent) = (parent, words.word(parent + PARENT));
    }
    // The header of a tree of one node is its right child, too.
    if words.word(node + RIGHT) == parent {
        node
    } else {
        parent
    }
}

/// The node before one; the last before the header.
fn previous(words: &impl Words, node: u64) -> u64 {
    let is_header = words.color(node) == RED && words.word(words.word(node + PARENT) + PARENT) == node;
    if is_header {
        return words.word(node + RIGHT);
    }
    let left = words.word(node + LEFT);
    if left != 0 {
        return outermost(words, left, RIGHT);
    }
    let (mut node, mut parent) = (node, words.word(node + PARENT));
    while node == words.word(parent + LEFT) {
        (node, parent) = (parent, words.word(parent + PARENT));
    }
    parent
}

/// Puts `new` where `old` is below its parent; the header's parent is the root.
fn replace(words: &mut impl Words, header: u64, old: u64, new: u64) {
    let parent = words.word(old + PARENT);
    let place = match words.word(header + PARENT) == old {
        true => header + PARENT,
        false if words.word(parent + LEFT) == old => parent + LEFT,
        false => parent + RIGHT,
    };
    words.set_word(place, new);
    if new != 0 {
        words.set_word(new + PARENT, parent);
    }
}

/// Turns a node down to one side; its child of the other side comes up.
fn rotate(words: &mut impl Words, header: u64, node: u64, side: u64) {
    let other = LEFT + RIGHT - side;
    let up = words.word(node + other);
    let inner = words.word(up + side);
    words.set_word(node + other, inner);
    if inner != 0 {
        words.set_word(inner + PARENT, node);
    }
    replace(words, header, node, up);
    words.set_word(up + side, node);
    words.set_word(node + PARENT, up);
}

fn insert(words: &mut impl Words, left: bool, node: u64, parent: u64, header: u64) {
    words.set_word(node + PARENT, parent);
    words.set_word(node + LEFT, 0);
    words.set_word(node + RIGHT, 0);
    words.set_color(node, RED);
    words.set_word(parent + if left { LEFT } else { RIGHT }, node);
    // The header knows the root, the first and the last.
    if parent == header {
        for place in [PARENT, LEFT, RIGHT] {
            words.set_word(header + place, node);
        }
    } else if left && words.word(header + LEFT) == parent {
        words.set_word(header + LEFT, node);
    } else if !left && words.word(header + RIGHT) == parent {
        words.set_word(header + RIGHT, node);
    }
    let mut node = node;
    loop {
        let parent = words.word(node + PARENT);
        if words.word(header + PARENT) == node || words.color(parent) == BLACK {
            break;
        }
        let grand = words.word(parent + PARENT);
        let side = if words.word(grand + LEFT) == parent {
            LEFT
        } else {
            RIGHT
        };
        let uncle = words.word(grand + LEFT + RIGHT - side);
        if uncle != 0 && words.color(uncle) == RED {
            words.set_color(parent, BLACK);
            words.set_color(uncle, BLACK);
            words.set_color(grand, RED);
            node = grand;
            continue;
        }
        if words.word(parent + LEFT + RIGHT - side) == node {
            rotate(words, header, parent, side);
            node = parent;
        }
        let parent = words.word(node + PARENT);
        words.set_color(parent, BLACK);
        words.set_color(grand, RED);
        rotate(words, header, grand, LEFT + RIGHT - side);
    }
    let root = words.word(header + PARENT);
    words.set_color(root, BLACK);
}

/// Takes a node out of its tree; the node.
fn erase(words: &mut impl Words, node: u64, header: u64) -> u64 {
    let (left, right) = (words.word(node + LEFT), words.word(node + RIGHT));
    if words.word(header + LEFT) == node {
        let first = match right {
            0 => words.word(node + PARENT),
            right => outermost(words, right, LEFT),
        };
        words.set_word(header + LEFT, first);
    }
    if words.word(header + RIGHT) == node {
        let last = match left {
            0 => words.word(node + PARENT),
            left => outermost(words, left, RIGHT),
        };
        words.set_word(header + RIGHT, last);
    }
    // What comes up, below whom, and the colour that is missing there.
    let (mut up, mut parent, missing);
    if left == 0 || right == 0 {
        up = left | right;
        parent = words.word(node + PARENT);
        missing = words.color(node);
        replace(words, header, node, up);
    } else {
        let heir = outermost(words, right, LEFT);
        up = words.word(heir + RIGHT);
        missing = words.color(heir);
        if heir == right {
            parent = heir;
        } else {
            parent = words.word(heir + PARENT);
            replace(words, header, heir, up);
            words.set_word(heir + RIGHT, right);
            words.set_word(right + PARENT, heir);
        }
        replace(words, header, node, heir);
        words.set_word(heir + LEFT, left);
        words.set_word(left + PARENT, heir);
        let color = words.color(node);
        words.set_color(heir, color);
    }
    if missing == RED {
        return node;
    }
    while words.word(header + PARENT) != up && (up == 0 || words.color(up) == BLACK) {
        let side = if words.word(parent + LEFT) == up {
            LEFT
        } else {
            RIGHT
        };
        let other = LEFT + RIGHT - side;
        let mut sibling = words.word(parent + other);
        if words.color(sibling) == RED {
            words.set_color(sibling, BLACK);
            words.set_color(parent, RED);
            rotate(words, header, parent, side);
            sibling = words.word(parent + other);
        }
        let is_red = |words: &mut _, node| node != 0 && Words::color(words, node) == RED;
        let (inner, outer) = (words.word(sibling + side), words.word(sibling + other));
        if !is_red(words, inner) && !is_red(words, outer) {
            words.set_color(sibling, RED);
            (up, parent) = (parent, words.word(parent + PARENT));
            continue;
        }
        if !is_red(words, outer) {
            words.set_color(inner, BLACK);
            words.set_color(sibling, RED);
            rotate(words, header, sibling, other);
            sibling = words.word(parent + other);
        }
        let color = words.color(parent);
        words.set_color(sibling, color);
        words.set_color(parent, BLACK);
        let outer = words.word(sibling + other);
        words.set_color(outer, BLACK);
        rotate(words, header, parent, side);
        break;
    }
    if up != 0 {
        words.set_color(up, BLACK);
    }
    node
}

/// Puts a node of a list before another one.
fn hook(words: &mut impl Words, node: u64, before: u64) {
    let previous = words.word(before + PREVIOUS);
    words.set_word(node + NEXT, before);
    words.set_word(node + PREVIOUS, previous);
    words.set_word(previous + NEXT, node);
    words.set_word(before + PREVIOUS, node);
}

fn unhook(words: &mut impl Words, node: u64) {
    let (next, previous) = (words.word(node + NEXT), words.word(node + PREVIOUS));
    words.set_word(previous + NEXT, next);
    words.set_word(next + PREVIOUS, previous);
}

/// Moves the nodes from `first` up to, but not, `last` before another one.
fn transfer(words: &mut impl Words, before: u64, first: u64, last: u64) {
    if before == last {
        return;
    }
    let mut node = first;
    while node != last {
        let next = words.word(node + NEXT);
        unhook(words, node);
        hook(words, node, before);
        node = next;
    }
}

/// Exchanges the nodes of two lists, by their heads.
fn swap(words: &mut impl Words, one: u64, other: u64) {
    let heads = [one, other];
    let ends = heads.map(|head| (words.word(head + NEXT), words.word(head + PREVIOUS)));
    for (old, (first, last), head) in [(one, ends[0], other), (other, ends[1], one)] {
        let (first, last) = if first == old { (head, head) } else { (first, last) };
        words.set_word(head + NEXT, first);
        words.set_word(head + PREVIOUS, last);
        words.set_word(first + PREVIOUS, head);
        words.set_word(last + NEXT, head);
    }
}

/// Turns a list round, by any of its nodes.
fn reverse(words: &mut impl Words, head: u64) {
    let mut node = head;
    loop {
        let (next, previous) = (words.word(node + NEXT), words.word(node + PREVIOUS));
        words.set_word(node + NEXT, previous);
        words.set_word(node + PREVIOUS, next);
        node = next;
        if node == head {
            return;
        }
    }
}

/// A number of buckets that is prime and not smaller; the policy then knows how many elements it is enough for.
fn buckets(caller: &mut Caller<'_>, policy: u64, least: u64) -> u64 {
    let is_prime = |n: &u64| (2..).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    // A table of more buckets is none that a simulation makes.
    let count = match least {
        0 => 1,
        least => (least.clamp(2, 1 << 32)..).find(is_prime).unwrap_or(2),
    };
    let load = f32::from_bits(caller.int_at(policy) as u32);
    caller.put_long(policy + 8, (count as f64 * f64::from(load)).floor() as u64);
    count
}

/// Whether a table with so many buckets, after an insertion of so many elements as it then has, needs more, and how
/// many. `own` is the number of elements without those that come.
fn rehash(caller: &mut Caller<'_>, policy: u64, count: u64, elements: u64) -> [u64; 2] {
    let enough_for = caller.long_at(policy + 8);
    if elements <= enough_for {
        return [0, 0];
    }
    let load = f64::from(f32::from_bits(caller.int_at(policy) as u32)).max(1e-3);
    let first = if enough_for == 0 { 11 } else { 0 };
    let wanted = elements.max(first) as f64 / load;
    if wanted >= count as f64 {
        let least = (wanted.floor() as u64 + 1).max(count.saturating_mul(2));
        return [1, buckets(caller, policy, least)];
    }
    caller.put_long(policy + 8, (count as f64 * load).floor() as u64);
    [0, 0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashMap as HashMap;
    use std::collections::BTreeSet;

    /// Words by address.
    #[derive(Default)]
    struct Plain(HashMap<u64, u64>);

    impl Words for Plain {
        fn word(&self, at: u64) -> u64 {
            self.0.get(&at).copied().unwrap_or(0)
        }

        fn set_word(&mut self, at: u64, value: u64) {
            self.0.insert(at, value);
        }

        fn color(&self, node: u64) -> u64 {
            self.word(node)
        }

        fn set_color(&mut self, node: u64, color: u64) {
            self.set_word(node, color);
        }
    }

    const HEADER: u64 = 1 << 20;
    const NODE: u64 = 32;

    fn empty() -> Plain {
        let mut words = Plain::default();
        words.set_word(HEADER + LEFT, HEADER);
        words.set_word(HEADER + RIGHT, HEADER);
        words
    }

    /// A node's address is 32 times its key.
    fn add(words: &mut Plain, key: u64) {
        let (mut parent, mut left, mut at) = (HEADER, true, words.word(HEADER + PARENT));
        while at != 0 {
            parent = at;
            left = key * NODE < at;
            at = words.word(at + if left { LEFT } else { RIGHT });
        }
        insert(words, left || parent == HEADER, key * NODE, parent, HEADER);
    }

    /// The number of black nodes on each way down; fails if ways differ or red nodes follow each other.
    fn height(words: &Plain, node: u64, parent: u64) -> u64 {
        if node == 0 {
            return 0;
        }
        assert_eq!(words.word(node + PARENT), parent);
        let red = words.color(node) == RED;
        assert!(
            !red || parent == HEADER || words.color(parent) == BLACK,
            "two red nodes"
        );
        let [left, right] = [LEFT, RIGHT].map(|side| height(words, words.word(node + side), node));
        assert_eq!(left, right, "ways of different heights");
        left + u64::from(!red)
    }

    fn compare(words: &Plain, keys: &BTreeSet<u64>) {
        height(words, words.word(HEADER + PARENT), HEADER);
        let (mut forward, mut node) = (Vec::new(), words.word(HEADER + LEFT));
        while node != HEADER {
            forward.push(node / NODE);
            node = next(words, node);
        }
        assert_eq!(forward, keys.iter().copied().collect::<Vec<_>>());
        let mut back = Vec::new();
        for _ in keys {
            node = previous(words, node);
            back.push(node / NODE);
        }
        assert_eq!(back, keys.iter().rev().copied().collect::<Vec<_>>());
    }

    #[test]
    fn a_tree_holds_what_a_set_holds_in_its_order() {
        for step in [1, 7, 37, 64] {
            let (mut words, mut keys) = (empty(), BTreeSet::new());
            for number in 0..101 {
                let key = 1 + number * step % 101;
                keys.insert(key);
                add(&mut words, key);
                compare(&words, &keys);
            }
            for number in 0..101 {
                let key = 1 + number * 45 % 101;
                assert_eq!(erase(&mut words, key * NODE, HEADER), key * NODE);
                keys.remove(&key);
                compare(&words, &keys);
            }
            assert_eq!(words.word(HEADER + PARENT), 0);
        }
    }

    #[test]
    fn nodes_of_a_list_are_linked_both_ways() {
        let mut words = Plain::default();
        words.set_word(HEADER + NEXT, HEADER);
        words.set_word(HEADER + PREVIOUS, HEADER);
        for key in 1..=5 {
            hook(&mut words, key * NODE, HEADER);
        }
        unhook(&mut words, 2 * NODE);
        transfer(&mut words, NODE, 4 * NODE, HEADER);
        assert_eq!(follow(&words, HEADER, NEXT), [4, 5, 1, 3]);
        assert_eq!(follow(&words, HEADER, PREVIOUS), [3, 1, 5, 4]);
        reverse(&mut words, HEADER);
        assert_eq!(follow(&words, HEADER, NEXT), [3, 1, 5, 4]);
        let other = 2 * HEADER;
        words.set_word(other + NEXT, other);
        words.set_word(other + PREVIOUS, other);
        swap(&mut words, HEADER, other);
        assert_eq!(follow(&words, other, PREVIOUS), [4, 5, 1, 3]);
        assert!(follow(&words, HEADER, NEXT).is_empty());
        hook(&mut words, 9 * NODE, HEADER);
        swap(&mut words, HEADER, other);
        assert_eq!(follow(&words, HEADER, NEXT), [3, 1, 5, 4]);
        assert_eq!(follow(&words, other, NEXT), [9]);
    }

    /// The keys of a list from its head on, to one side.
    fn follow(words: &Plain, head: u64, side: u64) -> Vec<u64> {
        let (mut keys, mut node) = (Vec::new(), words.word(head + side));
        while node != head {
            keys.push(node / NODE);
            node = words.word(node + side);
        }
        keys
    }
}
