//! Values in a text, as list-directed input and namelists read them.
//!
//! Source: Fortran 2018, 13.10 and 13.11. What compilers read in different ways (`;`, infinities, complex numbers,
//! a sign alone, parts of namelist variables) is refused as [`Fault::Unclear`]: nothing is said of it.

mod constant;
mod namelist;

pub(crate) use constant::Kind;
pub(crate) use namelist::Variable;

use constant::constant;
use std::sync::Arc;

/// Why a value was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The text is over.
    End,
    /// What stands there is no value of this kind.
    Bad,
    /// Compilers differ on what stands there, or it is not followed here.
    Unclear,
}

/// How far a statement has read a text, whose records are lines.
#[derive(Clone, Debug)]
pub(crate) struct List {
    text: Arc<[u8]>,
    at: usize,
    /// Whether a value has been read, so that a comma ends it.
    begun: bool,
    /// Whether a `/` ended the values.
    over: bool,
    /// How often the constant is still to be given, and where it begins; `None` is a null value.
    left: u64,
    constant: Option<usize>,
    /// Whether it is a namelist, which may have comments.
    named: bool,
    /// Whether whole records were read.
    lines: bool,
}

impl List {
    /// Reads a text from a place on.
    pub(crate) fn of(text: Arc<[u8]>, at: usize) -> Self {
        Self {
            text,
            at,
            begun: false,
            over: false,
            left: 0,
            constant: None,
            named: false,
            lines: false,
        }
    }

    /// The bytes that the next value gives to a variable; `None` if it is a null value, which leaves it as it is.
    pub(crate) fn next(&mut self, kind: Kind) -> Result<Option<Vec<u8>>, Fault> {
        if self.left == 0 && !self.over {
            self.approach()?;
        }
        if self.over {
            return Ok(None);
        }
        self.left -= 1;
        let Some(start) = self.constant else {
            return Ok(None);
        };
        let (bytes, length) = constant(&self.text[start..], kind, self.named)?;
        self.at = start + length;
        Ok(Some(bytes))
    }

    /// The next record, without its end.
    pub(crate) fn line(&mut self) -> Result<Vec<u8>, Fault> {
        if self.at == self.text.len() {
            return Err(Fault::End);
        }
        let begin = self.at;
        self.at = self.next_record();
        self.lines = true;
        let line = &self.text[begin..self.at];
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        Ok(line.strip_suffix(b"\r").unwrap_or(line).to_vec())
    }

    /// Where the next statement goes on: after the record that was read from, of which there is at least one.
    pub(crate) fn position(&self) -> usize {
        match self.lines {
            true => self.at,
            false => self.next_record(),
        }
    }

    /// Where the record after this one begins.
    fn next_record(&self) -> usize {
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|byte| *byte == b'\n');
        end.map_or(self.text.len(), |end| self.at + end + 1)
    }

    /// Goes to the next constant or null value, or to the `/` that ends all.
    fn approach(&mut self) -> Result<(), Fault> {
        self.skip_separator();
        self.begun = true;
        (self.left, self.constant) = (1, None);
        match self.peek().ok_or(Fault::End)? {
            b',' => {}
            b'/' => self.over = true,
            _ => {
                let rest = &self.text[self.at..];
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                if digits > 0 && rest.get(digits) == Some(&b'*') {
                    self.left = number(&rest[..digits]).ok_or(Fault::Unclear)?;
                    self.at += digits + 1;
                }
                self.constant = self.peek().filter(|byte| !separates(*byte)).map(|_| self.at);
            }
        }
        Ok(())
    }

    /// What ends the value before: blanks, and one comma among them.
    fn skip_separator(&mut self) {
        self.skip_blanks();
        if self.begun && self.peek() == Some(b',') {
            self.at += 1;
            self.skip_blanks();
        }
    }

    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'!' if self.named => self.at = self.next_record(),
                byte if is_blank(byte) => self.at += 1,
                _ => break,
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }
}

/// How often a constant is repeated: not never.
fn number(digits: &[u8]) -> Option<u64> {
    let count: u64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (count > 0).then_some(count)
}

/// A line end is a blank, too.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn separates(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b',' | b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> List {
        List::of(text.as_bytes().into(), 0)
    }

    /// Integers up to the first fault; `None` is a null value.
    fn integers(text: &str, count: usize) -> (Vec<Option<i32>>, Option<Fault>) {
        let mut list = list(text);
        let mut found = Vec::new();
        for _ in 0..count {
            match list.next(Kind::Integer(4)) {
                Ok(bytes) => found.push(bytes.map(|bytes| i32::from_le_bytes(bytes.try_into().unwrap()))),
                Err(fault) => return (found, Some(fault)),
            }
        }
        (found, None)
    }

    #[test]
    fn blanks_commas_and_line_ends_separate_values() {
        let three = (vec![Some(1), Some(-2), Some(3)], None);
        for text in [
            "1 -2 3",
            "1,-2,3",
            " 1 ,\t-2\n3",
            "+1\r\n-2\n\n3 4",
            "1,\n-2\n,3/",
        ] {
            assert_eq!(integers(text, 3), three, "{text:?}");
        }
    }

    #[test]
    fn null_values_leave_variables_as_they_are() {
        assert_eq!(integers(",5", 2), (vec![None, Some(5)], None));
        assert_eq!(integers("1,,3", 3), (vec![Some(1), None, Some(3)], None));
        assert_eq!(integers("1 , , 3", 3), (vec![Some(1), None, Some(3)], None));
        assert_eq!(integers("2* 7", 3), (vec![None, None, Some(7)], None));
        assert_eq!(integers("7 / 8", 3), (vec![Some(7), None, None], None));
        assert_eq!(integers("/", 2), (vec![None, None], None));
    }

    #[test]
    fn constants_may_be_repeated() {
        assert_eq!(integers("3*5", 3), (vec![Some(5); 3], None));
        assert_eq!(integers("2*5,6", 3), (vec![Some(5), Some(5), Some(6)], None));
        assert_eq!(integers("3*5", 4), (vec![Some(5); 3], Some(Fault::End)));
        assert_eq!(integers("0*5", 1), (vec![], Some(Fault::Unclear)));
    }

    #[test]
    fn the_end_is_told_from_what_is_no_value() {
        assert_eq!(integers("", 1), (vec![], Some(Fault::End)));
        assert_eq!(integers("1, \n", 2), (vec![Some(1)], Some(Fault::End)));
        for bad in ["x", "12.5", "1e3", "12abc", "99999999999", "\"5\""] {
            assert_eq!(integers(bad, 1), (vec![], Some(Fault::Bad)), "{bad}");
        }
        for unclear in ["-", "5;6"] {
            assert_eq!(integers(unclear, 1), (vec![], Some(Fault::Unclear)), "{unclear}");
        }
    }

    #[test]
    fn a_statement_ends_where_the_next_record_begins() {
        let mut list = list("1 2 rest\n3\n4");
        assert_eq!(list.position(), 9);
        for _ in 0..3 {
            let _ = list.next(Kind::Integer(4));
        }
        assert_eq!(list.position(), 9);
        list.at = 9;
        assert_eq!(list.line(), Ok(b"3".to_vec()));
        assert_eq!(list.line(), Ok(b"4".to_vec()));
        assert_eq!(list.line(), Err(Fault::End));
    }
}
