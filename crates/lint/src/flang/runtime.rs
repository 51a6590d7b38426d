//! flang's runtime library, as far as it touches memory of the program or decides where control goes.
//!
//! What is not named here and does input or output succeeds; any other function gives an unknown value.

use super::descriptor::Descriptor;
use super::{command, reduction, statement, text};
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::reach::Cause;
use crate::value::Scalar;

/// A function of the runtime, by its name without `_FortranA`.
pub(crate) fn runtime(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Flow {
    let at = |index: usize| a.get(index).copied().unwrap_or_default();
    match name {
        "ProgramStart" | "ProgramEndStatement" => NOTHING,
        "StopStatement" | "StopStatementText" | "FailImageStatement" => {
            let error = at(if name == "StopStatement" { 1 } else { 2 });
            let (word, status) = match name {
                "FailImageStatement" => ("fail image", None),
                _ if error.bits & 1 == 1 => ("error stop", None),
                "StopStatement" => ("stop", Some(at(0).signed32())),
                _ => ("stop", None),
            };
            if error.bits & 1 == 1 || status.is_some_and(|status| status != 0) {
                caller.give_up(word, status);
            } else {
                caller.stop(Cause::Call(word.into(), status));
            }
            caller.process_mut().finish();
            Flow::Ended
        }
        "Assign" | "AssignTemporary" | "AssignPolymorphic" | "AssignExplicitLengthCharacter" => {
            assign(caller, name, at(0).bits, at(1).bits)
        }
        "CopyInAssign" => copy_in(caller, at(0).bits, at(1).bits),
        "CopyOutAssign" => copy_out(caller, at(0).bits, at(1).bits),
        "IsContiguous" => {
            let contiguous = Descriptor::at(caller, at(0).bits).is_contiguous();
            Flow::Return(Scalar::known(u64::from(contiguous)))
        }
        "AllocatableSetBounds" | "PointerSetBounds" => {
            let mut descriptor = Descriptor::at(caller, at(0).bits);
            let (lower, upper) = (at(2).bits as i64, at(3).bits as i64);
            descriptor.set_bounds(at(1).bits as usize, lower, upper);
            let base = descriptor.base();
            descriptor.packed(base).put(caller, at(0).bits);
            NOTHING
        }
        "AllocatableAllocate" | "PointerAllocate" => {
            let descriptor = Descriptor::at(caller, at(0).bits);
            allocate_elements(caller, at(0).bits, descriptor);
            NOTHING
        }
        "AllocatableDeallocate" | "PointerDeallocate" => {
            let base = caller.memory(at(0).bits).load(at(0).bits, 8).bits;
            caller.process_mut().memory_mut().free(base);
            caller.put_long(at(0).bits, 0);
            NOTHING
        }
        "PointerNullifyIntrinsic" | "AllocatableInitIntrinsicForAllocate" => {
            caller.put_long(at(0).bits, 0);
            NOTHING
        }
        "PointerIsAssociated" => {
            let base = caller.memory(at(0).bits).load(at(0).bits, 8).bits;
            Flow::Return(Scalar::known(u64::from(base != 0)))
        }
        "Size" => Flow::Return(Scalar::known(Descriptor::at(caller, at(0).bits).count())),
        "SizeDim" => {
            let descriptor = Descriptor::at(caller, at(0).bits);
            let dimension = (at(1).bits as u32 as usize).wrapping_sub(1);
            let extent = descriptor.extent(dimension).unwrap_or(0);
            Flow::Return(Scalar::known(extent))
        }
        _ => {
            if let Some(rest) = name.strip_prefix("io") {
                return statement::call(caller, rest, a);
            }
            let known = command::call(caller, name, a)
                .or_else(|| text::call(caller, name, a))
                .or_else(|| reduction::call(caller, name, a));
            known.unwrap_or_else(|| Flow::Return(caller.outside_value(name)))
        }
    }
}

/// `to = from`: an allocatable variable takes the shape of what is assigned (Fortran 2018 §10.2.1.3).
fn assign(caller: &mut Caller<'_>, name: &str, to: u64, from: u64) -> Flow {
    let (mut target, value) = (Descriptor::at(caller, to), Descriptor::at(caller, from));
    if target.take_shape(&value, name == "AssignExplicitLengthCharacter") {
        allocate_elements(caller, to, target);
        target = Descriptor::at(caller, to);
    }
    target.take_values(caller, &value, "assignment");
    NOTHING
}

/// A temporary copy of a section that is not contiguous.
fn copy_in(caller: &mut Caller<'_>, temporary: u64, variable: u64) -> Flow {
    let value = Descriptor::at(caller, variable);
    allocate_elements(caller, temporary, value.clone());
    let copy = Descriptor::at(caller, temporary);
    copy.take_values(caller, &value, "copy-in");
    NOTHING
}

/// The temporary copy goes back into the section, if there is one to go to, and is no more.
fn copy_out(caller: &mut Caller<'_>, variable: u64, temporary: u64) -> Flow {
    let copy = Descriptor::at(caller, temporary);
    if variable != 0 {
        let target = Descriptor::at(caller, variable);
        target.take_values(caller, &copy, "copy-out");
    }
    caller.process_mut().memory_mut().free(copy.base());
    NOTHING
}

fn allocate_elements(caller: &mut Caller<'_>, at: u64, descriptor: Descriptor) {
    let size = descriptor.size().min(1 << 40);
    let base = caller.allocate(size, "allocate");
    descriptor.packed(base).put(caller, at);
}
