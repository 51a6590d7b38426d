//! A call of MPI in Fortran's binding becomes one of C's: arguments are references, the status comes last.

use crate::caller::Caller;
use crate::flow::Flow;
use crate::fortran::{Argument, Kind, Procedure};
use crate::handles::Attributes;
use crate::mpi::{self, Library};
use crate::value::Scalar;
use farside_calls::abi::Numbers;
use farside_calls::mpi as calls;

/// `MPI_WIN_BASE` in the constants of `mpif.h`.
const WIN_BASE: i32 = 0x6600_0001;

/// A procedure of the Fortran binding.
pub(crate) fn call(
    caller: &mut Caller<'_>,
    library: &mut Library,
    procedure: &Procedure,
    a: &[Scalar],
) -> Flow {
    let (count, numbers) = (procedure.arguments().len(), library.numbers());
    let mut hidden = a.iter().skip(count + usize::from(procedure.is_subroutine()));
    let mut values = Vec::with_capacity(count + 2);
    let mut texts = Vec::new();
    // What Fortran does not pass: argc and argv.
    let dropped = procedure.procedure().signature().dropped();
    values.resize(dropped, Scalar::default());
    for (argument, value) in procedure.arguments().iter().zip(a) {
        let length = (argument.kind() == Kind::String).then(|| hidden.next()).flatten();
        values.push(match length {
            Some(length) if argument.is_address() && !argument.is_array() => {
                let text = Text::of(caller, *value, *length);
                texts.push(text);
                Scalar::known(text.given)
            }
            _ => by_value(caller, numbers, argument, *value, length),
        });
    }
    let flow = mpi::call(caller, library, (procedure.procedure(), false), &values);
    if let Flow::Return(_) | Flow::Poll(_) = flow
        && procedure.is_subroutine()
    {
        texts.iter().for_each(|text| text.fill(caller));
        indices_from_one(caller, numbers, procedure, a);
        value_of_attribute(caller, procedure, a);
        if let Some(status) = a.get(count).filter(|status| status.bits != 0) {
            caller.put_int(status.bits, 0);
        }
    }
    flow
}

/// What the C binding is given for an argument: the value of what Fortran passes by reference, if C passes it by value.
fn by_value(
    caller: &mut Caller<'_>,
    numbers: &Numbers,
    argument: &Argument,
    address: Scalar,
    length: Option<&Scalar>,
) -> Scalar {
    match special_place(caller, address.bits).as_deref() {
        Some("farside_bottom_") => return Scalar::default(),
        Some("farside_in_place_") => return Scalar::known(numbers.in_place),
        Some("farside_status_ignore_" | "farside_statuses_ignore_") => {
            return Scalar::known(numbers.status_ignore);
        }
        _ => {}
    }
    if argument.is_address() {
        return address;
    }
    match argument.kind() {
        Kind::Integer | Kind::Logical | Kind::Handle(_) => caller.memory(address.bits).load(address.bits, 4),
        Kind::Address | Kind::Double => caller.memory(address.bits).load(address.bits, 8),
        Kind::String => {
            let length = length.map_or(0, |length| length.bits.min(1 << 16));
            let text = caller.memory(address.bits).bytes(address.bits, length);
            let end = text.iter().rposition(|byte| *byte != b' ').map_or(0, |at| at + 1);
            let memory = caller.process_mut().memory_mut();
            let copy = memory.allocate(length + 1, "");
            memory.write(copy, &text[..end]);
            Scalar::known(copy)
        }
        Kind::Choice | Kind::Pointer | Kind::Status | Kind::Procedure => address,
    }
}

/// A text variable that a procedure gives a value, and where the C binding puts that.
#[derive(Clone, Copy, Debug)]
struct Text {
    variable: u64,
    length: u64,
    given: u64,
}

impl Text {
    /// What stands there until the C binding gives a text; no text of MPI begins so.
    const NOTHING: u8 = u8::MAX;
    /// No text of MPI is longer (`MPI_MAX_LIBRARY_VERSION_STRING` is the most).
    const LONGEST: u64 = 1 << 13;

    fn of(caller: &mut Caller<'_>, variable: Scalar, length: Scalar) -> Self {
        let length = length.bits.min(1 << 16);
        let given = caller.allocate(length.max(Self::LONGEST) + 1, "");
        caller.memory_mut(given).write(given, &[Self::NOTHING, 0]);
        Self {
            variable: variable.bits,
            length,
            given,
        }
    }

    /// What was given goes to the variable, cut or filled with blanks.
    fn fill(self, caller: &mut Caller<'_>) {
        let mut text = caller.memory(self.given).string(self.given);
        if text.first() != Some(&Self::NOTHING) {
            text.resize(self.length as usize, b' ');
            caller.memory_mut(self.variable).write(self.variable, &text);
        }
        caller.process_mut().memory_mut().free(self.given);
    }
}

/// The common block that stands for a special argument, if the address is that of one.
fn special_place(caller: &Caller<'_>, address: u64) -> Option<String> {
    let (base, object) = caller.process().memory().object(address)?;
    (base == address && object.name.starts_with("farside_")).then(|| object.name.clone())
}

/// Fortran gets the value of a predefined attribute, where C gets a pointer to it (MPI-4.1 §19.3.7); the base of a
/// window is the value itself.
fn value_of_attribute(caller: &mut Caller<'_>, procedure: &Procedure, a: &[Scalar]) {
    use calls::Procedure::{Comm_get_attr, Type_get_attr, Win_get_attr};
    let (Comm_get_attr | Type_get_attr | Win_get_attr, [_, key, value, flag, ..]) =
        (procedure.procedure(), a)
    else {
        return;
    };
    let key = caller.int_at(key.bits);
    if caller.int_at(flag.bits) != 0 && Attributes::is_predefined(key) && key != WIN_BASE {
        let at = caller.long_at(value.bits);
        let known = caller.memory(at).load(at, 8);
        caller.put(value.bits, 8, known);
    }
}

/// Fortran counts the requests of an array from one (MPI-4.1 §3.7.5).
fn indices_from_one(caller: &mut Caller<'_>, numbers: &Numbers, procedure: &Procedure, a: &[Scalar]) {
    let raise = |caller: &mut Caller<'_>, at: u64| {
        let index = caller.int_at(at);
        if index != numbers.undefined {
            caller.put_int(at, index + 1);
        }
    };
    match (procedure.procedure(), a) {
        (calls::Procedure::Waitany | calls::Procedure::Testany, [_, _, index, ..]) => {
            raise(caller, index.bits)
        }
        (calls::Procedure::Waitsome | calls::Procedure::Testsome, [_, _, count, indices, ..]) => {
            for index in 0..caller.int_at(count.bits).clamp(0, 1 << 16) as u64 {
                raise(caller, indices.bits + 4 * index);
            }
        }
        _ => {}
    }
}
