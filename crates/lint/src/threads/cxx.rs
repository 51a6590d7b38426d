//! Threads and exceptions of C++, as libstdc++ 12 and later and the Itanium ABI have them.

use super::{exclusion, join, start_alone};
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::memory::Memory;
use crate::value::{Scalar, Value};

/// The number of the virtual function `_M_run` of `std::thread::_State`, after two destructors.
const RUN: u64 = 2;
/// What a landing pad is told of the handler; `llvm.eh.typeid.for` gives the same number for a type that catches.
pub(crate) const CAUGHT: u64 = 1;
const NOT_CAUGHT: u64 = 2;

/// A function of the C++ runtime; `None` if it is none that is known here.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default().bits;
    Some(match name {
        // std::thread::_M_start_thread(std::unique_ptr<_State>, void (*)())
        _ if name.starts_with("_ZNSt6thread15_M_start_thread") => {
            let state = caller.long_at(at(1));
            caller.put_long(at(1), 0);
            let function = caller.long_at(caller.long_at(state).wrapping_add(8 * RUN));
            let thread = start_alone(caller, "std::thread", function, Value::known(state))?;
            caller.put_long(at(0), thread as u64);
            NOTHING
        }
        "_ZNSt6thread4joinEv" => {
            let thread = caller.long_at(at(0)) as usize;
            let flow = join(caller, "std::thread::join", thread);
            if let Flow::Return(_) = flow {
                caller.put_long(at(0), 0);
            }
            flow
        }
        "_ZNSt6thread6detachEv" => {
            caller.put_long(at(0), 0);
            NOTHING
        }
        "_ZNSt6thread20hardware_concurrencyEv" => Flow::Return(Scalar::known(2)),
        // std::condition_variable::wait(std::unique_lock<std::mutex>&), whose first member is the mutex.
        "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE" => {
            let mutex = caller.long_at(at(1));
            exclusion::wait_for_condition(caller, at(0), mutex)
        }
        "_ZNSt18condition_variable10notify_oneEv" | "_ZNSt18condition_variable10notify_allEv" => {
            exclusion::signal_condition(caller, at(0))
        }
        // Futures wait while a word has a value; an atomic load before and after gives the order.
        _ if name.starts_with("_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_until") => {
            let value = caller.memory(at(1)).load(at(1), 4).bits;
            if value == at(2) & 0xffff_ffff && !caller.is_stalled() {
                return Some(Flow::Block);
            }
            Flow::Return(Scalar::known(1))
        }
        "__cxa_allocate_exception" => {
            let memory = caller.process_mut().memory_mut();
            Flow::Return(Scalar::known(memory.allocate(at(0), "exception")))
        }
        "__cxa_throw" => {
            caller.own_mut().throw(at(0), at(1));
            Flow::Thrown
        }
        "__cxa_rethrow" => Flow::Thrown,
        "__dynamic_cast" => {
            let found = cast(caller.process().memory(), at(0), at(2))?;
            Flow::Return(Scalar::known(found))
        }
        "__cxa_begin_catch" | "__cxa_get_exception_ptr" => Flow::Return(Scalar::known(at(0))),
        "__cxa_end_catch" | "__cxa_free_exception" => NOTHING,
        _ if name.starts_with("llvm.eh.typeid.for") => {
            let thrown = caller.own().exception();
            let memory = caller.process().memory();
            let caught = thrown.is_some_and(|(_, thrown)| catches(memory, at(0), thrown, 8));
            Flow::Return(Scalar::known(if caught { CAUGHT } else { NOT_CAUGHT }))
        }
        _ if name.starts_with("llvm.threadlocal.address") => {
            Flow::Return(Scalar::known(exclusion::thread_local(caller, at(0))))
        }
        _ => return None,
    })
}

