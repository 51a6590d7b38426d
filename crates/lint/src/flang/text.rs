//! Characters: what flang's runtime does with texts of which every byte is known.
//!
//! Source: Fortran 2018, 10.1.5.5.1 and 16.9; `flang/Runtime/character.h`. The result of a text that is partly unknown
//! is unknown, and so is its length; that of a text that was not computed is not computed. Characters are bytes: kinds
//! 2 and 4 are not known here.

use super::descriptor::Descriptor;
use super::intrinsic::intrinsic;
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::value::{Scalar, UNCOMPUTED, source};
use farside_events::AccessKind;
use std::cmp::Ordering;

/// A longer text is not looked at.
const LONGEST: u64 = 1 << 20;

/// A function over texts, by its name without `_FortranA`; `None` if it is none.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default();
    let texts = match name {
        "CharacterCompareScalar1" => [(at(0), at(2)), (at(1), at(3))],
        "CharacterCompareScalar" => [at(0), at(1)].map(|text| place_of(caller, text.bits)),
        "LenTrim1" => [(at(0), at(1)), Default::default()],
        _ => [(at(0), at(1)), (at(2), at(3))],
    };
    let value = match name {
        "CharacterCompareScalar1" | "CharacterCompareScalar" => {
            let texts = texts.map(|(text, length)| known(caller, name, text, length));
            compared(caller, texts)
        }
        "LenTrim1" => known(caller, name, at(0), at(1)).map(|text| trimmed(&text).len() as u64),
        "Index1" | "Scan1" | "Verify1" => {
            let text = known(caller, name, at(0), at(1));
            let other = known(caller, name, at(2), at(3));
            text.zip(other).and_then(|(text, other)| {
                let back = at(4).is_known().then_some(at(4).bits & 1 == 1)?;
                // Whether all of it are digits, say.
                if name == "Verify1" && other.contains(&b'0') {
                    caller.converts(&text);
                }
                Some(place(name, &text, &other, back))
            })
        }
        "Trim" | "Adjustl" | "Adjustr" => return Some(change(caller, name, at(0).bits, at(1).bits, 1)),
        "Repeat" => {
            let count = match at(2).is_known() {
                true => at(2).bits,
                false => u64::MAX,
            };
            return Some(change(caller, name, at(0).bits, at(1).bits, count));
        }
        _ => return None,
    };
    Some(Flow::Return(match value {
        Some(value) => Scalar::known(value),
        None if is_uncomputed(caller, &texts) => Scalar::uncomputed(),
        None => caller.outside_value(name),
    }))
}

/// Whether texts, or where and how long they are, were not computed.
pub(super) fn is_uncomputed(caller: &Caller<'_>, texts: &[(Scalar, Scalar)]) -> bool {
    texts.iter().any(|(at, length)| {
        let size = length.bits.min(LONGEST);
        at.is_uncomputed() || length.is_uncomputed() || caller.memory(at.bits).is_forgotten(at.bits, size)
    })
}

/// A text of the program, if all of its bytes, where it is and how long it is are known.
pub(super) fn known(caller: &mut Caller<'_>, name: &str, at: Scalar, length: Scalar) -> Option<Vec<u8>> {
    let size = length.bits;
    if !at.is_known() || !length.is_known() || size > LONGEST || at.bits == 0 && size > 0 {
        return None;
    }
    caller.library_access(&intrinsic(name), AccessKind::Load, at.bits, size);
    caller.memory(at.bits).known_bytes(at.bits, size)
}

/// Where the text is that a descriptor stands for, and how long.
fn place_of(caller: &Caller<'_>, descriptor: u64) -> (Scalar, Scalar) {
    let word = |at: u64| caller.memory(at).load(at, 8);
    (word(descriptor), word(descriptor + 8))
}

/// A text without the blanks at its end.
pub(super) fn trimmed(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| *byte != b' ').map_or(0, |at| at + 1);
    &text[..end]
}

/// Fills a text variable with a known text, as an access of the program.
pub(super) fn fill(caller: &mut Caller<'_>, name: &str, (at, size): (u64, u64), mut text: Vec<u8>) {
    text.resize(size.min(LONGEST) as usize, b' ');
    caller.library_access(&intrinsic(name), AccessKind::Store, at, size);
    caller.memory_mut(at).write(at, &text);
}

/// The order of two known texts, of which the shorter one is filled with blanks: negative, 0 or positive.
fn compared(caller: &mut Caller<'_>, texts: [Option<Vec<u8>>; 2]) -> Option<u64> {
    let [Some(one), Some(other)] = texts else {
        return None;
    };
    let (one, other) = (trimmed(&one), trimmed(&other));
    caller.compared(one, other);
    Some(u64::from(order(one, other) as i32 as u32))
}

