//! What the constructors of datatypes make, against a plain expansion: the standard's own definitions (MPI-4.1
//! §5.1.2, §5.1.3, §5.1.7, and the bounds of §5.1.6), element by element, in lists of (displacement, basic type).

use farside_calls::abi::Combiner;
use farside_calls::datatype::{Contents, Datatype, Elements, Order, Shape};
use farside_events::TypeId;
use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::Arc;

/// A type map as the standard writes it, with its lower bound and its extent.
#[derive(Clone, Debug, Default)]
struct Plain {
    entries: Vec<(i64, usize)>,
    lower: Option<i64>,
    upper: i64,
}

/// Names and sizes of the basic types.
const BASICS: [(&str, i64); 3] = [("MPI_CHAR", 1), ("MPI_INT", 4), ("MPI_DOUBLE", 8)];

/// A constructor, with small arguments.
#[derive(Clone, Debug)]
enum Made {
    Basic(usize),
    Dup(Box<Made>),
    Contiguous(i64, Box<Made>),
    Vector(i64, i64, i64, bool, Box<Made>),
    Indexed(Vec<(i64, i64)>, bool, Box<Made>),
    Block(i64, Vec<i64>, bool, Box<Made>),
    Struct(Vec<(i64, i64, Made)>),
    /// Size, subsize and start of each dimension; the first dimension the fastest.
    Subarray(Vec<(i64, i64, i64)>, bool, Box<Made>),
    Resized(i64, i64, Box<Made>),
}

fn made() -> impl Strategy<Value = Made> {
    (0usize..3)
        .prop_map(Made::Basic)
        .prop_recursive(3, 12, 3, |inner| {
            let old = inner.clone().prop_map(Box::new);
            let dimension = (1i64..4, 0i64..4, 0i64..4).prop_map(|(size, subsize, start)| {
                let subsize = subsize.min(size);
                (size, subsize, start.min(size - subsize))
            });
            prop_oneof![
                old.clone().prop_map(Made::Dup),
                (0i64..20, old.clone()).prop_map(|(count, old)| Made::Contiguous(count, old)),
                (0i64..20, 0i64..4, -6i64..20, any::<bool>(), old.clone()).prop_map(
                    |(count, length, stride, bytes, old)| Made::Vector(count, length, stride, bytes, old)
                ),
                (vec((-5i64..20, 0i64..4), 0..4), any::<bool>(), old.clone())
                    .prop_map(|(pieces, bytes, old)| Made::Indexed(pieces, bytes, old)),
                (0i64..4, vec(-5i64..20, 0..4), any::<bool>(), old.clone())
                    .prop_map(|(length, places, bytes, old)| Made::Block(length, places, bytes, old)),
                vec((-9i64..40, 0i64..3, inner), 0..4).prop_map(Made::Struct),
                (vec(dimension, 1..4), any::<bool>(), old.clone())
                    .prop_map(|(dimensions, fortran, old)| Made::Subarray(dimensions, fortran, old)),
                (-8i64..8, 1i64..40, old).prop_map(|(lower, extent, old)| Made::Resized(lower, extent, old)),
            ]
        })
}

impl Plain {
    fn extent(&self) -> i64 {
        self.upper - self.lower.unwrap_or(0)
    }

    /// Adds an element of another type.
    fn put(&mut self, old: &Self, at: i64) {
        self.entries
            .extend(old.entries.iter().map(|(offset, basic)| (at + offset, *basic)));
        let Some(lower) = old.lower else { return };
        self.upper = match self.lower {
            Some(_) => self.upper.max(at + old.upper),
            None => at + old.upper,
        };
        self.lower = Some(self.lower.unwrap_or(i64::MAX).min(at + lower));
    }

    /// Adds consecutive elements.
    fn block(&mut self, old: &Self, at: i64, length: i64) {
        for element in 0..length {
            self.put(old, at + element * old.extent());
        }
    }

    fn with_bounds(mut self, lower: i64, extent: i64) -> Self {
        let is_nothing = self.entries.is_empty() && (lower, extent) == (0, 0);
        self.lower = (!is_nothing).then_some(lower);
        self.upper = lower + extent;
        self
    }
}

