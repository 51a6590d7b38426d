//! What functions of the C library read of memory that is communicated: texts, whose length is not known, and bytes
//! that are written to a file. Such a read is a load like others; a text of which only the length at most is known is
//! stored likewise.

use super::access::of_bytes;
use super::{Followed, Machine};
use crate::tables::Tables;
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};

/// Which arguments of a function are texts that it reads: those, or what a format says, which is the argument of that
/// number.
enum Texts {
    Arguments(&'static [usize]),
    Format(usize),
}

/// `operator<<` for a stream and a text.
const SHOWS_TEXT: &str = "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PK";

fn texts_of(name: &str) -> Option<Texts> {
    Some(match name {
        "printf" => Texts::Format(0),
        "fprintf" | "sprintf" => Texts::Format(1),
        "snprintf" => Texts::Format(2),
        "puts" | "fputs" | "perror" | "strlen" | "atoi" | "atol" | "atoll" | "atof" | "strtol"
        | "strtoul" | "strtoll" | "strtoull" | "__isoc23_strtol" | "__isoc23_strtoul" => {
            Texts::Arguments(&[0])
        }
        "strcmp" | "strncmp" => Texts::Arguments(&[0, 1]),
        _ if name.starts_with(SHOWS_TEXT) => Texts::Arguments(&[1]),
        _ => return None,
    })
}

impl Machine<'_> {
    /// Leaves the loads of communicated memory that a function does.
    pub(super) fn reads(&mut self, name: &str, values: &[Value], place: PlaceId) -> Followed<()> {
        match (name, values) {
            ("fwrite", [from, size, count, _]) => {
                let bytes = self.count(size, place)?.saturating_mul(self.count(count, place)?);
                return self.read_all(from, bytes, place);
            }
            ("write", [_, from, bytes]) => {
                let bytes = self.count(bytes, place)?;
                return self.read_all(from, bytes, place);
            }
            _ => {}
        }
        match texts_of(name) {
            Some(Texts::Arguments(all)) => {
                for value in all.iter().filter_map(|at| values.get(*at)) {
                    self.reads_text(value, place)?;
                }
            }
            Some(Texts::Format(at)) => {
                let Some(format) = values.get(at) else {
                    return Ok(());
                };
                let format = self.text(format, place)?;
                for (index, value) in values.iter().skip(at + 1).enumerate() {
                    if format.as_ref().is_none_or(|format| is_text(format, index)) {
                        self.reads_text(value, place)?;
                    }
                }
            }
            None => {}
        }
        Ok(())
    }

    /// A text is written that is not known, of an unknown length: its first byte, and others may be.
    pub(super) fn writes_unknown_text(&mut self, to: &Value, most: u64, place: PlaceId) -> Followed<()> {
        let Value::Known(address) = *to else {
            return Err(self.lost(place, "a text is written at a place that is not known"));
        };
        let Some((object, at)) = self.tables.at(address) else {
            return Err(self.lost(place, "a text is written at a place that is not known"));
        };
        let room = u64::try_from(at)
            .ok()
            .and_then(|at| self.tables.size(object).checked_sub(at));
        let size = room.unwrap_or(0).min(most);
        if size == 0 {
            return Ok(());
        }
        let (object, _, span) = self.spot(to, size, place)?;
        let other = self.unknown(place, "a text that is written");
        if self.reached(to, size, true, place)?.is_some() || !self.knowledge.is_shared(span) {
            return self.fill(to, &other, size, place);
        }
        for (index, (from, to)) in self.pieces_of(span).into_iter().enumerate() {
            if index == 1 {
                self.inexact(place, "it is not known how far a text is written");
            }
            let piece = Value::Known(Tables::address(object, from as i64));
            self.store(&piece, &other, &of_bytes(to - from), place)?;
        }
        Ok(())
    }

    /// A text of a length that is not known: its first byte is read, and others may be.
    pub(super) fn reads_text(&mut self, address: &Value, place: PlaceId) -> Followed<()> {
        let at = match address {
            Value::Known(address) => self.tables.at(*address).map(|(object, at)| (object, Some(at))),
            Value::Within(object, _) => Some((*object, None)),
            Value::Dynamic(expression) => {
                let known = self.tables.at(expression.linear().0 as u64);
                known.map(|(object, _)| (object, None))
            }
            _ => None,
        };
        let Some((object, at)) = at else {
            return Ok(());
        };
        let room = u64::try_from(at.unwrap_or(0)).ok();
        let room = room.and_then(|at| self.tables.size(object).checked_sub(at));
        let Some(room) = room.filter(|room| *room > 0) else {
            return Ok(());
        };
        if at.is_some() {
            return self.read_pieces(address, room, false, place);
        }
        self.inexact(place, "a text at a place that is not known is read");
        let register = u32::MAX - 1;
        self.load(address, &Type::Integer(8), register, place).map(|_| ())
    }

    fn read_all(&mut self, address: &Value, size: u64, place: PlaceId) -> Followed<()> {
        match address {
            Value::Known(_) if size > 0 => self.read_pieces(address, size, true, place),
            _ => Ok(()),
        }
    }

    /// Loads pieces of communicated memory as they are taken apart; `all` of them for sure, or only the first.
    fn read_pieces(&mut self, address: &Value, size: u64, all: bool, place: PlaceId) -> Followed<()> {
        if self.reached(address, size, false, place)?.is_some() {
            return self
                .load(address, &of_bytes(size), u32::MAX - 1, place)
                .map(|_| ());
        }
        let (object, _, span) = self.spot(address, size, place)?;
        if !self.knowledge.is_shared(span) {
            return Ok(());
        }
        for (index, (from, to)) in self.pieces_of(span).into_iter().enumerate() {
            if index == 1 && !all {
                self.inexact(place, "it is not known how far a text is read");
            }
            let piece = Value::Known(Tables::address(object, from as i64));
            self.load(&piece, &of_bytes(to - from), u32::MAX - 1 - index as u32, place)?;
        }
        Ok(())
    }
}

/// Whether the argument of a number is a text, by the format before it.
fn is_text(format: &[u8], number: usize) -> bool {
    let mut at = 0;
    let mut index = 0;
    while let Some(percent) = format
        .get(at..)
        .and_then(|rest| rest.iter().position(|byte| *byte == b'%'))
    {
        at += percent + 1;
        while let Some(byte) = format.get(at) {
            at += 1;
            match byte {
                b'%' => break,
                // A width or a precision that is an argument.
                b'*' => index += 1,
                byte if byte.is_ascii_alphabetic() && !b"hlqjztL".contains(byte) => {
                    if index == number {
                        return *byte == b's';
                    }
                    index += 1;
                    break;
                }
                _ => {}
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_text;

    #[test]
    fn texts_are_what_the_format_says() {
        let format = b"%d of %5ld: %s, 100%% of %.*s at %p\n";
        let texts: Vec<usize> = (0..8).filter(|number| is_text(format, *number)).collect();
        assert_eq!(texts, [2, 4]);
    }
}
