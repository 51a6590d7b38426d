//! The time, random numbers, other programs and the process itself, as flang's runtime gives them (Fortran 2018, 16.9).
//!
//! Source: `flang/Runtime/time-intrinsic.h`, `random.h`, `execute.h` and `extensions.h` of LLVM 19. All of it is from
//! outside, with plausible samples, and touches no memory but the arguments. Not followed: what another program does to
//! files that this one reads.

use super::descriptor::Descriptor;
use super::text;
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::value::{Scalar, source};
use farside_events::AccessKind;

/// Integers of a seed with gfortran; flang has one. Programs are told to ask for the number.
const SEED: i64 = 8;

/// A function that asks the system for something, by its name without `_FortranA`; `None` if it is none.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default().bits;
    match name {
        "DateAndTime" => {
            let word = "date_and_time";
            for (nth, sample) in ["20260101", "120000.000", "+0000"].into_iter().enumerate() {
                let (place, length) = (at(2 * nth), at(2 * nth + 1));
                if place != 0 {
                    text::fill(caller, word, (place, length), sample.into());
                    caller.come_from_outside(place, length, 1);
                }
            }
            give_numbers(caller, word, at(8), &[2026, 1, 1, 0, 12, 0, 0, 0]);
        }
        "RandomInit" | "RandomSeedDefaultPut" => {}
        "RandomNumber" => Descriptor::at(caller, at(0)).come_from_outside(caller, "random_number"),
        "RandomSeed" => {
            for (part, argument) in ["Size", "Put", "Get"].into_iter().zip(a) {
                seed(caller, part, argument.bits);
            }
        }
        "RandomSeedSize" | "RandomSeedPut" | "RandomSeedGet" => {
            seed(caller, &name["RandomSeed".len()..], at(0));
        }
        "ExecuteCommandLine" => {
            let word = "execute_command_line";
            Descriptor::at(caller, at(0)).access(caller, word, AccessKind::Load);
            for status in [at(2), at(3)] {
                give_numbers(caller, word, status, &[0]);
            }
            // A message only of what went wrong: it may stay as it is.
            if at(4) != 0 {
                Descriptor::at(caller, at(4)).come_from_outside(caller, word);
            }
        }
        "Etime" => {
            for times in [at(0), at(1)].into_iter().filter(|times| *times != 0) {
                Descriptor::at(caller, times).come_from_outside(caller, "etime");
            }
        }
        "GetCwd" => {
            Descriptor::at(caller, at(0)).come_from_outside(caller, "getcwd");
            return Some(Flow::Return(caller.outside_value(name)));
        }
        "GetPID" => return Some(Flow::Return(caller.outside_value(name))),
        "Rename" => {
            for path in [at(0), at(1)] {
                Descriptor::at(caller, path).access(caller, "rename", AccessKind::Load);
            }
            give_numbers(caller, "rename", at(2), &[0]);
        }
        _ => return None,
    }
    Some(NOTHING)
}

/// A part of `random_seed`: what it says or gives. The number of integers is known, for it is always the same.
fn seed(caller: &mut Caller<'_>, part: &str, at: u64) {
    if at == 0 {
        return;
    }
    let word = "random_seed";
    let numbers = Descriptor::at(caller, at);
    match part {
        "Size" => {
            let size = numbers.element().clamp(1, 8) as usize;
            numbers.write(caller, word, &SEED.to_le_bytes()[..size]);
        }
        "Put" => numbers.access(caller, word, AccessKind::Load),
        _ => numbers.come_from_outside(caller, word),
    }
}

/// Gives the first elements of an array, if it is there, numbers from outside with these samples.
fn give_numbers(caller: &mut Caller<'_>, name: &str, at: u64, samples: &[i64]) {
    if at == 0 {
        return;
    }
    let numbers = Descriptor::at(caller, at);
    let (size, rank, place) = (numbers.element().clamp(1, 8), caller.rank(), caller.place());
    for (nth, sample) in (0..numbers.count()).zip(samples) {
        let at = numbers.address(nth);
        caller.library_access(name, AccessKind::Store, at, size);
        let symbol = source((name, rank, place, at));
        caller.put(
            at,
            size,
            Scalar {
                bits: sample.cast_unsigned(),
                symbol,
            },
        );
    }
}
