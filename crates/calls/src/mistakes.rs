//! Arguments that the standard does not allow in the calls on windows (MPI-4.1 §12.2, §12.3, §12.5), as far as the
//! calling process alone can tell.
//!
//! Promise: what is told here is an error, whatever the library makes of it. Not looked at: types of one kind and size
//! by several names, handles that stand for something else, counts and displacements, which the detector sees.

use crate::arguments::{OfMpi, Standing, Window};
use crate::datatype::{Datatype, Elements, Kind, UNKNOWN};
use crate::meaning::Meaning;
use crate::operation::Operation;
use crate::signature::Role;
use crate::window::Making;
use farside_events::{AccumulateOp, BasicType, CallKind, Fault, Mistake, OperationKind, WindowFlavor};
use std::sync::Arc;

/// No object of a program lies below.
const FIRST_PAGE: u64 = 4096;
/// Where datatypes stand in a communication call.
const TYPES: [Role; 3] = [Role::OriginType, Role::ResultType, Role::TargetType];

/// What is wrong with a call of this meaning, if the standard does not allow one of its arguments; of an operation,
/// what can be told before it is read ([`Operation::of`]).
pub fn mistake<A: OfMpi>(meaning: Meaning, call: &A) -> Option<Mistake> {
    match meaning {
        // There, the argument is where the handle is.
        Meaning::OnWindow(CallKind::Free) => None,
        Meaning::Operation(_) | Meaning::OnWindow(_) if call.has_no_window() => {
            given(call, Role::Window, Fault::NoObject)
        }
        Meaning::Operation(_) => of_types(call),
        Meaning::OnWindow(kind) => of_call_on_window(kind, call),
        Meaning::Window(flavor) => of_making(flavor, call),
        _ => None,
    }
}

/// Likewise of an operation that was read.
pub fn mistake_of<A: OfMpi>(operation: &Operation<A::Window>, call: &A) -> Option<Mistake> {
    if operation.target.is_none()
        && let Some(mistake) = of_target(call, &operation.window)
    {
        return Some(mistake);
    }
    let fault = match operation.operator {
        Some(AccumulateOp::Other) => Some(Fault::NotPredefined),
        Some(AccumulateOp::NoOp) if operation.result.is_none() => Some(Fault::NothingFetched),
        _ => None,
    };
    if let Some(fault) = fault {
        return given(call, Role::Operator, fault);
    }
    operation.target?;
    let buffers = [Role::OriginBuffer, Role::ResultBuffer, Role::CompareBuffer];
    for (role, elements) in buffers.into_iter().zip(operation.buffers()) {
        let (start, bytes) = elements.map_or((0, 0), Elements::span);
        if bytes > 0 && start < FIRST_PAGE {
            return given(call, role, Fault::NoMemory { bytes });
        }
    }
    of_single(call, operation)
        .or_else(|| of_accumulate(call, operation))
        .or_else(|| unlike_types(call, operation))
        .or_else(|| too_small(call, operation))
}

/// A compare-and-swap or a fetch-and-op, which have one predefined datatype (§12.3.4).
fn of_single<A: OfMpi>(call: &A, operation: &Operation<A::Window>) -> Option<Mistake> {
    if call.signature().has(Role::TargetCount) {
        return None;
    }
    let datatype = &operation.result.as_ref()?.datatype;
    let kinds = datatype.kinds();
    if !kinds.iter().all(|kind| kind.is_known()) {
        return None;
    }
    if operation.kind == OperationKind::CompareAndSwap && kinds.iter().any(|kind| kind.is_floating()) {
        return given(call, Role::ResultType, Fault::NotComparable);
    }
    let is_one = kinds.iter().all(|kind| u64::from(kind.size()) == datatype.size());
    (!is_one).then(|| given(call, Role::ResultType, Fault::Derived))?
}

/// Both datatypes of an accumulate are of one basic type each, and the operator is one of it (§12.3.4).
fn of_accumulate<A: OfMpi>(call: &A, operation: &Operation<A::Window>) -> Option<Mistake> {
    let operator = operation.operator?;
    let sides = [
        (
            Role::OriginType,
            operation.origin.as_ref().map(|side| &side.datatype),
        ),
        (
            Role::ResultType,
            operation.result.as_ref().map(|side| &side.datatype),
        ),
        (Role::TargetType, Some(&operation.target_type)),
    ];
    for (role, datatype) in sides {
        let Some(datatype) = datatype.filter(|_| call.signature().has(role)) else {
            continue;
        };
        // Of types that only their numbers tell, the kind is not known.
        let kinds = datatype.kinds();
        if !kinds.iter().all(|kind| kind.is_named()) {
            return None;
        }
        if kinds.windows(2).any(|two| two[0].is_unlike(two[1])) {
            return given(call, role, Fault::MixedTypes);
        }
        let alone = datatype.size() == 1;
        if !kinds.iter().all(|kind| kind.takes(operator, alone)) {
            return given(call, Role::Operator, Fault::NotForType);
        }
    }
    None
}

/// Both sides have basic types of which one is real and the other is not, or of other sizes (§12.3.1, §12.3.4). Not
/// told: types of the same size and kind by other names; bytes and characters, by which many move what they have.
fn unlike_types<A: OfMpi>(call: &A, operation: &Operation<A::Window>) -> Option<Mistake> {
    if !call.signature().has(Role::TargetCount) || operation.target_count == 0 {
        return None;
    }
    let there = only_kind(&operation.target_type)?;
    let sides = [&operation.origin, &operation.result];
    let mut here = sides.into_iter().flatten().filter(|side| side.moves());
    let is_unlike = |side: &Elements| only_kind(&side.datatype).is_some_and(|here| here.is_unlike(there));
    here.any(is_unlike)
        .then(|| given(call, Role::TargetType, Fault::UnlikeTypes))?
}

