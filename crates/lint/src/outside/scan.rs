//! What the formats of `scanf` make of a text (C17, 7.21.6.2).

/// What is stored for a conversion.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stored {
    /// An integer or an address, of so many bytes.
    Integer(u64, u64),
    /// A real number: an object of 4 or 8 bytes.
    Real(f64, u64),
    /// A word and its end.
    Text(Vec<u8>),
    /// Characters without an end.
    Characters(Vec<u8>),
}

/// What came of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scan {
    /// What is stored, one after the other.
    stored: Vec<Stored>,
    /// How many bytes of the text were read.
    read: usize,
    /// How many conversions were made and stored, or -1 if the text ended before the first.
    converted: i32,
    /// Whether the text ended before the format did.
    ended: bool,
}

impl Scan {
    /// What is stored, one after the other.
    pub(super) fn stored(&self) -> &[Stored] {
        &self.stored
    }

    /// How many bytes of the text were read.
    pub(super) fn read(&self) -> usize {
        self.read
    }

    /// What `scanf` returns.
    pub(super) fn converted(&self) -> i32 {
        self.converted
    }

    /// Whether the text ended before the format did.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }
}

struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
}

/// A conversion of a format.
struct Conversion {
    letter: u8,
    suppressed: bool,
    width: Option<usize>,
    /// Bytes of the number.
    size: u64,
    /// For `[`: the characters, and whether they are those that end the word.
    set: (Vec<u8>, bool),
}

/// Reads a text by a format.
pub(super) fn scan(format: &[u8], text: &[u8]) -> Scan {
    let mut scanner = Scanner { text, at: 0 };
    let mut scan = Scan {
        stored: Vec::new(),
        read: 0,
        converted: 0,
        ended: false,
    };
    let mut rest = format;
    let mut any = false;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let matched = match byte {
            b'%' => {
                let conversion = conversion(&mut rest);
                let value = scanner.convert(&conversion);
                any |= value.is_some();
                let stored = !conversion.suppressed && conversion.letter != b'%';
                if let (Some(value), true) = (&value, stored) {
                    scan.stored.push(value.clone());
                    scan.converted += i32::from(conversion.letter != b'n');
                }
                value.is_some()
            }
            byte if byte.is_ascii_whitespace() => {
                scanner.skip_space();
                true
            }
            byte => scanner.literal(byte),
        };
        if !matched {
            scan.ended = scanner.rest().is_empty();
            break;
        }
    }
    if scan.ended && !any {
        scan.converted = -1;
    }
    scan.read = scanner.at;
    scan
}

/// What follows a `%`.
fn conversion(rest: &mut &[u8]) -> Conversion {
    let mut found = Conversion {
        letter: 0,
        suppressed: false,
        width: None,
        size: 4,
        set: (Vec::new(), false),
    };
    let mut long = false;
    while let Some((&byte, after)) = rest.split_first() {
        *rest = after;
        match byte {
            b'*' => found.suppressed = true,
            b'0'..=b'9' => {
                found.width = Some(found.width.unwrap_or(0).saturating_mul(10) + usize::from(byte - b'0'));
            }
            b'l' | b'z' | b'j' | b't' | b'q' | b'L' => long = true,
            b'h' => found.size /= 2,
            b'm' => {}
            letter => {
                found.letter = letter;
                if letter == b'[' {
                    found.set = set(rest);
                }
                break;
            }
        }
    }
    if long || found.letter == b'p' {
        found.size = 8;
    }
    found
}

