//! Reductions: binomial trees, recursive doubling and recursive halving.

use super::request::CollectiveRequest;
use super::steps::Steps;
use super::{blocks, order};
use crate::endpoint::Core;
use crate::matching::{Name, Signature};
use crate::{Combine, Group, Operation, Plain, Rank, Result, element};
use std::panic::Location;

/// `left` becomes what the operation makes of both, where `left` comes from lower ranks.
fn combine<T: Plain>(left: &mut [T], right: &[T], operate: &mut impl FnMut(T, T) -> T) {
    for (left, &right) in left.iter_mut().zip(right) {
        *left = operate(*left, right);
    }
}

/// As [`combine`], into `right`.
pub(super) fn combine_right<T: Plain>(left: &[T], right: &mut [T], operate: &mut impl FnMut(T, T) -> T) {
    for (&left, right) in left.iter().zip(right) {
        *right = operate(left, *right);
    }
}

/// Combines elements that were gathered from all ranks, `stride` of each, along the tree of [`Group::allreduce_with`]:
/// so the result has the same bits. `first` is the index, in what each rank gave, of the first element of `results`.
fn fold<T: Plain>(
    gathered: &mut [T],
    stride: usize,
    first: usize,
    results: &mut [T],
    operate: &mut impl FnMut(T, T) -> T,
) {
    let (power, extra) = tree((gathered.len() / stride) as u32);
    let of = |rank: u32| rank as usize * stride + first;
    let mut join = |left: u32, right: u32| {
        let (lower, upper) = gathered.split_at_mut(of(right));
        combine(&mut lower[of(left)..][..results.len()], upper, operate);
    };
    (0..extra).for_each(|place| join(2 * place, 2 * place + 1));
    let rank = |place: u32| if place < extra { 2 * place } else { place + extra };
    let mut step = 1;
    while step < power {
        for place in (0..power).step_by(2 * step as usize) {
            join(rank(place), rank(place + step));
        }
        step <<= 1;
    }
    results.copy_from_slice(&gathered[first..][..results.len()]);
}

/// The name of the type of a function: all ranks have to combine by the same one.
pub(super) fn name_of<F>(_: &F) -> &'static str {
    std::any::type_name::<F>()
}

/// The tree for so many ranks: the first `extra` pairs of neighbours are joined, and then a power of two is left.
fn tree(size: u32) -> (u32, u32) {
    let power = 1 << size.ilog2();
    (power, size - power)
}

/// The rank at a place of the tree; of a pair of neighbours, the upper one.
fn rank_at(place: u32, extra: u32) -> Rank {
    if place < extra {
        2 * place + 1
    } else {
        place + extra
    }
}

/// The place of a rank in the tree.
fn place_of(rank: Rank, extra: u32) -> u32 {
    if rank < 2 * extra { rank / 2 } else { rank - extra }
}

impl Steps {
    /// Combines values at the root, along a binomial tree from rank 0.
    async fn reduce<T: Plain>(
        &self,
        root: Rank,
        values: &mut [T],
        operate: &mut impl FnMut(T, T) -> T,
    ) -> Result<()> {
        let (me, size) = (self.group().rank(), self.group().size());
        let mut gathered: Option<Vec<T>> = None;
        let mut step = 1;
        while step < size && me & step == 0 {
            if me + step < size {
                let right: Vec<T> = self.receive(me + step, values.len()).await?;
                combine(gathered.get_or_insert_with(|| values.to_vec()), &right, operate);
            }
            step <<= 1;
        }
        let result = gathered.as_deref().unwrap_or(values);
        if me != 0 {
            self.send(me - step, result).await?;
        } else if root != 0 {
            self.send(root, result).await?;
        } else if let Some(result) = gathered {
            values.copy_from_slice(&result);
        }
        if me == root && root != 0 {
            self.exchange_into(None, 0, values).await?;
        }
        Ok(())
    }

    /// Combines values by messages along the tree; all ranks get the result. Of a power of two of ranks each sends log2
    /// n messages, else up to 2 more.
    async fn recursive_doubling<T: Plain>(
        &self,
        values: &mut [T],
        operate: &mut impl FnMut(T, T) -> T,
    ) -> Result<()> {
        let (me, size) = (self.group().rank(), self.group().size());
        let length = values.len();
        // The first `2 * extra` ranks work in pairs, so that a power of two is left; neighbours stay neighbours.
        let (power, extra) = tree(size);
        if me < 2 * extra && me.is_multiple_of(2) {
            self.send(me + 1, values).await?;
            self.exchange_into(None, me + 1, values).await?;
            return Ok(());
        }
        if me < 2 * extra {
            let left: Vec<T> = self.receive(me - 1, length).await?;
            combine_right(&left, values, operate);
        }
        let place = place_of(me, extra);
        let mut step = 1;
        while step < power {
            let other = rank_at(place ^ step, extra);
            let theirs = self
                .exchange(Some((other, &*values)), Some((other, length)))
                .await?;
            if place & step == 0 {
                combine(values, &theirs, operate);
            } else {
                combine_right(&theirs, values, operate);
            }
            step <<= 1;
        }
        if me < 2 * extra {
            self.send(me - 1, values).await?;
        }
        Ok(())
    }