fn order(one: &[u8], other: &[u8]) -> Ordering {
    let byte = |text: &[u8], at: usize| text.get(at).copied().unwrap_or(b' ');
    (0..one.len().max(other.len()))
        .map(|at| byte(one, at).cmp(&byte(other, at)))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Where something is in a text, counted from 1; 0 if it is not there.
fn place(name: &str, text: &[u8], other: &[u8], back: bool) -> u64 {
    let found = |mut places: Box<dyn DoubleEndedIterator<Item = usize> + '_>| match back {
        true => places.next_back(),
        false => places.next(),
    };
    let place = match name {
        "Index1" => {
            let last = (text.len() + 1).saturating_sub(other.len());
            found(Box::new((0..last).filter(|at| text[*at..].starts_with(other))))
        }
        _ => {
            let wanted = name == "Scan1";
            found(Box::new(
                (0..text.len()).filter(move |at| other.contains(&text[*at]) == wanted),
            ))
        }
    };
    place.map_or(0, |place| place as u64 + 1)
}

/// What `trim`, `adjustl`, `adjustr` and `repeat` make of a text.
fn changed(name: &str, text: &[u8], count: u64) -> Vec<u8> {
    let padding = |length: usize| vec![b' '; text.len() - length];
    match name {
        "Trim" => trimmed(text).to_vec(),
        "Adjustl" => {
            let begin = text.iter().take_while(|byte| **byte == b' ').count();
            [&text[begin..], &padding(text.len() - begin)].concat()
        }
        "Adjustr" => {
            let kept = trimmed(text);
            [&padding(kept.len()), kept].concat()
        }
        _ => text.repeat(count as usize),
    }
}

/// Makes a new text, or array of texts, of another one. The descriptor of the result is that of an allocatable text.
fn change(caller: &mut Caller<'_>, name: &str, result: u64, from: u64, count: u64) -> Flow {
    let value = Descriptor::at(caller, from);
    let length = caller.memory(from).load(from + 8, 8);
    let runs: Vec<u64> = (0..value.count().min(LONGEST))
        .map(|nth| value.address(nth))
        .collect();
    let long = length.bits.saturating_mul(count).saturating_mul(value.count()) > LONGEST;
    let texts: Option<Vec<Vec<u8>>> = match long {
        true => None,
        false => runs
            .iter()
            .map(|at| {
                Some(changed(
                    name,
                    &known(caller, name, Scalar::known(*at), length)?,
                    count,
                ))
            })
            .collect(),
    };
    match texts {
        Some(texts) => {
            let element = texts.first().map_or(0, |text| text.len() as u64);
            let made = value.with_element(element);
            let base = caller.allocate(made.size(), name);
            made.packed(base).put(caller, result);
            caller.memory_mut(base).write(base, &texts.concat());
        }
        // A sample as long as the text itself.
        None => {
            let texts: Vec<_> = runs.iter().map(|at| (Scalar::known(*at), length)).collect();
            let is_computed = !is_uncomputed(caller, &texts);
            let made = value.with_element(length.bits.min(LONGEST));
            let (base, size) = (caller.allocate(made.size(), name), made.size());
            made.packed(base).put(caller, result);
            match is_computed {
                true => caller.come_from_outside(base, size, 1),
                false => caller.memory_mut(base).forget(base, size),
            }
            if !matches!(name, "Adjustl" | "Adjustr") {
                let symbol = match is_computed {
                    true => source((name, caller.place(), caller.rank())),
                    false => UNCOMPUTED,
                };
                let bits = length.bits.min(LONGEST);
                caller.put(result + 8, 8, Scalar { bits, symbol });
            }
        }
    }
    NOTHING
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared_as_if_filled_with_blanks() {
        assert_eq!(order(b"ab", b"ab"), Ordering::Equal);
        assert_eq!(order(b"ab", b"ab!"), Ordering::Less);
        // A tab is less than the blank that fills the shorter text.
        assert_eq!(order(b"ab", b"ab\t"), Ordering::Greater);
        assert_eq!(order(b"", b"-n"), Ordering::Less);
    }

    #[test]
    fn places_count_from_one() {
        for (name, other, places) in [
            ("Index1", "ab", [2, 5]),
            ("Index1", "", [1, 7]),
            ("Index1", "abcdefgh", [0, 0]),
            ("Scan1", "bx", [1, 6]),
            ("Scan1", "z", [0, 0]),
            ("Verify1", "xa", [3, 6]),
            ("Verify1", "xab", [0, 0]),
        ] {
            let found = [false, true].map(|back| place(name, b"xabxab", other.as_bytes(), back));
            assert_eq!(found, places, "{name} {other}");
        }
    }

    #[test]
    fn blanks_go_to_the_end_or_to_the_begin_or_away() {
        assert_eq!(changed("Trim", b" a b  ", 1), b" a b");
        assert_eq!(changed("Adjustl", b"  ab ", 1), b"ab   ");
        assert_eq!(changed("Adjustr", b" ab  ", 1), b"   ab");
        assert_eq!(changed("Repeat", b"ab", 3), b"ababab");
        assert_eq!(changed("Repeat", b"ab", 0), b"");
    }
}