/// The characters of `[...]`.
fn set(rest: &mut &[u8]) -> (Vec<u8>, bool) {
    let not = rest.first() == Some(&b'^');
    let begin = usize::from(not);
    // A bracket that comes first is one of the characters.
    let end = rest.iter().skip(begin + 1).position(|byte| *byte == b']');
    let end = end.map_or(rest.len(), |end| end + begin + 1);
    let inside = &rest[begin.min(end)..end];
    let mut characters = Vec::new();
    let mut place = 0;
    while place < inside.len() {
        match inside[place..] {
            [first, b'-', last, ..] => {
                characters.extend(first..=last);
                place += 3;
            }
            _ => {
                characters.push(inside[place]);
                place += 1;
            }
        }
    }
    *rest = &rest[(end + 1).min(rest.len())..];
    (characters, not)
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t [u8] {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at += self
            .rest()
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
    }

    fn literal(&mut self, byte: u8) -> bool {
        let matched = self.rest().first() == Some(&byte);
        self.at += usize::from(matched);
        matched
    }

    /// Takes the bytes at the beginning for which something holds.
    fn take(&mut self, most: Option<usize>, mut holds: impl FnMut(u8) -> bool) -> &'t [u8] {
        let rest = self.rest();
        let room = most.unwrap_or(usize::MAX).min(rest.len());
        let length = rest[..room].iter().take_while(|byte| holds(**byte)).count();
        self.at += length;
        &rest[..length]
    }

    fn convert(&mut self, what: &Conversion) -> Option<Stored> {
        if !matches!(what.letter, b'c' | b'[' | b'n' | b'%') {
            self.skip_space();
        }
        match what.letter {
            b'd' | b'u' => self.integer(what, 10),
            b'i' => self.integer(what, 0),
            b'x' | b'X' | b'p' => self.integer(what, 16),
            b'o' => self.integer(what, 8),
            b'e' | b'f' | b'g' | b'a' | b'E' | b'F' | b'G' | b'A' => self.real(what),
            b's' => {
                let word = self.take(what.width, |byte| !byte.is_ascii_whitespace());
                (!word.is_empty()).then(|| Stored::Text(word.to_vec()))
            }
            b'[' => {
                let (characters, not) = &what.set;
                let word = self.take(what.width, |byte| characters.contains(&byte) != *not);
                (!word.is_empty()).then(|| Stored::Text(word.to_vec()))
            }
            b'c' => {
                let width = what.width.unwrap_or(1);
                let word = self.take(Some(width), |_| true);
                (word.len() == width).then(|| Stored::Characters(word.to_vec()))
            }
            b'n' => Some(Stored::Integer(self.at as u64, what.size)),
            b'%' => {
                self.skip_space();
                self.literal(b'%').then(|| Stored::Characters(Vec::new()))
            }
            _ => None,
        }
    }

    /// The longest beginning that is an integer to this base; 0: as C writes it.
    fn integer(&mut self, what: &Conversion, base: u32) -> Option<Stored> {
        let room = self.rest();
        let room = &room[..what.width.unwrap_or(usize::MAX).min(room.len())];
        let sign = usize::from(matches!(room.first(), Some(b'+' | b'-')));
        let hexadecimal = room.get(sign) == Some(&b'0')
            && matches!(room.get(sign + 1), Some(b'x' | b'X'))
            && room.get(sign + 2).is_some_and(u8::is_ascii_hexdigit);
        let (base, begin) = match base {
            0 | 16 if hexadecimal => (16, sign + 2),
            0 if room.get(sign) == Some(&b'0') => (8, sign),
            0 => (10, sign),
            base => (base, sign),
        };
        let digits = room[begin..]
            .iter()
            .take_while(|byte| char::from(**byte).is_digit(base))
            .count();
        if digits == 0 {
            return None;
        }
        let text = std::str::from_utf8(&room[begin..begin + digits]).ok()?;
        let magnitude = u64::from_str_radix(text, base).unwrap_or(u64::MAX);
        self.at += begin + digits;
        let value = match room.first() {
            Some(b'-') => magnitude.wrapping_neg(),
            _ => magnitude,
        };
        Some(Stored::Integer(value, what.size))
    }

    /// The longest beginning that is a real number.
    fn real(&mut self, what: &Conversion) -> Option<Stored> {
        let room = self.rest();
        let room = &room[..what.width.unwrap_or(usize::MAX).min(room.len())];
        let letters = room
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
            .count();
        let (length, value) = (1..=letters).rev().find_map(|length| {
            let text = std::str::from_utf8(&room[..length]).ok()?;
            Some((length, text.parse::<f64>().ok()?))
        })?;
        self.at += length;
        Some(Stored::Real(value, what.size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(format: &str, text: &str) -> (Vec<i64>, i32) {
        let scan = scan(format.as_bytes(), text.as_bytes());
        let numbers = scan.stored.iter().map(|stored| match stored {
            Stored::Integer(value, _) => *value as i64,
            other => panic!("{other:?}"),
        });
        (numbers.collect(), scan.converted)
    }

    #[test]
    fn integers_are_read_as_c_writes_them() {
        assert_eq!(integers("%d %d", " 12\n-7x"), (vec![12, -7], 2));
        assert_eq!(integers("%dx%dx%d", "8x16x4"), (vec![8, 16, 4], 3));
        assert_eq!(integers("%i %i %i", "0x1f 010 9"), (vec![31, 8, 9], 3));
        assert_eq!(integers("%2d%d", "1234"), (vec![12, 34], 2));
        assert_eq!(integers("n = %d", "n = 5"), (vec![5], 1));
        assert_eq!(integers("%*d %d", "1 2"), (vec![2], 1));
        assert_eq!(integers("%d%n", "42 "), (vec![42, 2], 1));
        // A percent sign in the text is stored nowhere.
        assert_eq!(integers("%%%% %d%%", "%% 12%"), (vec![12], 1));
    }

    #[test]
    fn a_text_that_does_not_fit_or_ends_says_how_far_it_went() {
        assert_eq!(integers("%d %d", "7 x"), (vec![7], 1));
        assert_eq!(integers("%d", "x"), (vec![], 0));
        assert_eq!(integers("%d", "  "), (vec![], -1));
        assert_eq!(integers("%d %d", "3"), (vec![3], 1));
        assert!(scan(b"%d %d", b"3").ended);
    }

    #[test]
    fn words_and_real_numbers_have_the_sizes_of_their_objects() {
        let scan = scan(b"%s = %lf %f %[a-c]%c", b"dt = 2.5e-3 -.5 abcd");
        let expected = [
            Stored::Text(b"dt".to_vec()),
            Stored::Real(2.5e-3, 8),
            Stored::Real(-0.5, 4),
            Stored::Text(b"abc".to_vec()),
            Stored::Characters(b"d".to_vec()),
        ];
        assert_eq!(scan.stored, expected);
        assert_eq!((scan.converted, scan.read), (5, 20));
    }
}
