//! Lists of arguments of functions that take any number of them: `va_list` of x86-64 (System V ABI, §3.5.7).
//!
//! Promise: all arguments are as they were passed, and seem to lie on the stack, none in registers. After one that is
//! not computed, as a long double is, none is known.
//! Limit: a structure that is passed whole, of more than 16 bytes, is its address.

use crate::caller::Caller;
use crate::value::Scalar;

/// Bytes of a list.
pub(super) const LIST: u64 = 24;
/// Where it says how much of the general and of the vector registers is used up, and where the next argument lies in
/// memory.
const GENERAL: u64 = 0;
const VECTOR: u64 = 4;
const NEXT: u64 = 8;
const REGISTERS: u64 = 16;
/// Bytes that are saved of general registers, and of all.
const SAVED: [i32; 2] = [48, 176];
/// Bytes of an argument in memory.
const PLACE: u64 = 8;

/// Begins a list of the arguments of the function that is under way.
pub(super) fn begin(caller: &mut Caller<'_>, list: u64) {
    let arguments = caller.further_arguments();
    // One place more, so that what comes after the last argument is in the list as well.
    let at = caller.allocate(PLACE * (arguments.len() + 1) as u64, "arguments");
    // A long double takes two places, and what comes after it lies elsewhere.
    let mut lost = false;
    for (nth, argument) in arguments.into_iter().enumerate() {
        lost |= argument.is_uncomputed();
        let argument = if lost { Scalar::uncomputed() } else { argument };
        caller.put(at + PLACE * nth as u64, PLACE, argument);
    }
    caller.put_int(list + GENERAL, SAVED[0]);
    caller.put_int(list + VECTOR, SAVED[1]);
    caller.put_long(list + NEXT, at);
    caller.put_long(list + REGISTERS, at);
}

/// The arguments of a list that are yet to be taken.
pub(super) fn rest(caller: &Caller<'_>, list: u64) -> Vec<Scalar> {
    let at = caller.long_at(list + NEXT);
    let memory = caller.memory(at);
    let end = memory.object(at).map_or(at, |(base, object)| base + object.size);
    (at..end)
        .step_by(PLACE as usize)
        .map(|at| memory.load(at, PLACE))
        .collect()
}