/// Where the part of this type lies in the whole object that another part of it is at; 0 if it has none (Itanium C++
/// ABI §2.9.7). `None` if the type of the whole object is not known. Which bases are public, and whether there are
/// several of the type, is not asked.
fn cast(memory: &Memory, part: u64, wanted: u64) -> Option<u64> {
    if part == 0 {
        return Some(0);
    }
    let word = |at: u64| memory.load(at, 8).bits;
    let table = word(part);
    let (whole, ty) = (
        part.wrapping_add(word(table.wrapping_sub(16))),
        word(table.wrapping_sub(8)),
    );
    memory.object(ty)?;
    Some(base(memory, whole, (ty, wanted), 8).unwrap_or(0))
}

/// Where the part of the type `wanted` lies in an object of type `ty`.
fn base(memory: &Memory, at: u64, (ty, wanted): (u64, u64), depth: u32) -> Option<u64> {
    if ty == wanted {
        return Some(at);
    }
    let depth = depth.checked_sub(1)?;
    let word = |at: u64| memory.load(at, 8).bits;
    match memory
        .object(word(ty))
        .map_or("", |(_, object)| object.name.as_str())
    {
        "_ZTVN10__cxxabiv120__si_class_type_infoE" => base(memory, at, (word(ty + 16), wanted), depth),
        "_ZTVN10__cxxabiv121__vmi_class_type_infoE" => {
            let bases = memory.load(ty + 20, 4).bits.min(16);
            (0..bases).find_map(|nth| {
                let entry = ty + 24 + 16 * nth;
                let (of, flags) = (word(entry), word(entry + 8) as i64);
                let offset = match flags & 1 {
                    0 => flags >> 8,
                    // Of a virtual base, the table of the object says where it lies.
                    _ => word(word(at).wrapping_add_signed(flags >> 8)) as i64,
                };
                base(memory, at.wrapping_add_signed(offset), (of, wanted), depth)
            })
        }
        _ => None,
    }
}

/// Whether a handler for the type `wanted` takes an exception of type `thrown`: the same, or a base of it
/// (Itanium C++ ABI §2.9.5). Types outside of the module are the standard library's, which have one hierarchy.
fn catches(memory: &Memory, wanted: u64, thrown: u64, depth: u32) -> bool {
    if wanted == 0 || wanted == thrown {
        return true;
    }
    let name = |at: u64| memory.object(at).map_or("", |(_, object)| object.name.as_str());
    let word = |at: u64| memory.load(at, 8).bits;
    if depth == 0 || thrown == 0 {
        return false;
    }
    match name(word(thrown)) {
        "_ZTVN10__cxxabiv120__si_class_type_infoE" => catches(memory, wanted, word(thrown + 16), depth - 1),
        "_ZTVN10__cxxabiv121__vmi_class_type_infoE" => {
            let bases = memory.load(thrown + 20, 4).bits.min(16);
            (0..bases).any(|base| catches(memory, wanted, word(thrown + 24 + 16 * base), depth - 1))
        }
        "" => is_base_in_library(name(wanted), name(thrown)),
        _ => false,
    }
}

/// Whether a class of the standard library is a base of another (C++17 §22.2).
fn is_base_in_library(base: &str, derived: &str) -> bool {
    let logic = [
        "invalid_argument",
        "domain_error",
        "length_error",
        "out_of_range",
        "future_error",
    ];
    let runtime = ["range_error", "overflow_error", "underflow_error", "system_error"];
    let is_one_of = |names: &[&str]| names.iter().any(|name| derived.ends_with(name));
    match base {
        "_ZTISt9exception" => derived.starts_with("_ZTISt"),
        "_ZTISt11logic_error" => is_one_of(&logic),
        "_ZTISt13runtime_error" => is_one_of(&runtime),
        "_ZTISt9bad_alloc" => is_one_of(&["bad_array_new_length"]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_standard_library_are_exceptions() {
        assert!(is_base_in_library("_ZTISt9exception", "_ZTISt13runtime_error"));
        assert!(is_base_in_library("_ZTISt11logic_error", "_ZTISt12out_of_range"));
        assert!(is_base_in_library(
            "_ZTISt9bad_alloc",
            "_ZTISt20bad_array_new_length"
        ));
        assert!(!is_base_in_library(
            "_ZTISt13runtime_error",
            "_ZTISt11logic_error"
        ));
    }
}
