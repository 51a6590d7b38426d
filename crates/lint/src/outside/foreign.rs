//! Functions that the program calls and whose code was not given: of a library that is not known here, or of a source
//! that was left out.
//!
//! Promise: each is noted, and its result is unknown: what is found only where it has some value is a possible finding.
//! What it might complete or order is not known, so that certainty ends where it is given a window or a request, by
//! itself or in an object. What it loads is not seen; what it may have stored is unknown ([`filled`]).

use super::filled;
use crate::caller::Caller;
use crate::flow::Flow;
use crate::layout::function_at;
use crate::mathematics;
use crate::value::Scalar;
use rustc_hash::FxHashSet as HashSet;
use std::sync::LazyLock;

/// Functions of the C library that are not followed, and need not be: they neither order nor complete anything.
static OF_C: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("c-library.txt").lines();
    lines.filter(|line| !line.starts_with('#')).collect()
});

/// How far an object is searched for handles.
const SEARCHED: u64 = 1 << 12;

/// Calls a function by a name that means nothing here.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, given: &[Scalar]) -> Flow {
    let is_known = is_of_a_known_library(name);
    let leads_to = |found: fn(&Caller<'_>, u64) -> bool| given.iter().any(|value| found(caller, value.bits));
    if !is_known && leads_to(is_or_has_handle) {
        caller.unknown_call(name);
    } else if !is_known || leads_to(is_watched) || leads_to(is_function) {
        caller.foreign_call(name);
    }
    if mathematics::is_left_out(name) {
        return Flow::Return(Scalar::uncomputed());
    }
    let value = caller.outside_value(name);
    if !is_known {
        let given: Vec<u64> = given.iter().map(|value| value.bits).collect();
        filled::forget(caller, name, &given, value);
    }
    Flow::Return(match is_known {
        true => value,
        false => value.of_unseen(name),
    })
}

/// Whether a function belongs to a library of C, of C++, of OpenMP, or of the compiler.
fn is_of_a_known_library(name: &str) -> bool {
    let of_compiler = ["llvm.", "__", "omp_", "_Unwind_"]
        .iter()
        .any(|start| name.starts_with(start));
    of_compiler || OF_C.contains(name) || name.strip_prefix("_Z").is_some_and(is_of_cxx)
}

/// Whether a name in C++, without `_Z`, is of the language's own library or runtime.
fn is_of_cxx(rest: &str) -> bool {
    let rest = rest.strip_prefix('N').unwrap_or(rest);
    let rest = rest.trim_start_matches(['K', 'V', 'R', 'O']);
    // Abbreviations of names in `std`, operators new and delete, virtual tables and their likes, `__gnu_cxx`.
    let known = ["S", "n", "d", "T", "G", "9__gnu_cxx", "10__cxxabiv1", "L"];
    known.iter().any(|start| rest.starts_with(start))
}

/// Whether a value is the handle of a window or request, or the address of an object that holds one.
fn is_or_has_handle(caller: &Caller<'_>, value: u64) -> bool {
    let handles = caller.handles();
    let is_handle = |value: u64| handles.win(value).is_some() || handles.request(value).is_some();
    if is_handle(value) {
        return true;
    }
    let memory = caller.memory(value);
    let Some((base, object)) = memory.object(value) else {
        return false;
    };
    let end = (base + object.size).min(value.saturating_add(SEARCHED));
    let first = value.next_multiple_of(4);
    (first..end.saturating_sub(3))
        .step_by(4)
        .any(|at| is_handle(memory.load(at, 4).bits))
}

/// Whether a value is the address of memory that other processes, or operations that are under way, may access.
fn is_watched(caller: &Caller<'_>, value: u64) -> bool {
    let object = caller.memory(value).object(value);
    object.is_some_and(|(base, object)| caller.is_watched(value, base + object.size - value))
}

/// Whether a value is the address of a function of the program, which may be called.
fn is_function(caller: &Caller<'_>, value: u64) -> bool {
    let function = function_at(value).and_then(|index| caller.module().functions.get(index as usize));
    function.is_some_and(|function| !function.blocks.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_of_no_known_library() {
        for name in [
            "gettimeofday",
            "cbrtf",
            "pthread_self",
            "_ZNSt6vectorIiE4growEv",
            "__errno_location",
        ] {
            assert!(is_of_a_known_library(name), "{name}");
        }
        for name in ["exchange", "cblas_dgemm", "smooth_", "_ZN4mesh4moveEv", "H5Fopen"] {
            assert!(!is_of_a_known_library(name), "{name}");
        }
    }
}
