//! Derived types, as flang describes them to its runtime: how objects begin, are copied, and end.
//!
//! Source: `flang/module/__fortran_type_info.f90` of LLVM 19 says how a description lies in memory; Fortran 2018, 7.5.6
//! and 10.2.1.3, what is done.
//!
//! Promise: components have the values of their type at the start, allocatable components are copied with what they
//! hold, and final procedures run, those of the object before those of its components. Not followed, and told as calls
//! that are not followed: types with length parameters, final procedures of whole arrays.

use super::descriptor::Descriptor;
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::layout::function_at;
use crate::value::Value;

/// Where a description has its parts.
const SIZE: u64 = 88;
const COMPONENTS: u64 = 232;
const SPECIALS: u64 = 360;
/// Whether its first component is the type that it extends.
const HAS_PARENT: u64 = 428;
/// Whether no object of the type needs to be finalized.
const NO_FINAL: u64 = 431;

/// Where a component has its parts, and how long it is.
const GENRE: u64 = 24;
const CATEGORY: u64 = 25;
const KIND: u64 = 26;
const COMPONENT_RANK: u64 = 27;
const OFFSET: u64 = 32;
const LENGTH: u64 = 48;
const TYPE: u64 = 56;
const BOUNDS: u64 = 160;
const INITIAL: u64 = 248;
const COMPONENT: u64 = 256;

/// What a component is.
const DATA: u64 = 1;
const POINTER: u64 = 2;
const ALLOCATABLE: u64 = 3;

/// Categories of types.
const COMPLEX: u64 = 2;
const CHARACTER: u64 = 3;
const DERIVED: u64 = 5;

/// Final procedures among special ones: elemental, for arrays of any rank, scalar; more are those of a rank.
const ELEMENTAL_FINAL: u64 = 7;
const SCALAR_FINAL: u64 = 9;
const SPECIAL: u64 = 16;

/// More elements or components are not looked at.
const MOST: u64 = 1 << 12;
/// Types within types.
const DEEPEST: u32 = 16;

/// A component of a type.
#[derive(Clone, Copy, Debug)]
struct Component {
    genre: u64,
    category: u64,
    kind: u64,
    rank: u64,
    offset: u64,
    /// Bytes of an element.
    element: u64,
    /// Elements of a component that is neither allocatable nor a pointer.
    count: u64,
    /// The description of its type; 0 if that is intrinsic.
    of: u64,
    /// Where its value at the start lies; 0 if it has none.
    initial: u64,
}

/// Bytes of an object of a type.
pub(super) fn size(caller: &Caller<'_>, of: u64) -> u64 {
    caller.long_at(of + SIZE)
}

/// Whether a type is another one, or extends it (Fortran 2018, 7.5.7.1).
pub(super) fn extends(caller: &Caller<'_>, mut of: u64, other: u64) -> bool {
    for _ in 0..=DEEPEST {
        if of == 0 || of == other {
            break;
        }
        let has_parent = caller.memory(of).load(of + HAS_PARENT, 1).bits & 1 == 1;
        let list = Descriptor::at(caller, of + COMPONENTS);
        of = if has_parent && list.base() != 0 {
            caller.long_at(list.base() + TYPE)
        } else {
            0
        };
    }
    of != 0 && of == other
}

fn components(caller: &Caller<'_>, of: u64) -> Vec<Component> {
    let list = Descriptor::at(caller, of + COMPONENTS);
    let byte = |at: u64| caller.memory(at).load(at, 1).bits;
    let count = if list.base() == 0 {
        0
    } else {
        list.count().min(MOST)
    };
    let component = |nth: u64| {
        let at = list.base() + COMPONENT * nth;
        let (category, kind, rank) = (byte(at + CATEGORY), byte(at + KIND), byte(at + COMPONENT_RANK));
        let of = caller.long_at(at + TYPE);
        let element = match category {
            DERIVED if of != 0 => size(caller, of),
            COMPLEX => 2 * kind,
            CHARACTER => kind.max(1) * caller.long_at(at + LENGTH),
            _ => kind,
        };
        // Lower and upper bounds, each a genre and a value.
        let bounds = caller.long_at(at + BOUNDS);
        let extent = |nth: u64| {
            let [lower, upper] = [0, 1].map(|side| caller.long_at(bounds + 16 * (2 * nth + side) + 8) as i64);
            (upper - lower + 1).max(0) as u64
        };
        let count = match bounds {
            0 => 1,
            _ => (0..rank).map(extent).product(),
        };
        Component {
            genre: byte(at + GENRE),
            category,
            kind,
            rank,
            offset: caller.long_at(at + OFFSET),
            element,
            count,
            of: if category == DERIVED { of } else { 0 },
            initial: caller.long_at(at + INITIAL),
        }
    };
    (0..count).map(component).collect()
}

impl Component {
    /// The number of its type among descriptors.
    fn code(self) -> u64 {
        match (self.category, self.kind) {
            (0, kind) => 7 + u64::from(kind.max(1).ilog2()),
            (1, 4) => 27,
            (1, _) => 28,
            (COMPLEX, 4) => 34,
            (COMPLEX, _) => 35,
            (CHARACTER, _) => 40,
            (4, 1) => 39,
            (4, kind) => 12 + u64::from(kind.max(1).ilog2()),
            _ => 42,
        }
    }
}

