//! How a datatype was made (MPI-4.1 §5.1.13): asked of the library, with `MPI_Count` where it has that.
//!
//! Of a type that a constructor with large counts made (`MPI_Type_vector_c`), as mpi4py makes all under MPI-4, the
//! functions with `int` know nothing, and asking them is an error (§5.1.13). Those with `MPI_Count` know both kinds.

use crate::abi::{constants, pmpi};
use farside_calls::abi::Combiner;
use farside_calls::datatype::{Contents, Shape};

/// The constructor of a datatype, and how many arguments of each kind it had.
pub(super) struct Envelope {
    combiner: Combiner,
    integers: i64,
    addresses: i64,
    counts: i64,
    datatypes: i64,
    is_large: bool,
}

impl Envelope {
    /// That of a handle; `None` for what we do not know.
    pub(super) fn of(handle: usize) -> Option<Self> {
        let ([mut integers, mut addresses, mut counts, mut datatypes], mut number) = ([0; 4], 0);
        let large = pmpi::type_get_envelope_c(
            handle,
            &raw mut integers,
            &raw mut addresses,
            &raw mut counts,
            &raw mut datatypes,
            &raw mut number,
        );
        if large == 0 {
            return Some(Self {
                combiner: constants().numbers.combiner(number)?,
                integers,
                addresses,
                counts,
                datatypes,
                is_large: true,
            });
        }
        let ([mut integers, mut addresses, mut datatypes], mut number) = ([0; 3], 0);
        let status = pmpi::type_get_envelope(
            handle,
            &raw mut integers,
            &raw mut addresses,
            &raw mut datatypes,
            &raw mut number,
        );
        let combiner = constants().numbers.combiner(number)?;
        (status == 0).then_some(Self {
            combiner,
            integers: integers.into(),
            addresses: addresses.into(),
            counts: 0,
            datatypes: datatypes.into(),
            is_large: false,
        })
    }

    /// The constructor.
    pub(super) fn combiner(&self) -> Combiner {
        self.combiner
    }

    /// What the constructor got, laid out as if it was the one with `int`. `shape` takes the handle of each datatype,
    /// which is the caller's from then on.
    pub(super) fn contents(&self, handle: usize, shape: impl FnMut(usize) -> Shape) -> Option<Contents> {
        let length = |n: i64| usize::try_from(n).unwrap_or(0);
        let mut ints = vec![0_i32; length(self.integers) + 1];
        let mut aints = vec![0_isize; length(self.addresses) + 1];
        let mut counts = vec![0_i64; length(self.counts) + 1];
        let mut words = vec![0_u64; length(self.datatypes) + 1];
        let status = if self.is_large {
            pmpi::type_get_contents_c(
                handle,
                self.integers,
                self.addresses,
                self.counts,
                self.datatypes,
                ints.as_mut_ptr(),
                aints.as_mut_ptr(),
                counts.as_mut_ptr(),
                words.as_mut_ptr(),
            )
        } else {
            let int = |n: i64| i32::try_from(n).unwrap_or(0);
            pmpi::type_get_contents(
                handle,
                int(self.integers),
                int(self.addresses),
                int(self.datatypes),
                ints.as_mut_ptr(),
                aints.as_mut_ptr(),
                words.as_mut_ptr(),
            )
        };
        if status != 0 {
            return None;
        }
        let datatypes = handles(&words, length(self.datatypes), constants().handle_mask);
        counts.truncate(length(self.counts));
        let integers: Vec<i64> = ints.into_iter().map(i64::from).collect();
        let addresses: Vec<i64> = aints.into_iter().map(|address| address as i64).collect();
        let (integers, addresses) = match counts.as_slice() {
            [] => (integers, addresses),
            counts => as_of_int(self.combiner, (&integers, counts))?,
        };
        Some(Contents {
            combiner: self.combiner,
            types: datatypes.into_iter().map(shape).collect(),
            integers,
            addresses,
        })
    }
}

/// The integers and addresses that the constructor with `int` would have got (the tables of §5.1.13): large counts
/// stand for integers first, and where the constructor has addresses, those are the last of them.
fn as_of_int(combiner: Combiner, (integers, counts): (&[i64], &[i64])) -> Option<(Vec<i64>, Vec<i64>)> {
    let blocks = || usize::try_from(*counts.first()?).ok();
    let numbers = match combiner {
        Combiner::Contiguous | Combiner::Vector | Combiner::Indexed | Combiner::IndexedBlock => counts.len(),
        Combiner::Hvector | Combiner::HindexedBlock => 2,
        Combiner::Hindexed | Combiner::Struct => 1 + blocks()?,
        Combiner::Resized => 0,
        // The number of dimensions and the order are integers.
        Combiner::Subarray => {
            let [dimensions, order, ..] = *integers else {
                return None;
            };
            return Some(([&[dimensions], counts, &[order]].concat(), Vec::new()));
        }
        Combiner::Named | Combiner::Dup | Combiner::Darray | Combiner::F90 => return None,
    };
    let (numbers, addresses) = counts.split_at_checked(numbers)?;
    Some((numbers.to_vec(), addresses.to_vec()))
}

/// Handles from an array that the library filled in its own width.
fn handles(words: &[u64], count: usize, mask: usize) -> Vec<usize> {
    if mask == usize::MAX {
        return words[..count].iter().map(|word| *word as usize).collect();
    }
    words
        .iter()
        .flat_map(|word| [*word & 0xffff_ffff, *word >> 32])
        .take(count)
        .map(|half| half as usize)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_counts_are_laid_out_as_integers_and_addresses() {
        let check = |combiner, integers: &[i64], counts: &[i64], expected: (&[i64], &[i64])| {
            let (numbers, addresses) = as_of_int(combiner, (integers, counts)).unwrap();
            assert_eq!((&numbers[..], &addresses[..]), expected, "{combiner:?}");
        };
        check(Combiner::Contiguous, &[0], &[5], (&[5], &[]));
        check(Combiner::Vector, &[0], &[10, 1, 2], (&[10, 1, 2], &[]));
        check(Combiner::Hvector, &[0], &[10, 1, 16], (&[10, 1], &[16]));
        check(Combiner::Indexed, &[0], &[2, 1, 3, 0, 8], (&[2, 1, 3, 0, 8], &[]));
        check(
            Combiner::Hindexed,
            &[0],
            &[2, 1, 3, 0, 64],
            (&[2, 1, 3], &[0, 64]),
        );
        check(Combiner::HindexedBlock, &[0], &[2, 4, 0, 64], (&[2, 4], &[0, 64]));
        check(Combiner::Struct, &[0], &[2, 1, 1, 0, 8], (&[2, 1, 1], &[0, 8]));
        check(Combiner::Resized, &[0], &[-8, 32], (&[], &[-8, 32]));
        let subarray = (&[2_i64, 4, 6, 2, 3, 1, 1, 0][..], &[][..]);
        check(Combiner::Subarray, &[2, 0, 0], &[4, 6, 2, 3, 1, 1], subarray);
    }

    #[test]
    fn what_does_not_fit_is_not_taken_apart() {
        assert!(as_of_int(Combiner::Hindexed, (&[0], &[9, 1])).is_none());
        assert!(as_of_int(Combiner::Struct, (&[0], &[-1])).is_none());
        assert!(as_of_int(Combiner::Darray, (&[0], &[1])).is_none());
    }
}