    /// Combines blocks of `length` elements, one for each rank, by messages along the tree; a rank gets its own block.
    /// Each step sends half of what is left, so a rank sends (n - 1) / n of the blocks in all: log2 n messages of a
    /// power of two of ranks, else up to 2 more.
    ///
    /// Recursive halving (Thakur, Rabenseifner, Gropp: *Optimization of collective communication operations in MPICH*,
    /// 2005), with the nearest partner first: so ranks are combined in their order, and the bits are those of
    /// [`Steps::recursive_doubling`].
    async fn recursive_halving<T: Plain>(
        &self,
        mut values: Vec<T>,
        length: usize,
        operate: &mut impl FnMut(T, T) -> T,
    ) -> Result<Vec<T>> {
        let (me, size) = (self.group().rank(), self.group().size());
        let (power, extra) = tree(size);
        if me < 2 * extra && me.is_multiple_of(2) {
            self.send(me + 1, &values).await?;
            return self.receive(me + 1, length).await;
        }
        if me < 2 * extra {
            let left: Vec<T> = self.receive(me - 1, values.len()).await?;
            combine_right(&left, &mut values, operate);
        }
        let place = place_of(me, extra);
        // `values` are the blocks of these places, of which a pair of neighbours has two.
        let mut places: Vec<u32> = (0..power).collect();
        let elements = |place: u32| if place < extra { 2 * length } else { length };
        let mut step = 1;
        while step < power {
            let (mut mine, mut theirs) = (Vec::new(), Vec::new());
            let mut rest = &values[..];
            places.retain(|&other| {
                let (block, behind) = rest.split_at(elements(other));
                rest = behind;
                let is_mine = (other ^ place) & step == 0;
                if is_mine { &mut mine } else { &mut theirs }.extend_from_slice(block);
                is_mine
            });
            let partner = rank_at(place ^ step, extra);
            let received = self
                .exchange(Some((partner, &theirs[..])), Some((partner, mine.len())))
                .await?;
            if place & step == 0 {
                combine(&mut mine, &received, operate);
            } else {
                combine_right(&received, &mut mine, operate);
            }
            values = mine;
            step <<= 1;
        }
        if me < 2 * extra {
            let own = values.split_off(length);
            self.send(me - 1, &values).await?;
            return Ok(own);
        }
        Ok(values)
    }
}

impl Group {
    /// Combines the values of all ranks, element by element, at rank `root` (`MPI_Reduce`, MPI-4.1 §6.9.1): its
    /// `values` become the result, those of others stay. Collective.
    ///
    /// # Errors
    /// No such rank; lengths differ; the operation does not exist for the type; a rank is lost; time ran out.
    #[track_caller]
    pub fn reduce<T: Combine>(&self, root: Rank, operation: Operation, values: &mut [T]) -> Result<()> {
        element::check::<T>(operation)?;
        Core::check_rank(root, self.size())?;
        let signature =
            Signature::new(const { Name::new("reduce") }, Location::caller()).operation(operation);
        let _entered = self.enter(signature.of::<T>(values.len()).root(root))?;
        self.reduce_with(root, values, |left, right| T::combine(operation, left, right))
    }

    /// As [`Group::reduce`] with a function of one's own, which must be associative (`MPI_Op_create`, MPI-4.1 §6.9.5).
    /// Its first argument comes from lower ranks. All ranks name the same function: closures at two places of a program
    /// are two. It makes no collective calls.
    ///
    /// # Errors
    /// As for [`Group::reduce`].
    #[track_caller]
    pub fn reduce_with<T: Plain>(
        &self,
        root: Rank,
        values: &mut [T],
        mut operate: impl FnMut(T, T) -> T,
    ) -> Result<()> {
        Core::check_rank(root, self.size())?;
        let _entered = self.enter(
            Signature::new(const { Name::new("reduce") }, Location::caller())
                .named(name_of(&operate))
                .of::<T>(values.len())
                .root(root),
        )?;
        let direction = || order::to_root(self, root, values.len());
        let _call = self.collective(Location::caller(), "reduce", direction);
        let _alone = self.core().matching.alone();
        let steps = Steps::new(self);
        steps.complete(steps.reduce(root, values, &mut operate))
    }

    /// Begins a reduction (`MPI_Ireduce`, MPI-4.1 §6.12.7): the request gives the result at rank `root`, and the own
    /// values elsewhere. Collective. Costs what [`Group::reduce`] costs.
    ///
    /// # Errors
    /// No such rank; the operation does not exist for the type; earlier calls of the ranks did not match; a rank is
    /// lost.
    #[track_caller]
    pub fn ireduce<T: Combine>(
        &self,
        root: Rank,
        operation: Operation,
        mut values: Vec<T>,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        element::check::<T>(operation)?;
        Core::check_rank(root, self.size())?;
        let signature =
            Signature::new(const { Name::new("ireduce") }, Location::caller()).operation(operation);
        let signature = signature.of::<T>(values.len()).root(root);
        let direction = order::to_root(self, root, values.len());
        self.begin(signature, direction, async move |steps| {
            let mut operate = |left, right| T::combine(operation, left, right);
            steps.reduce(root, &mut values, &mut operate).await?;
            Ok(values)
        })
    }