/// An object begins: its components have the values that its type says.
pub(super) fn begin(caller: &mut Caller<'_>, object: u64, of: u64, depth: u32) {
    if depth > DEEPEST {
        return;
    }
    for component in components(caller, of) {
        let at = object + component.offset;
        match component.genre {
            ALLOCATABLE | POINTER => {
                let attribute = if component.genre == POINTER { 1 } else { 2 };
                let shape = [component.element, component.rank, component.code(), attribute];
                Descriptor::establish(caller, at, shape, component.of);
            }
            DATA if component.initial != 0 => {
                let size = (component.count * component.element).min(1 << 26);
                let bytes = caller.memory(component.initial).bytes(component.initial, size);
                caller.memory_mut(at).write(at, &bytes);
            }
            DATA if component.of != 0 => {
                for nth in 0..component.count.min(MOST) {
                    begin(caller, at + nth * component.element, component.of, depth + 1);
                }
            }
            _ => {}
        }
    }
}

/// An object that was copied byte by byte gets allocatable components of its own.
pub(super) fn separate(caller: &mut Caller<'_>, object: u64, of: u64, depth: u32) {
    if depth > DEEPEST {
        return;
    }
    for component in components(caller, of) {
        let at = object + component.offset;
        match component.genre {
            ALLOCATABLE => {
                let held = Descriptor::at(caller, at);
                if held.base() == 0 {
                    continue;
                }
                let base = caller.allocate(held.size().min(1 << 40), "assignment");
                held.clone().packed(base).put(caller, at);
                let own = Descriptor::at(caller, at);
                own.take_values(caller, &held, "assignment");
                if component.of != 0 {
                    for nth in 0..own.count().min(MOST) {
                        separate(caller, own.address(nth), own.derived(caller, at), depth + 1);
                    }
                }
            }
            DATA if component.of != 0 => {
                for nth in 0..component.count.min(MOST) {
                    separate(caller, at + nth * component.element, component.of, depth + 1);
                }
            }
            _ => {}
        }
    }
}

/// What allocatable components of objects hold is no more, whoever still uses it.
pub(super) fn release(caller: &mut Caller<'_>, objects: &Descriptor, of: u64) {
    if objects.base() != 0 && of != 0 {
        for nth in 0..objects.count().min(MOST) {
            release_components(caller, objects.address(nth), of, 0);
        }
    }
}

fn release_components(caller: &mut Caller<'_>, object: u64, of: u64, depth: u32) {
    if depth > DEEPEST {
        return;
    }
    for component in components(caller, of) {
        let at = object + component.offset;
        match component.genre {
            ALLOCATABLE => {
                let held = Descriptor::at(caller, at);
                if held.base() == 0 {
                    continue;
                }
                if component.of != 0 {
                    let of = held.derived(caller, at);
                    for nth in 0..held.count().min(MOST) {
                        release_components(caller, held.address(nth), of, depth + 1);
                    }
                }
                caller.release("deallocate", held.base());
                caller.put_long(at, 0);
            }
            DATA if component.of != 0 => {
                for nth in 0..component.count.min(MOST) {
                    release_components(caller, at + nth * component.element, component.of, depth + 1);
                }
            }
            _ => {}
        }
    }
}

/// Objects of a type end: their final procedures run; what the call returns is not known to matter.
pub(super) fn end(caller: &mut Caller<'_>, objects: &Descriptor, of: u64) -> Flow {
    let mut calls = Some(Vec::new());
    if objects.base() != 0 {
        for nth in 0..objects.count().min(MOST) {
            finals(caller, objects.address(nth), of, &mut calls, 0);
        }
    }
    let Some(calls) = calls else {
        return caller.unknown_call("a final procedure of Fortran");
    };
    if calls.is_empty() {
        return NOTHING;
    }
    // What is entered last runs first; the call is made when the one that was entered first returns.
    for (nth, (function, object)) in calls.into_iter().rev().enumerate() {
        let thread = caller.thread();
        caller.enter_function(thread, function, vec![Value::known(object)], nth > 0);
    }
    Flow::Entered
}

/// The final procedures of an object, in their order, each with what it is given; `None` once one is not known here.
fn finals(caller: &mut Caller<'_>, object: u64, of: u64, calls: &mut Option<Vec<(u32, u64)>>, depth: u32) {
    if of == 0 || caller.memory(of).load(of + NO_FINAL, 1).bits & 1 == 1 {
        return;
    }
    if depth > DEEPEST {
        *calls = None;
        return;
    }
    let specials = Descriptor::at(caller, of + SPECIALS);
    let count = if specials.base() == 0 {
        0
    } else {
        specials.count().min(MOST)
    };
    for nth in 0..count {
        let at = specials.base() + SPECIAL * nth;
        let byte = |at: u64| caller.memory(at).load(at, 1).bits;
        let (which, by_descriptor) = (byte(at), byte(at + 1) & 1 == 1);
        let function = function_at(caller.long_at(at + 8));
        match (which, function) {
            (ELEMENTAL_FINAL | SCALAR_FINAL, Some(function)) if !by_descriptor => {
                if let Some(calls) = calls {
                    calls.push((function, object));
                }
            }
            (ELEMENTAL_FINAL.., _) => *calls = None,
            _ => {}
        }
    }
    for component in components(caller, of) {
        let at = object + component.offset;
        match component.genre {
            DATA if component.of != 0 => {
                for nth in 0..component.count.min(MOST) {
                    finals(
                        caller,
                        at + nth * component.element,
                        component.of,
                        calls,
                        depth + 1,
                    );
                }
            }
            ALLOCATABLE if component.of != 0 => {
                let held = Descriptor::at(caller, at);
                let dynamic = held.derived(caller, at);
                if held.base() != 0 {
                    for nth in 0..held.count().min(MOST) {
                        finals(caller, held.address(nth), dynamic, calls, depth + 1);
                    }
                }
            }
            _ => {}
        }
    }
}
