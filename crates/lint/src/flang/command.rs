//! The command line and the environment, as flang's runtime gives them (Fortran 2018, 16.9.51, 16.9.83, 16.9.84).
//!
//! Known are the arguments that the user says; the name of the program and the environment are not.

use super::descriptor::Descriptor;
use super::text;
use crate::caller::Caller;
use crate::flow::Flow;
use crate::value::Scalar;

/// flang's results of `GetCommandArgument` (`flang/Runtime/magic-numbers.h`).
const NO_SUCH_ARGUMENT: i32 = 107;
const EMPTY_ARGUMENT: i32 = 108;
const TOO_SHORT: i32 = -1;

/// A function of the command line, by its name without `_FortranA`; `None` if it is none.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default();
    match name {
        "ArgumentCount" => {
            caller.notes().look_at_input();
            let count = caller.process().arguments().map(<[String]>::len);
            Some(Flow::Return(match count {
                Some(count) => Scalar::known(count as u64),
                None => caller.outside_value(name),
            }))
        }
        "GetCommandArgument" => {
            caller.notes().look_at_input();
            let number = at(0).signed32();
            let words = caller
                .process()
                .arguments()
                .filter(|_| at(0).is_known() && number != 0);
            let word = words.map(|words| words.get((number as usize).wrapping_sub(1)).cloned());
            let status = word.map(|word| argument(caller, name, word, at(1).bits, at(2).bits));
            Some(known_or(caller, name, status, [at(1), at(2), at(3)]))
        }
        "GetCommand" => Some(known_or(caller, name, None, [at(0), at(1), at(2)])),
        "GetEnvVariable" => Some(known_or(caller, name, None, [at(1), at(2), at(4)])),
        _ => None,
    }
}

/// Gives an argument of the program, or that there is none; the status.
fn argument(caller: &mut Caller<'_>, name: &str, word: Option<String>, value: u64, length: u64) -> i32 {
    let text = word.clone().unwrap_or_default();
    if length != 0 {
        let target = Descriptor::at(caller, length);
        let bytes = (text.len() as u64).to_le_bytes();
        let size = target.element().clamp(1, 8) as usize;
        target.write(caller, name, &bytes[..size]);
    }
    let mut status = match (&word, text.is_empty()) {
        (None, _) => NO_SUCH_ARGUMENT,
        (Some(_), true) => EMPTY_ARGUMENT,
        (Some(_), false) => 0,
    };
    if value != 0 {
        let target = Descriptor::at(caller, value);
        if text.len() as u64 > target.element() {
            status = TOO_SHORT;
        }
        text::fill(caller, name, (target.base(), target.element()), text.into_bytes());
    }
    status
}

/// A known status, or an unknown one with unknown results.
fn known_or(caller: &mut Caller<'_>, name: &str, status: Option<i32>, results: [Scalar; 3]) -> Flow {
    let Some(status) = status else {
        for result in results.iter().filter(|result| result.bits != 0) {
            let target = Descriptor::at(caller, result.bits);
            target.come_from_outside(caller, name);
        }
        return Flow::Return(caller.outside_value(name));
    };
    Flow::Return(Scalar::known(u64::from(status as u32)))
}
