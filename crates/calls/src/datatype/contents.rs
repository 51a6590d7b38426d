//! What a constructor of datatypes makes of its arguments (MPI-4.1 §5.1.2, §5.1.3, §5.1.7).

use super::layout::Layout;
use super::shape::{Order, Shape};
use crate::abi::Combiner;

/// What a datatype was made of (§5.1.13), as `MPI_Type_get_contents` gives it: the arguments of its constructor, in
/// their order, without the new type.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The constructor.
    pub combiner: Combiner,
    /// Its integers; of a subarray, the order is last.
    pub integers: Vec<i64>,
    /// Its addresses.
    pub addresses: Vec<i64>,
    /// Its datatypes.
    pub types: Vec<Shape>,
}

impl Contents {
    /// What the constructor makes (§5.1.2, §5.1.3, §5.1.7); `None` for one that is not taken apart here.
    pub fn shape(&self, order: Order) -> Option<Shape> {
        let int = |k: usize| self.integers.get(k).copied().unwrap_or(0);
        let address = |k: usize| self.addresses.get(k).copied().unwrap_or(0);
        let number = |k: usize| u64::try_from(int(k)).unwrap_or(0);
        let mut whole = Layout::new(order);
        if self.combiner == Combiner::Struct {
            for (k, part) in self.types.iter().enumerate() {
                whole.add(
                    &Layout::of(part, order),
                    address(k),
                    number(1 + k),
                    part.map.extent,
                );
            }
            return Some(whole.finish(None));
        }
        let old = self.types.first()?;
        let (element, extent) = (Layout::of(old, order), old.map.extent);
        let n = number(0) as usize;
        let mut bounds = None;
        match self.combiner {
            Combiner::Dup => return Some(old.clone()),
            Combiner::Resized => {
                whole = element;
                bounds = Some((address(0), address(1)));
            }
            Combiner::Contiguous => whole.add(&element, 0, number(0), extent),
            Combiner::Vector | Combiner::Hvector => {
                let stride = match self.combiner {
                    Combiner::Vector => int(2).wrapping_mul(extent),
                    _ => address(0),
                };
                let mut row = Layout::new(order);
                row.add(&element, 0, number(1), extent);
                whole.add(&row, 0, number(0), stride);
            }
            Combiner::Indexed | Combiner::Hindexed => {
                for k in 0..n {
                    let displacement = match self.combiner {
                        Combiner::Indexed => int(1 + n + k).wrapping_mul(extent),
                        _ => address(k),
                    };
                    whole.add(&element, displacement, number(1 + k), extent);
                }
            }
            Combiner::IndexedBlock | Combiner::HindexedBlock => {
                for k in 0..n {
                    let displacement = match self.combiner {
                        Combiner::IndexedBlock => int(2 + k).wrapping_mul(extent),
                        _ => address(k),
                    };
                    whole.add(&element, displacement, number(1), extent);
                }
            }
            Combiner::Subarray => return self.subarray(element, extent, order),
            Combiner::Struct | Combiner::Named | Combiner::F90 | Combiner::Darray => return None,
        }
        Some(whole.finish(bounds))
    }

    /// `MPI_Type_create_subarray` (§5.1.3): dimensions, sizes, subsizes, starts, order.
    fn subarray(&self, element: Layout, extent: i64, order: Order) -> Option<Shape> {
        let n = usize::try_from(*self.integers.first()?).ok()?;
        let row = |k: usize| self.integers.get(1 + k * n..1 + (k + 1) * n);
        let (sizes, subsizes, starts) = (row(0)?, row(1)?, row(2)?);
        let fastest_first: Vec<usize> = match is_fortran_order(*self.integers.get(1 + 3 * n)?) {
            true => (0..n).collect(),
            false => (0..n).rev().collect(),
        };
        let (mut part, mut stride, mut offset) = (element, extent, 0i64);
        for dimension in fastest_first {
            let mut next = Layout::new(order);
            next.add(&part, 0, u64::try_from(subsizes[dimension]).ok()?, stride);
            offset = offset.wrapping_add(starts[dimension].wrapping_mul(stride));
            stride = stride.wrapping_mul(sizes[dimension]);
            part = next;
        }
        let mut whole = Layout::new(order);
        whole.add(&part, offset, 1, stride);
        Some(whole.finish(Some((0, stride))))
    }
}

/// Whether a number is `MPI_ORDER_FORTRAN`: 57 in MPICH (C is 56), 1 in Open MPI (C is 0), 15 in the standard ABI
/// (C is 12).
fn is_fortran_order(order: i64) -> bool {
    matches!(order, 57 | 1 | 15)
}