    /// Combines the values of all ranks, element by element; all get the result (`MPI_Allreduce`, MPI-4.1 §6.9.6).
    /// Collective.
    ///
    /// # Errors
    /// Lengths differ; the operation does not exist for the type; a rank is lost; time ran out.
    #[track_caller]
    pub fn allreduce<T: Combine>(&self, operation: Operation, values: &mut [T]) -> Result<()> {
        element::check::<T>(operation)?;
        let signature =
            Signature::new(const { Name::new("allreduce") }, Location::caller()).operation(operation);
        let _entered = self.enter(signature.of::<T>(values.len()))?;
        self.allreduce_with(values, |left, right| T::combine(operation, left, right))
    }

    /// As [`Group::allreduce`] with a function of one's own, which must be associative. Its first argument comes from
    /// lower ranks. All ranks name the same function, as for [`Group::reduce_with`].
    ///
    /// # Errors
    /// As for [`Group::allreduce`].
    #[track_caller]
    pub fn allreduce_with<T: Plain>(
        &self,
        values: &mut [T],
        mut operate: impl FnMut(T, T) -> T,
    ) -> Result<()> {
        const { assert!(size_of::<T>() > 0, "elements have a size") }
        let signature =
            Signature::new(const { Name::new("allreduce") }, Location::caller()).named(name_of(&operate));
        let _entered = self.enter(signature.of::<T>(values.len()))?;
        let _call = self.collective(Location::caller(), "allreduce", || order::of_all(values.len()));
        let _alone = self.core().matching.alone();
        if let Some(room) = self.gather_small(values) {
            let stride = values.len();
            let fold = |all: &mut [T]| fold(all, stride, 0, values, &mut operate);
            self.hand_out(room?, stride * self.size() as usize, fold);
            return Ok(());
        }
        self.recursive_doubling(values, operate)
    }

    /// Begins an allreduce (`MPI_Iallreduce`, MPI-4.1 §6.12.8): the request gives the result. Collective. Costs what
    /// [`Group::allreduce`] costs by messages.
    ///
    /// # Errors
    /// The operation does not exist for the type; earlier calls of the ranks did not match; a rank is lost.
    #[track_caller]
    pub fn iallreduce<T: Combine>(
        &self,
        operation: Operation,
        mut values: Vec<T>,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        element::check::<T>(operation)?;
        let signature =
            Signature::new(const { Name::new("iallreduce") }, Location::caller()).operation(operation);
        let signature = signature.of::<T>(values.len());
        self.begin(signature, order::of_all(values.len()), async move |steps| {
            let mut operate = |left, right| T::combine(operation, left, right);
            steps.recursive_doubling(&mut values, &mut operate).await?;
            Ok(values)
        })
    }

    /// See [`Steps::recursive_doubling`].
    pub(crate) fn recursive_doubling<T: Plain>(
        &self,
        values: &mut [T],
        mut operate: impl FnMut(T, T) -> T,
    ) -> Result<()> {
        let steps = Steps::new(self);
        steps.complete(steps.recursive_doubling(values, &mut operate))
    }

    /// See [`Steps::recursive_halving`].
    pub(crate) fn recursive_halving<T: Plain>(
        &self,
        values: Vec<T>,
        length: usize,
        mut operate: impl FnMut(T, T) -> T,
    ) -> Result<Vec<T>> {
        let steps = Steps::new(self);
        steps.complete(steps.recursive_halving(values, length, &mut operate))
    }

    /// Combines blocks: `values` has a block for each rank, and rank i gets the combination of all blocks i in `block`
    /// (`MPI_Reduce_scatter_block`, MPI-4.1 §6.10.1). Collective.
    ///
    /// # Errors
    /// `values` is not as long as all blocks; the operation does not exist for the type; a rank is lost; time ran out.
    #[track_caller]
    pub fn reduce_scatter<T: Combine>(
        &self,
        operation: Operation,
        values: &[T],
        block: &mut [T],
    ) -> Result<()> {
        element::check::<T>(operation)?;
        let length = block.len();
        let (me, size) = (self.rank(), self.size());
        let expected = values.len();
        blocks::check("the blocks of a reduce_scatter", size, length, expected)?;
        let signature =
            Signature::new(const { Name::new("reduce_scatter") }, Location::caller()).operation(operation);
        let _entered = self.enter(signature.of::<T>(length))?;
        let _call = self.collective(Location::caller(), "reduce_scatter", || order::of_all(length));
        let of = |rank: Rank| rank as usize * length..(rank as usize + 1) * length;
        let mut operate = |left, right| T::combine(operation, left, right);
        if let Some(room) = self.gather_small(values) {
            let fold = |all: &mut [T]| fold(all, expected, of(me).start, block, &mut operate);
            self.hand_out(room?, expected * size as usize, fold);
            return Ok(());
        }
        block.copy_from_slice(&self.recursive_halving(values.to_vec(), length, operate)?);
        Ok(())
    }
}
