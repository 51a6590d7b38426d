//! Functions of the C library that read and write texts which are known.

use super::{Followed, Machine};
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};
use std::cmp::Ordering;

/// Longer texts are not read.
const LONGEST: u64 = 4096;

impl Machine<'_> {
    /// What a function gives of texts; nothing if it is none of these, or if a text is not known.
    pub(super) fn of_texts(
        &mut self,
        name: &str,
        values: &[Value],
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        let number = |number: i64| Some(Value::Known(number as u64));
        match (name, values) {
            ("strlen", [text]) => Ok(self.text(text, place)?.and_then(|text| number(text.len() as i64))),
            ("strcmp" | "strncmp", [left, right, most @ ..]) => {
                let most = match most {
                    [] => usize::MAX,
                    [most, ..] => usize::try_from(self.count(most, place)?).unwrap_or(usize::MAX),
                };
                let (Some(mut left), Some(mut right)) = (self.text(left, place)?, self.text(right, place)?)
                else {
                    return Ok(None);
                };
                left.truncate(most);
                right.truncate(most);
                let order = match left.cmp(&right) {
                    Ordering::Less => u64::from(u32::MAX),
                    Ordering::Equal => 0,
                    Ordering::Greater => 1,
                };
                Ok(Some(Value::Known(order)))
            }
            ("atoi", [text]) => {
                let read = self.text(text, place)?.and_then(|text| whole(&text, 10));
                Ok(read.map(|(value, _)| Value::Known(u64::from(value as u32))))
            }
            ("atol" | "atoll", [text]) => {
                let read = self.text(text, place)?.and_then(|text| whole(&text, 10));
                Ok(read.and_then(|(value, _)| number(value)))
            }
            (
                "strtol" | "strtoll" | "strtoul" | "strtoull" | "__isoc23_strtol" | "__isoc23_strtoul",
                [text, end, base],
            ) => {
                let Value::Known(base @ (0 | 10)) = *base else {
                    return Ok(None);
                };
                let read = self.text(text, place)?.and_then(|text| whole(&text, base));
                let Some((value, length)) = read else {
                    return Ok(None);
                };
                if *end != Value::Known(0) {
                    let rest = self.moved(text, length, place)?;
                    self.store(end, &rest, &Type::Pointer, place)?;
                }
                Ok(number(value))
            }
            _ => Ok(None),
        }
    }

    /// Whether a function that copies texts was followed; it gives where it wrote.
    pub(super) fn writes_texts(&mut self, name: &str, values: &[Value], place: PlaceId) -> Followed<bool> {
        let (to, from) = match (name, values) {
            ("strcpy" | "strcat", [to, from]) | ("strncpy" | "strncat", [to, from, _]) => (to, from),
            _ => return Ok(false),
        };
        let most = match values.get(2) {
            Some(most) => self.count(most, place)?,
            None => u64::MAX,
        };
        let text = self.text(from, place)?;
        let before = match name {
            "strcat" | "strncat" => self.text(to, place)?.map(|before| before.len() as u64),
            _ => Some(0),
        };
        let (Some(text), Some(start)) = (text, before) else {
            if self.knowledge.is_changed() {
                return Err(self.lost(place, "a text that is not known"));
            }
            for text in [Some(from), Some(to).filter(|_| before.is_none())]
                .into_iter()
                .flatten()
            {
                self.reads_text(text, place)?;
            }
            self.writes_unknown_text(to, most, place)?;
            return Ok(true);
        };
        let length = (text.len() as u64).min(most);
        let there = self.moved(to, start, place)?;
        self.copy(&there, from, length, place)?;
        let zeros = match name {
            "strncpy" => most - length,
            _ => 1,
        };
        let end = self.moved(&there, length, place)?;
        self.fill(&end, &Value::Known(0), zeros, place)?;
        Ok(true)
    }

    /// The bytes of a text before its end, if all are known.
    pub(super) fn text(&mut self, address: &Value, place: PlaceId) -> Followed<Option<Vec<u8>>> {
        let Value::Known(start) = *address else {
            return Ok(None);
        };
        let mut text = Vec::new();
        for at in 0..LONGEST {
            let from = Value::Known(start.wrapping_add(at));
            let byte = match self.known_only_here(&from, place) {
                Some(byte) => byte,
                None => self.load(&from, &Type::Integer(8), u32::MAX, place)?,
            };
            match byte {
                Value::Known(0) => return Ok(Some(text)),
                Value::Known(byte) => text.push(byte as u8),
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// What a byte of communicated memory holds, if only this process writes it; nothing is left for the calculus to
    /// load. `None` if the byte is private.
    fn known_only_here(&mut self, from: &Value, place: PlaceId) -> Option<Value> {
        let (object, Some(start), span) = self.spot(from, 1, place).ok()? else {
            return None;
        };
        if !self.knowledge.is_shared(span) {
            return None;
        }
        if self.knowledge.is_exposed(span) {
            return Some(self.unknown(place, "what others write"));
        }
        let value = self.held_there(object, start, &Type::Integer(8), place);
        if !matches!(value, Value::Known(_)) {
            // The next attempt tells apart what is stored there.
            self.knowledge.follow(span);
        }
        Some(value)
    }
}

/// The whole number at the beginning of a text, and the bytes up to its end: 0 and none if there is no number. Nothing
/// where it is not read here: beyond the largest, and in base 8 or 16.
fn whole(text: &[u8], base: u64) -> Option<(i64, u64)> {
    let spaces = text
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace() || **byte == 0x0b)
        .count();
    let rest = &text[spaces..];
    let sign = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
    let digits = rest[sign..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if digits == 0 {
        return Some((0, 0));
    }
    if base == 0 && rest[sign] == b'0' && rest.len() > sign + 1 {
        return None;
    }
    let number = std::str::from_utf8(&rest[..sign + digits]).ok()?;
    Some((number.parse().ok()?, (spaces + sign + digits) as u64))
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn a_number_is_what_a_text_begins_with() {
        assert_eq!(whole(b" 42x", 10), Some((42, 3)));
        assert_eq!(whole(b"-7", 10), Some((-7, 2)));
        assert_eq!(whole(b"x7", 10), Some((0, 0)));
        assert_eq!(whole(b"-", 10), Some((0, 0)));
        assert_eq!(whole(b"0x10", 0), None);
        assert_eq!(whole(b"0", 0), Some((0, 1)));
        assert_eq!(whole(b"99999999999999999999", 10), None);
    }
}