/// By the definitions.
fn plain(made: &Made) -> Plain {
    let mut whole = Plain::default();
    let unit = |bytes: bool, old: &Plain| if bytes { 1 } else { old.extent() };
    match made {
        Made::Basic(basic) => {
            whole.entries.push((0, *basic));
            return whole.with_bounds(0, BASICS[*basic].1);
        }
        Made::Dup(old) => return plain(old),
        Made::Contiguous(count, old) => whole.block(&plain(old), 0, *count),
        Made::Vector(count, length, stride, bytes, old) => {
            let old = plain(old);
            for k in 0..*count {
                whole.block(&old, k * stride * unit(*bytes, &old), *length);
            }
        }
        Made::Indexed(pieces, bytes, old) => {
            let old = plain(old);
            for (place, length) in pieces {
                whole.block(&old, place * unit(*bytes, &old), *length);
            }
        }
        Made::Block(length, places, bytes, old) => {
            let old = plain(old);
            for place in places {
                whole.block(&old, place * unit(*bytes, &old), *length);
            }
        }
        Made::Struct(parts) => {
            for (place, length, old) in parts {
                whole.block(&plain(old), *place, *length);
            }
        }
        Made::Subarray(dimensions, _, old) => {
            let old = plain(old);
            let elements: i64 = dimensions.iter().map(|(_, subsize, _)| subsize).product();
            for element in 0..elements {
                let (mut rest, mut scale, mut place) = (element, 1, 0);
                for (size, subsize, start) in dimensions {
                    place += (start + rest % subsize) * scale;
                    rest /= subsize;
                    scale *= size;
                }
                whole.put(&old, place * old.extent());
            }
            let size: i64 = dimensions.iter().map(|(size, _, _)| size).product();
            return whole.with_bounds(0, size * old.extent());
        }
        Made::Resized(lower, extent, old) => return plain(old).with_bounds(*lower, *extent),
    }
    whole
}

/// By the arguments that `MPI_Type_get_contents` gives.
fn shape(made: &Made, order: Order) -> Shape {
    let length = |items: usize| items as i64;
    let (combiner, integers, addresses, types): (_, Vec<i64>, Vec<i64>, Vec<&Made>) = match made {
        Made::Basic(basic) => {
            let (name, size) = BASICS[*basic];
            return Shape::basic(name, 0, size as u32, size);
        }
        Made::Dup(old) => (Combiner::Dup, vec![], vec![], vec![old]),
        Made::Contiguous(count, old) => (Combiner::Contiguous, vec![*count], vec![], vec![old]),
        Made::Vector(count, length, stride, false, old) => (
            Combiner::Vector,
            vec![*count, *length, *stride],
            vec![],
            vec![old],
        ),
        Made::Vector(count, length, stride, true, old) => {
            (Combiner::Hvector, vec![*count, *length], vec![*stride], vec![old])
        }
        Made::Indexed(pieces, bytes, old) => {
            let (places, lengths): (Vec<i64>, Vec<i64>) = pieces.iter().copied().unzip();
            let first = [vec![length(pieces.len())], lengths].concat();
            match bytes {
                true => (Combiner::Hindexed, first, places, vec![old]),
                false => (Combiner::Indexed, [first, places].concat(), vec![], vec![old]),
            }
        }
        Made::Block(each, places, bytes, old) => {
            let first = vec![length(places.len()), *each];
            match bytes {
                true => (Combiner::HindexedBlock, first, places.clone(), vec![old]),
                false => (
                    Combiner::IndexedBlock,
                    [first, places.clone()].concat(),
                    vec![],
                    vec![old],
                ),
            }
        }
        Made::Struct(parts) => {
            let lengths = parts.iter().map(|(_, length, _)| *length).collect();
            let places = parts.iter().map(|(place, _, _)| *place).collect();
            let types = parts.iter().map(|(_, _, old)| old).collect();
            let integers = [vec![length(parts.len())], lengths].concat();
            (Combiner::Struct, integers, places, types)
        }
        Made::Subarray(dimensions, fortran, old) => {
            let mut dimensions = dimensions.clone();
            if !fortran {
                dimensions.reverse();
            }
            let row = |which: fn(&(i64, i64, i64)) -> i64| dimensions.iter().map(which).collect::<Vec<i64>>();
            let integers = [
                vec![length(dimensions.len())],
                row(|dimension| dimension.0),
                row(|dimension| dimension.1),
                row(|dimension| dimension.2),
                vec![if *fortran { 57 } else { 56 }],
            ];
            (Combiner::Subarray, integers.concat(), vec![], vec![old])
        }
        Made::Resized(lower, extent, old) => (Combiner::Resized, vec![], vec![*lower, *extent], vec![old]),
    };
    let contents = Contents {
        combiner,
        integers,
        addresses,
        types: types.into_iter().map(|old| shape(old, order)).collect(),
    };
    contents.shape(order).expect("it is taken apart")
}

