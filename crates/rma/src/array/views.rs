//! Views of the crate `ndarray`, of the own memory.

use super::Array;
use crate::{Error, Plain, Result};
use ndarray::{ArrayView, ArrayViewMut, IntoDimension, Slice};

/// The dimension type of `ndarray` for so many dimensions.
type Dim<const D: usize> = <[usize; D] as IntoDimension>::Dim;

impl<T: Plain, const D: usize> Array<T, D>
where
    [usize; D]: IntoDimension,
{
    /// The own memory, halo and all, to read.
    ///
    /// # Errors
    /// As for [`Array::local`].
    pub fn view(&self) -> Result<ArrayView<'_, T, Dim<D>>> {
        ArrayView::from_shape(self.shape().into_dimension(), self.local()?).map_err(other_shape)
    }

    /// The own memory, halo and all, to read and write.
    ///
    /// # Errors
    /// As for [`Array::local`].
    pub fn view_mut(&mut self) -> Result<ArrayViewMut<'_, T, Dim<D>>> {
        ArrayViewMut::from_shape(self.shape().into_dimension(), self.local_mut()?).map_err(other_shape)
    }

    /// The own elements without the halo, to read.
    ///
    /// # Errors
    /// As for [`Array::local`].
    ///
    /// ```
    /// use farside::array::{Array, Distribution};
    /// farside::simulate(2, |world| {
    ///     let mut field = Array::<f64, 2>::allocate(world, Distribution::new([4, 6]).halo([1, 1]))?;
    ///     field.interior_view_mut()?.fill(2.0);
    ///     field.exchange()?;
    ///     // Half of the elements, and the side of the neighbour in the halo.
    ///     assert_eq!(field.interior_view()?.sum(), 2.0 * 12.0);
    ///     assert_eq!(field.view()?.sum(), 2.0 * 12.0 + 2.0 * 4.0);
    ///     field.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    pub fn interior_view(&self) -> Result<ArrayView<'_, T, Dim<D>>> {
        let mut view = self.view()?;
        view.slice_each_axis_inplace(|axis| Slice::from(self.interior(axis.axis.index())));
        Ok(view)
    }

    /// The own elements without the halo, to read and write.
    ///
    /// # Errors
    /// As for [`Array::local`].
    pub fn interior_view_mut(&mut self) -> Result<ArrayViewMut<'_, T, Dim<D>>> {
        let interior: [_; D] = std::array::from_fn(|dimension| self.interior(dimension));
        let mut view = self.view_mut()?;
        view.slice_each_axis_inplace(|axis| Slice::from(interior[axis.axis.index()].clone()));
        Ok(view)
    }
}

/// The memory always has as many elements as its shape: a bug of this module.
fn other_shape(error: ndarray::ShapeError) -> Error {
    Error::Unsupported {
        what: "a view of an array",
        reason: error.to_string(),
    }
}