/// The kind of the one basic type that a datatype is made of, if it is a number.
fn only_kind(datatype: &Datatype) -> Option<Kind> {
    match (datatype.kinds(), datatype.map().basics.len()) {
        ([kind], 1) if kind.is_number() => Some(*kind),
        _ => None,
    }
}

/// The datatypes of an operation are committed ones.
fn of_types<A: OfMpi>(call: &A) -> Option<Mistake> {
    let signature = call.signature();
    // With MPI_NO_OP, nothing is read at the origin, whatever the arguments say (§12.3.5).
    let is_ignored = |role| {
        let fetches = signature.has(Role::ResultType) && signature.has(Role::Operator);
        role == Role::OriginType && fetches && call.operator() == AccumulateOp::NoOp
    };
    let mut roles = TYPES
        .into_iter()
        .filter(|role| signature.has(*role) && !is_ignored(*role));
    roles.find_map(|role| {
        let fault = match call.standing(role) {
            Standing::Usable => return None,
            Standing::Null => Fault::NoObject,
            Standing::NotCommitted => Fault::NotCommitted,
        };
        given(call, role, fault)
    })
}

/// More is moved than there is room for (§12.3.1, with §3.2.4).
fn too_small<A: OfMpi>(call: &A, operation: &Operation<A::Window>) -> Option<Mistake> {
    // A compare-and-swap and a fetch-and-op have one type and one element.
    if !call.signature().has(Role::TargetCount) {
        return None;
    }
    let there = Elements {
        address: 0,
        count: operation.target_count,
        datatype: Arc::clone(&operation.target_type),
    };
    let there = bytes(&there)?;
    if let Some(origin) = &operation.origin {
        let (moved, room) = (bytes(origin)?, there);
        if moved > room {
            return given(call, Role::TargetCount, Fault::TooSmall { moved, room });
        }
    }
    let result = operation.result.as_ref()?;
    let (moved, room) = (there, bytes(result)?);
    (moved > room).then(|| given(call, Role::ResultCount, Fault::TooSmall { moved, room }))?
}

/// Bytes of data; `None` if that is not known.
fn bytes(elements: &Elements) -> Option<u64> {
    let is_known = |basic: &BasicType| &*basic.name != UNKNOWN;
    let map = elements.datatype.map();
    let all = map.basics.iter().all(is_known) && elements.count >= 0;
    all.then(|| elements.number().saturating_mul(elements.datatype.size()))
}

/// The target is `MPI_PROC_NULL`, or a process of the window.
fn of_target<A: OfMpi>(call: &A, window: &A::Window) -> Option<Mistake> {
    let number = call.int(Role::TargetRank);
    let is_there = number == call.numbers().proc_null || window.peer(number).is_some();
    (!is_there && call.is_given(Role::TargetRank)).then(|| Mistake::Target {
        number,
        processes: window.processes(),
    })
}

fn of_call_on_window<A: OfMpi>(kind: CallKind, call: &A) -> Option<Mistake> {
    let numbers = call.numbers();
    let signature = call.signature();
    // Of an unlock, its lock says it.
    if signature.has(Role::TargetRank)
        && kind != CallKind::Unlock
        && let Some(window) = call.window()
        && let Some(mistake) = of_target(call, &window)
    {
        return Some(mistake);
    }
    if signature.has(Role::LockType) {
        let lock = call.int(Role::LockType);
        if ![numbers.lock_exclusive, numbers.lock_shared].contains(&lock) {
            return given(call, Role::LockType, Fault::NoLock(lock));
        }
    }
    if signature.has(Role::Assertion) {
        let allowed = match kind {
            CallKind::Fence => {
                numbers.mode_nostore | numbers.mode_noput | numbers.mode_noprecede | numbers.mode_nosucceed
            }
            CallKind::Post => numbers.mode_nocheck | numbers.mode_nostore | numbers.mode_noput,
            CallKind::Start | CallKind::Lock | CallKind::LockAll => numbers.mode_nocheck,
            _ => return None,
        };
        let assertions = call.int(Role::Assertion);
        if assertions & !allowed != 0 {
            return given(call, Role::Assertion, Fault::NoAssertion(assertions));
        }
    }
    None
}

fn of_making<A: OfMpi>(flavor: WindowFlavor, call: &A) -> Option<Mistake> {
    if !call.signature().has(Role::Size) {
        return None;
    }
    let Making { base, size, unit, .. } = Making::of(flavor, call);
    let signed = size.cast_signed();
    if signed < 0 {
        return given(call, Role::Size, Fault::Negative(signed));
    }
    if unit <= 0 {
        return given(call, Role::Unit, Fault::NotPositive(unit));
    }
    if flavor == WindowFlavor::Create && size > 0 && base < FIRST_PAGE && call.is_given(Role::Size) {
        return given(call, Role::Base, Fault::NoMemory { bytes: size });
    }
    None
}

/// The mistake, if the program gives this argument the value that it has.
fn given<A: OfMpi>(call: &A, role: Role, fault: Fault) -> Option<Mistake> {
    let parameter = call.signature().parameter(role)?;
    call.is_given(role).then(|| Mistake::Argument {
        argument: parameter.name.into(),
        fault,
    })
}
