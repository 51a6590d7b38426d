//! What is not needed is left out.

use crate::sketch::Sketch;

/// Leaves groups of items out, as long as `holds`; no group of what is given back can be left out.
pub(crate) fn shrink(mut sketch: Sketch, holds: &dyn Fn(&Sketch) -> bool) -> Sketch {
    'again: loop {
        for gone in sketch.removable() {
            let smaller = sketch.without(&|group| group == gone);
            if holds(&smaller) {
                sketch = smaller;
                continue 'again;
            }
        }
        return sketch;
    }
}
