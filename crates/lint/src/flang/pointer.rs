//! Pointers and dynamic types: what is associated, with what, and of which type it is (Fortran 2018, 10.2.2, 16.9.16,
//! 16.9.76, 16.9.165).
//!
//! Source: `flang/runtime/pointer.cpp` and `derived-api.cpp` of LLVM 19.

use super::derived;
use super::descriptor::Descriptor;
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::value::Scalar;

/// A function over pointers or types, by its name without `_FortranA`; `None` if it is none.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default().bits;
    let (pointer, other) = (at(0), at(1));
    let holds = match name {
        "PointerAssociate" => {
            associate(caller, pointer, other);
            return Some(NOTHING);
        }
        "PointerAssociateScalar" => {
            caller.put_long(pointer, other);
            return Some(NOTHING);
        }
        "PointerAssociateLowerBounds" => {
            let bounds = bounds(caller, at(2));
            associate(caller, pointer, other);
            let target = Descriptor::at(caller, pointer);
            target.with_lower_bounds(&bounds).put(caller, pointer);
            return Some(NOTHING);
        }
        "PointerAssociateRemapping" => {
            let bounds = bounds(caller, at(2));
            let target = Descriptor::at(caller, other);
            let of = target.derived(caller, other);
            let pairs = bounds.chunks_exact(2).map(|pair| (pair[0], pair[1]));
            let remapped = target.remapped(pairs);
            let shape = [
                remapped.element(),
                remapped.extents().len() as u64,
                remapped.code(),
                1,
            ];
            Descriptor::establish(caller, pointer, shape, of);
            remapped.put(caller, pointer);
            return Some(NOTHING);
        }
        "PointerIsAssociated" => caller.long_at(pointer) != 0,
        "PointerIsAssociatedWith" if other == 0 => caller.long_at(pointer) != 0,
        "PointerIsAssociatedWith" => {
            Descriptor::at(caller, pointer).is_same_place(&Descriptor::at(caller, other))
        }
        "ClassIs" => {
            let object = Descriptor::at(caller, pointer).derived(caller, pointer);
            derived::extends(caller, object, other)
        }
        "SameTypeAs" | "ExtendsTypeOf" => {
            let [(one, of), (mold, like)] = [pointer, other].map(|at| {
                let object = Descriptor::at(caller, at);
                let of = object.derived(caller, at);
                (object, of)
            });
            match (of, like, name) {
                (0, 0, _) => one.code() == mold.code() && one.element() == mold.element(),
                (_, _, "SameTypeAs") => of == like,
                _ => like == 0 || derived::extends(caller, of, like),
            }
        }
        _ => return None,
    };
    Some(Flow::Return(Scalar::known(u64::from(holds))))
}

/// `pointer => target`
fn associate(caller: &mut Caller<'_>, pointer: u64, target: u64) {
    Descriptor::copy(caller, target, pointer);
    Descriptor::become_pointer(caller, pointer);
}

/// The integers of an array of bounds.
fn bounds(caller: &Caller<'_>, at: u64) -> Vec<i64> {
    let array = Descriptor::at(caller, at);
    let size = array.element().clamp(1, 8);
    (0..array.count().min(30))
        .map(|nth| {
            let at = array.address(nth);
            crate::value::signed(caller.memory(at).load(at, size).bits, 8 * size as u32)
        })
        .collect()
}
