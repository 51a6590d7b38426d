//! flang's runtime library, as far as it touches memory of the program or decides where control goes.
//!
//! What is not named here and does input or output succeeds. Any other function that only gives a value gives one that
//! is not computed, or is from outside if it asks for the time or depends on such values; all others are told as not
//! followed.

use super::descriptor::Descriptor;
use super::{
    arrays, command, derived, location, number, pointer, product, reduction, shift, statement, system,
    temporary, text,
};
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::reach::Cause;
use crate::value::{Scalar, derived as symbol};

/// More objects are not begun.
const MOST_OBJECTS: u64 = 1 << 16;

/// A function of the runtime, by its name without `_FortranA`.
pub(crate) fn runtime(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Flow {
    let at = |index: usize| a.get(index).copied().unwrap_or_default();
    match name {
        "ProgramStart" | "ProgramEndStatement" => NOTHING,
        "Exit" | "Abort" => {
            let status = (name == "Exit").then(|| at(0).signed32());
            match status {
                Some(0) => caller.stop(Cause::Call("exit".into(), status)),
                _ => caller.give_up(&name.to_lowercase(), status),
            }
            caller.process_mut().finish();
            Flow::Ended
        }
        "StopStatement" | "StopStatementText" | "FailImageStatement" => {
            let error = at(if name == "StopStatement" { 1 } else { 2 });
            let (word, status) = match name {
                "FailImageStatement" => ("fail image", None),
                "StopStatement" if error.bits & 1 == 1 => ("error stop", Some(at(0).signed32())),
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
            initialize(caller, at(0).bits);
            NOTHING
        }
        "AllocatableAllocateSource" | "PointerAllocateSource" => {
            let descriptor = Descriptor::at(caller, at(0).bits);
            allocate_elements(caller, at(0).bits, descriptor);
            let value = Descriptor::at(caller, at(1).bits);
            Descriptor::at(caller, at(0).bits).take_values(caller, &value, "allocate");
            separate(caller, at(0).bits);
            NOTHING
        }
        "AllocatableDeallocate"
        | "AllocatableDeallocatePolymorphic"
        | "PointerDeallocate"
        | "PointerDeallocatePolymorphic" => {
            let ended = Descriptor::at(caller, at(0).bits);
            let of = ended.derived(caller, at(0).bits);
            let flow = derived::end(caller, &ended, of);
            // What a final procedure is given is there as long as it runs.
            if matches!(flow, Flow::Return(_)) {
                derived::release(caller, &ended, of);
                caller.release("deallocate", ended.base());
            }
            caller.put_long(at(0).bits, 0);
            flow
        }
        "AllocatableInitDerivedForAllocate" | "AllocatableInitDerived" | "PointerNullifyDerived" => {
            let attribute = if name.starts_with("Pointer") { 1 } else { 2 };
            let element = derived::size(caller, at(1).bits);
            let shape = [element, at(2).bits & 15, 42, attribute];
            Descriptor::establish(caller, at(0).bits, shape, at(1).bits);
            NOTHING
        }
        "AllocatableApplyMold" | "PointerApplyMold" => {
            let mold = Descriptor::at(caller, at(1).bits);
            let of = mold.derived(caller, at(1).bits);
            let attribute = if name.starts_with("Pointer") { 1 } else { 2 };
            let shape = [mold.element(), at(2).bits & 15, mold.code(), attribute];
            Descriptor::establish(caller, at(0).bits, shape, of);
            NOTHING
        }
        "Initialize" => {
            initialize(caller, at(0).bits);
            NOTHING
        }
        "Destroy" | "Finalize" => {
            let ended = Descriptor::at(caller, at(0).bits);
            let of = ended.derived(caller, at(0).bits);
            let flow = derived::end(caller, &ended, of);
            if name == "Destroy" && matches!(flow, Flow::Return(_)) {
                derived::release(caller, &ended, of);
            }
            flow
        }
        "DestroyWithoutFinalization" => {
            let ended = Descriptor::at(caller, at(0).bits);
            let of = ended.derived(caller, at(0).bits);
            derived::release(caller, &ended, of);
            NOTHING
        }
        // What `MPI_F_sync_reg` leads to: it only keeps the compiler from moving code (MPI-4.1 §19.1.16).
        "MpiSyncReg" => NOTHING,
        "PointerNullifyIntrinsic" | "AllocatableInitIntrinsicForAllocate" => {
            caller.put_long(at(0).bits, 0);
            NOTHING
        }
        "Size" => Flow::Return(Scalar::known(Descriptor::at(caller, at(0).bits).count())),
        "SizeDim" => {
            let descriptor = Descriptor::at(caller, at(0).bits);
            let dimension = (at(1).bits as u32 as usize).wrapping_sub(1);
            let extent = descriptor.extent(dimension).unwrap_or(0);
            Flow::Return(Scalar::known(extent))
        }
        "LboundDim" => {
            let dimension = (at(1).bits as u32 as usize).wrapping_sub(1);
            let bounds = Descriptor::at(caller, at(0).bits).bounds();
            let lower = bounds.get(dimension).map_or(1, |(lower, _)| *lower);
            Flow::Return(Scalar::known(lower as u64))
        }
        "Lbound" | "Ubound" | "Shape" if at(2).is_known() && matches!(at(2).bits, 1 | 2 | 4 | 8) => {
            let size = at(2).bits;
            let bounds = Descriptor::at(caller, at(1).bits).bounds();
            for (nth, (lower, extent)) in (0..).zip(bounds) {
                let value = match name {
                    "Lbound" => lower,
                    "Ubound" => lower + extent as i64 - 1,
                    _ => extent as i64,
                };
                caller.put(at(0).bits + size * nth, size, Scalar::known(value as u64));
            }
            NOTHING
        }
        _ => {
            if let Some(rest) = name.strip_prefix("io") {
                return statement::call(caller, rest, a);
            }
            if let Some(size) = name.strip_prefix("MpiSizeof") {
                return size_of_number(caller, size, a);
            }
            let known = command::call(caller, name, a)
                .or_else(|| system::call(caller, name, a))
                .or_else(|| pointer::call(caller, name, a))
                .or_else(|| temporary::call(caller, name, a))
                .or_else(|| text::call(caller, name, a))
                .or_else(|| arrays::call(caller, name, a))
                .or_else(|| shift::call(caller, name, a))
                .or_else(|| product::call(caller, name, a))
                .or_else(|| location::call(caller, name, a))
                .or_else(|| reduction::call(caller, name, a))
                .or_else(|| number::call(name, a));
            known.unwrap_or_else(|| match gives_a_value(name) {
                true if asks_for_time(name) => Flow::Return(caller.outside_value(name)),
                true => Flow::Return(match symbol(name, a) {
                    0 => Scalar::uncomputed(),
                    symbol => Scalar { bits: 0, symbol },
                }),
                false => caller.unknown_call(&format!("{name} of Fortran's runtime")),
            })
        }
    }
}

/// `MPI_Sizeof(x, size, ierror)`, by the type of `x`: `Real8` (MPI-4.1 §19.1.9).
fn size_of_number(caller: &mut Caller<'_>, kind: &str, a: &[Scalar]) -> Flow {
    let bytes = kind.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    let results = [bytes.parse().unwrap_or(0), 0];
    for (at, value) in a.iter().skip(1).zip(results).filter(|(at, _)| at.bits != 0) {
        caller.put_int(at.bits, value);
    }
    NOTHING
}

/// Whether a function of the runtime only gives a value, and leaves memory of the program and control as they are.
fn gives_a_value(name: &str) -> bool {
    const WITH_EFFECTS: [&str; 63] = [
        "AllDim",
        "Allocatable",
        "AnyDim",
        "Assign",
        "BesselJn",
        "BesselYn",
        "CharacterConcatenate",
        "CharacterMax",
        "CharacterMin",
        "CharacterPad",
        "Chdir",
        "Copy",
        "CountDim",
        "Cpp",
        "Cshift",
        "Ctime",
        "Date",
        "Eoshift",
        "Etime",
        "Execute",
        "FDate",
        "Fdate",
        "Findloc",
        "Flush",
        "Get",
        "IAllDim",
        "IAnyDim",
        "IParityDim",
        "Index",
        "Init",
        "Lbound",
        "LenTrim",
        "Matmul",
        "MaxvalCharacter",
        "MaxvalDim",
        "Maxloc",
        "MinvalCharacter",
        "MinvalDim",
        "Minloc",
        "MoveAlloc",
        "Norm2Dim",
        "Pack",
        "ParityDim",
        "Pointer",
        "Pop",
        "ProductDim",
        "Push",
        "Ragged",
        "Random",
        "Reduce",
        "Rename",
        "Repeat",
        "Reshape",
        "Scan",
        "Shape",
        "Signal",
        "Spread",
        "SumDim",
        "Transfer",
        "Transpose",
        "Ubound",
        "Unpack",
        "Verify",
    ];
    !WITH_EFFECTS.iter().any(|begin| name.starts_with(begin))
}

/// Whether a function of the runtime says what time it is, or how the system counts it.
fn asks_for_time(name: &str) -> bool {
    ["CpuTime", "SystemClock", "Time"]
        .iter()
        .any(|begin| name.starts_with(begin))
}

/// All elements of a derived type have the values of its start.
fn initialize(caller: &mut Caller<'_>, at: u64) {
    let objects = Descriptor::at(caller, at);
    let of = objects.derived(caller, at);
    if of != 0 && objects.base() != 0 {
        for nth in 0..objects.count().min(MOST_OBJECTS) {
            derived::begin(caller, objects.address(nth), of, 0);
        }
    }
}

/// All elements of a derived type, which were copied byte by byte, get allocatable components of their own.
fn separate(caller: &mut Caller<'_>, at: u64) {
    let objects = Descriptor::at(caller, at);
    let of = objects.derived(caller, at);
    if of != 0 && objects.base() != 0 {
        for nth in 0..objects.count().min(MOST_OBJECTS) {
            derived::separate(caller, objects.address(nth), of, 0);
        }
    }
}

/// `to = from`: an allocatable variable takes the shape of what is assigned (Fortran 2018 §10.2.1.3).
fn assign(caller: &mut Caller<'_>, name: &str, to: u64, from: u64) -> Flow {
    let value = Descriptor::at(caller, from);
    if name == "AssignPolymorphic" {
        take_type(caller, to, (&value, value.derived(caller, from)));
    }
    let mut target = Descriptor::at(caller, to);
    if target.take_shape(&value, name == "AssignExplicitLengthCharacter") {
        allocate_elements(caller, to, target);
        target = Descriptor::at(caller, to);
    }
    target.take_values(caller, &value, "assignment");
    separate(caller, to);
    NOTHING
}

/// A polymorphic variable takes the dynamic type of what is assigned; what it holds of another one is no more.
fn take_type(caller: &mut Caller<'_>, to: u64, (value, of): (&Descriptor, u64)) {
    let target = Descriptor::at(caller, to);
    if target.is_allocatable() && target.derived(caller, to) != of {
        caller.process_mut().memory_mut().free(target.base());
        let rank = target.extents().len() as u64;
        let shape = [value.element(), rank, value.code(), 2];
        Descriptor::establish(caller, to, shape, of);
    }
}

/// A temporary copy of a section that is not contiguous.
fn copy_in(caller: &mut Caller<'_>, temporary: u64, variable: u64) -> Flow {
    let value = Descriptor::at(caller, variable);
    allocate_elements(caller, temporary, value.clone());
    let copy = Descriptor::at(caller, temporary);
    copy.take_values(caller, &value, "copy-in");
    NOTHING
}

/// The temporary copy goes back into the section, if there is one to go to, and is no more: whoever still uses it loses
/// it.
fn copy_out(caller: &mut Caller<'_>, variable: u64, temporary: u64) -> Flow {
    let copy = Descriptor::at(caller, temporary);
    if variable != 0 {
        let target = Descriptor::at(caller, variable);
        target.take_values(caller, &copy, "copy-out");
    }
    caller.release("free", copy.base());
    NOTHING
}

fn allocate_elements(caller: &mut Caller<'_>, at: u64, descriptor: Descriptor) {
    let size = descriptor.size().min(1 << 40);
    let base = caller.allocate(size, "allocate");
    descriptor.packed(base).put(caller, at);
}
