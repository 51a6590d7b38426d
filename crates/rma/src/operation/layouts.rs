//! Put and get of strided and indexed regions, on both sides.

use super::start::{start_get, start_put};
use super::{Target, place};
use crate::epoch::Epoch;
use crate::epoch::kind::Kind;
use crate::layout::runs;
use crate::window::core::watch::Form;
use crate::window::peer::Place;
use crate::{Error, Layout, Plain, Result};

impl<'scope, T: Plain, K: Kind> Epoch<'scope, '_, T, K> {
    /// As [`Epoch::put`], of the elements that a layout names in the buffer, to those that another names from
    /// `displacement` at the target, in their order (`MPI_Put` with derived datatypes, MPI-4.1 §12.3.1).
    ///
    /// # Errors
    /// As for [`Epoch::put`]; the layouts have different numbers of elements; that of the target names one twice; the
    /// buffer is shorter than its layout.
    ///
    /// ```
    /// use farside::Layout;
    /// farside::simulate(2, |world| {
    ///     // A matrix of 3 rows and 4 columns; its last column goes to the first column of the neighbour.
    ///     let mut window = farside::Window::<u32>::allocate(world, 12)?;
    ///     let matrix: Vec<u32> = (0..12).collect();
    ///     let column = Layout::vector(3, 1, 4)?;
    ///     window.fence(|epoch| {
    ///         epoch.put_layout(&matrix, &column.clone().shifted(3), 1 - world.rank(), 0, &column)
    ///     })?;
    ///     assert_eq!(window.local()?, [3, 0, 0, 0, 7, 0, 0, 0, 11, 0, 0, 0]);
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn put_layout(
        &'scope self,
        origin: &'scope [T],
        layout: &Layout,
        target: impl Target<T>,
        displacement: usize,
        target_layout: &Layout,
    ) -> Result<()> {
        let place = place(self, &target)?;
        check::<T>(place, origin.len(), layout, displacement, target_layout)?;
        target_layout.check_written()?;
        for ([from, to], elements) in runs([layout, target_layout]) {
            let origin = &origin[from..from + elements];
            // SAFETY: the origin is borrowed for `'scope`, at the end of which all operations are complete.
            unsafe {
                start_put(
                    self.window,
                    place,
                    origin.as_ptr(),
                    elements,
                    displacement + to,
                    Form::default(),
                )
            }?;
        }
        Ok(())
    }

    /// As [`Epoch::get`], of the elements that a layout names from `displacement` on at the target, to those that
    /// another names in the buffer, in their order (`MPI_Get` with derived datatypes, MPI-4.1 §12.3.2).
    ///
    /// # Errors
    /// As for [`Epoch::put_layout`], with the layout of the buffer as the one that is written.
    ///
    /// ```
    /// use farside::Layout;
    /// farside::simulate(2, |world| {
    ///     let mut window = farside::Window::create(world, (0..10u64).collect())?;
    ///     let mut found = [0; 3];
    ///     let wanted = Layout::indexed(&[(7, 2), (1, 1)])?;
    ///     window.fence(|epoch| epoch.get_layout(&mut found, &Layout::contiguous(3), 0, 0, &wanted))?;
    ///     assert_eq!(found, [7, 8, 1]);
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn get_layout(
        &'scope self,
        origin: &'scope mut [T],
        layout: &Layout,
        target: impl Target<T>,
        displacement: usize,
        target_layout: &Layout,
    ) -> Result<()> {
        let place = place(self, &target)?;
        check::<T>(place, origin.len(), layout, displacement, target_layout)?;
        layout.check_written()?;
        let base = origin.as_mut_ptr();
        for ([to, from], elements) in runs([layout, target_layout]) {
            // SAFETY: within the buffer, by the check above; else as in `get`. No element is named twice.
            unsafe {
                start_get(
                    self.window,
                    place,
                    base.add(to),
                    elements,
                    displacement + from,
                    Form::default(),
                )
            }?;
        }
        Ok(())
    }
}

/// Refuses layouts that do not fit to one another, to the buffer, or to the target: before anything is started.
pub(super) fn check<T: Plain>(
    place: &Place,
    buffer: usize,
    layout: &Layout,
    displacement: usize,
    target_layout: &Layout,
) -> Result<()> {
    if layout.elements() != target_layout.elements() {
        return Err(Error::Length {
            what: "the layout at the target",
            expected: layout.elements(),
            found: target_layout.elements(),
        });
    }
    fits(buffer, layout)?;
    place.bytes::<T>(displacement, target_layout.end()).map(|_| ())
}

/// Refuses a layout that names elements beyond the end of its buffer.
fn fits(buffer: usize, layout: &Layout) -> Result<()> {
    if layout.end() > buffer {
        return Err(Error::OriginTooShort {
            end: layout.end(),
            elements: buffer,
        });
    }
    Ok(())
}

/// Refuses a layout of a result that does not fit to that of the operands, or to its buffer.
pub(super) fn check_result(layout: &Layout, result: usize, result_layout: &Layout) -> Result<()> {
    if layout.elements() != result_layout.elements() {
        return Err(Error::Length {
            what: "the layout of the result of a get_accumulate",
            expected: layout.elements(),
            found: result_layout.elements(),
        });
    }
    result_layout.check_written()?;
    fits(result, result_layout)
}