/// The basic elements of a shape, in the order of its blocks.
fn entries(shape: &Shape) -> Vec<(i64, usize)> {
    let mut entries = Vec::new();
    for block in &shape.map.blocks {
        let basic = &shape.map.basics[block.basic as usize];
        let number = BASICS
            .iter()
            .position(|(name, _)| **name == *basic.name)
            .expect("known");
        for piece in 0..block.count as i64 {
            for at in (0..block.length as i64).step_by(basic.size as usize) {
                entries.push((block.offset + piece * block.stride + at, number));
            }
        }
    }
    entries
}

fn sorted(mut entries: Vec<(i64, usize)>) -> Vec<(i64, usize)> {
    entries.sort_unstable();
    entries
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn constructors_make_what_the_standard_defines(made in made()) {
        let expected = plain(&made);
        let (kept, free) = (shape(&made, Order::Kept), shape(&made, Order::Free));
        prop_assert_eq!(entries(&kept), expected.entries.clone());
        prop_assert_eq!(sorted(entries(&free)), sorted(expected.entries.clone()));
        for shape in [&kept, &free] {
            prop_assert_eq!(shape.lower_bound, expected.lower.unwrap_or(0));
            prop_assert_eq!(shape.map.extent, expected.extent());
        }
    }

    /// The bytes of some elements are those of their pieces, and lie within their span.
    #[test]
    fn elements_cover_the_bytes_of_their_entries(made in made(), count in 0i64..4) {
        let (expected, datatype) = (plain(&made), Datatype::new(TypeId(1), shape(&made, Order::Kept)));
        let elements = Elements { address: 1 << 20, count, datatype: Arc::new(datatype) };
        let mut bytes = Vec::new();
        for element in 0..count {
            for (offset, basic) in &expected.entries {
                let first = (1 << 20) + element * expected.extent() + offset;
                bytes.extend(first..first + BASICS[*basic].1);
            }
        }
        let pieces = elements.pieces().flat_map(|(at, length)| at as i64..(at + length) as i64);
        prop_assert_eq!(pieces.collect::<Vec<i64>>(), bytes.clone());
        let (start, length) = elements.span();
        let ends = bytes.iter().min().copied().zip(bytes.iter().max().map(|last| last + 1));
        let expected = ends.map(|(first, end)| (first as u64, (end - first) as u64));
        prop_assert_eq!((length > 0).then_some((start, length)), expected);
    }
}

#[test]
fn runs_of_equal_pieces_are_one_block() {
    let int = Box::new(Made::Basic(1));
    let blocks = |made: &Made| {
        let map = shape(made, Order::Free).map;
        let fields = map.blocks.iter().map(|b| (b.offset, b.length, b.count, b.stride));
        fields.collect::<Vec<_>>()
    };
    assert_eq!(blocks(&Made::Contiguous(5, int.clone())), [(0, 20, 1, 0)]);
    let vector = Box::new(Made::Vector(3, 2, 4, false, int.clone()));
    assert_eq!(blocks(&vector), [(0, 8, 3, 16)]);
    let continued = Made::Vector(2, 1, 48, true, vector);
    assert_eq!(blocks(&continued), [(0, 8, 6, 16)]);
    let element = Box::new(Made::Struct(vec![(0, 1, *int), (8, 1, Made::Basic(2))]));
    let many = Made::Contiguous(1_000_000, element);
    assert_eq!(blocks(&many), [(0, 4, 1_000_000, 16), (8, 8, 1_000_000, 16)]);
}

#[test]
fn too_many_irregular_blocks_are_all_bytes_between_the_first_and_the_last() {
    // Any two pieces are a run, so that every block holds two.
    let places: Vec<i64> = (0..=(1 << 17)).map(|k| 8 * k * k + 8).collect();
    let end = places.last().copied().unwrap_or(0) + 4;
    let shape = shape(
        &Made::Block(1, places, true, Box::new(Made::Basic(1))),
        Order::Free,
    );
    let blocks = shape
        .map
        .blocks
        .iter()
        .map(|b| (b.offset, b.length))
        .collect::<Vec<_>>();
    assert_eq!(blocks, [(8, end as u64 - 8)]);
    assert_eq!((shape.lower_bound, shape.map.extent), (8, end - 8));
}
