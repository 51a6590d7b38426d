//! Formats: what they read from records, and what they write into them.
//!
//! Source: Fortran 2018, 13.3 to 13.8, with blanks in numbers as by `blank='null'`, which is the default. Followed are
//! `i`, `f`, `e`, `es`, `d`, `g`, `a` and `l` with their widths, `x`, `t`, `tl`, `tr`, `/`, `:`, texts, repeat counts,
//! and groups, `*( )` included. All else (scale factors, `en`, `z`, rounding, fields that a comma ends) is refused:
//! nothing is said of it.

use super::list::{Fault, Kind, List};

/// Items of a format after its repeat counts; a longer format is refused.
const MOST: usize = 1 << 12;
/// Groups within groups.
const DEEPEST: u32 = 16;

/// An edit descriptor for data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edit {
    letter: u8,
    /// For `es`.
    scientific: bool,
    width: Option<u64>,
    digits: Option<u64>,
}

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    Data(Edit),
    /// `x`, `tl`, `tr`.
    Move(i64),
    /// `t`, from 0.
    Column(u64),
    Record,
    /// `:`.
    EndsIfNoMore,
    Text(Vec<u8>),
}

/// A format and how far a statement has come in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    items: Vec<Item>,
    /// Where it goes on after its end.
    again: usize,
    /// Whether that is a new record.
    in_new_record: bool,
    next: usize,
}

/// What a statement does before the next value.
enum Before {
    Move(i64),
    Column(u64),
    Record,
    Text(Vec<u8>),
    /// Here is the value.
    Value(Edit),
    /// No value is left to be read or written.
    End,
}

impl Format {
    /// A format in its parentheses; `None` if something in it is not followed here.
    pub(crate) fn of(text: &[u8]) -> Option<Self> {
        let mut parser = Parser { text, at: 0 };
        parser.expect(b'(')?;
        let mut format = Self {
            items: Vec::new(),
            again: 0,
            in_new_record: true,
            next: 0,
        };
        parser.list(&mut format, 0)?;
        Some(format)
    }

    /// What comes next; `more`: whether there is a value for it. `None`: no value is ever asked for.
    fn step(&mut self, more: bool) -> Option<Before> {
        if self.next == self.items.len() {
            if !more {
                return Some(Before::End);
            }
            let asks = |item: &Item| matches!(item, Item::Data(_));
            if !self.items[self.again..].iter().any(asks) {
                return None;
            }
            self.next = self.again;
            if self.in_new_record {
                return Some(Before::Record);
            }
        }
        let item = self.items[self.next].clone();
        if !more && matches!(item, Item::Data(_) | Item::EndsIfNoMore) {
            return Some(Before::End);
        }
        self.next += 1;
        Some(match item {
            Item::Data(edit) => Before::Value(edit),
            Item::Move(by) => Before::Move(by),
            Item::Column(to) => Before::Column(to),
            Item::Record => Before::Record,
            Item::Text(text) => Before::Text(text),
            Item::EndsIfNoMore => return self.step(more),
        })
    }
}

/// Reads the text of a format; blanks count in texts only.
struct Parser<'t> {
    text: &'t [u8],
    at: usize,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        self.text.get(self.at).map(u8::to_ascii_lowercase)
    }

    fn take(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn expect(&mut self, wanted: u8) -> Option<()> {
        (self.take()? == wanted).then_some(())
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = None;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            self.at += 1;
            let before: u64 = number.unwrap_or(0);
            number = Some(before.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?);
        }
        number.filter(|number| *number <= 1 << 20)
    }

    /// Items up to the closing parenthesis.
    fn list(&mut self, format: &mut Format, depth: u32) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        loop {
            if format.items.len() > MOST {
                return None;
            }
            let repeat = self.number();
            match self.take()? {
                b')' if repeat.is_none() => return Some(()),
                b',' if repeat.is_none() => {}
                b'*' if repeat.is_none() && depth == 0 => {
                    self.expect(b'(')?;
                    format.again = format.items.len();
                    format.in_new_record = false;
                    self.list(format, depth + 1)?;
                    self.expect(b')')?;
                    return Some(());
                }
                b'(' => {
                    let begin = format.items.len();
                    if depth == 0 {
                        format.again = begin;
                    }
                    self.list(format, depth + 1)?;
                    let group = format.items[begin..].to_vec();
                    self.repeat(format, &group, repeat)?;
                }
                b'/' => {
                    format.items.push(Item::Record);
                    self.repeat(format, &[Item::Record], repeat)?;
                }
                b':' if repeat.is_none() => format.items.push(Item::EndsIfNoMore),
                b'x' => format.items.push(Item::Move(repeat.unwrap_or(1) as i64)),
                quote @ (b'\'' | b'"') if repeat.is_none() => {
                    let text = self.quoted(quote)?;
                    format.items.push(Item::Text(text));
                }
                b't' if repeat.is_none() => {
                    let item = match self.peek()? {
                        side @ (b'l' | b'r') => {
                            self.at += 1;
                            let by = self.number()? as i64;
                            Item::Move(if side == b'l' { -by } else { by })
                        }
                        _ => Item::Column(self.number()?.checked_sub(1)?),
                    };
                    format.items.push(item);
                }
                b'b' if repeat.is_none() => self.expect(b'n')?,
                letter @ (b'i' | b'f' | b'e' | b'd' | b'g' | b'a' | b'l') => {
                    let item = Item::Data(self.edit(letter)?);
                    format.items.push(item.clone());
                    self.repeat(format, &[item], repeat)?;
                }
                _ => return None,
            }
        }
    }

    /// What has been added once is added as often as is left.
    fn repeat(&self, format: &mut Format, items: &[Item], repeat: Option<u64>) -> Option<()> {
        let more = repeat.unwrap_or(1).checked_sub(1)?;
        if items.len() as u64 * more > MOST as u64 {
            return None;
        }
        for _ in 0..more {
            format.items.extend_from_slice(items);
        }
        Some(())
    }

    fn edit(&mut self, letter: u8) -> Option<Edit> {
        let scientific = letter == b'e' && self.peek() == Some(b's');
        if scientific {
            self.at += 1;
        }
        let width = self.number();
        let digits = match self.peek() {
            Some(b'.') => {
                self.at += 1;
                Some(self.number()?)
            }
            _ => None,
        };
        // The digits of an exponent, which input does not care for.
        let exponent = letter == b'e' && self.peek() == Some(b'e');
        (!exponent && (width.is_some() || letter == b'a')).then_some(Edit {
            letter,
            scientific,
            width,
            digits,
        })
    }

    fn quoted(&mut self, quote: u8) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        loop {
            let byte = *self.text.get(self.at)?;
            self.at += 1;
            if byte == quote {
                if self.text.get(self.at) != Some(&quote) {
                    return Some(text);
                }
                self.at += 1;
            }
            text.push(byte);
        }
    }
}

/// A statement that reads records by a format.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    format: Format,
    record: Option<Vec<u8>>,
    at: usize,
}

impl Reader {
    pub(crate) fn of(format: Format) -> Self {
        Self {
            format,
            record: None,
            at: 0,
        }
    }

    /// The bytes of the next variable.
    pub(crate) fn next(&mut self, kind: Kind, text: &mut List) -> Result<Vec<u8>, Fault> {
        if self.record.is_none() {
            self.record = Some(text.line()?);
        }
        loop {
            match self.format.step(true).ok_or(Fault::Unclear)? {
                Before::Move(by) => self.at = self.at.saturating_add_signed(by as isize),
                Before::Column(to) => self.at = to as usize,
                Before::Record => {
                    self.record = Some(text.line()?);
                    self.at = 0;
                }
                // Texts in a format are not read.
                Before::Text(_) | Before::End => return Err(Fault::Unclear),
                Before::Value(edit) => {
                    let width = edit.width.or(match kind {
                        Kind::Character(size) => Some(size),
                        _ => None,
                    });
                    let width = width.ok_or(Fault::Unclear)? as usize;
                    if width == 0 {
                        return Err(Fault::Unclear);
                    }
                    let record = self.record.as_deref().unwrap_or_default();
                    let mut field: Vec<u8> = record.iter().skip(self.at).take(width).copied().collect();
                    field.resize(width, b' ');
                    self.at += width;
                    return value(edit, &field, kind);
                }
            }
        }
    }

    /// All values are read: records that the format goes on to are skipped.
    pub(crate) fn finish(&mut self, text: &mut List) {
        while let Some(before) = self.format.step(false) {
            match before {
                Before::End => return,
                Before::Record => drop(text.line()),
                _ => {}
            }
        }
    }
}

/// What a field gives to a variable.
fn value(edit: Edit, field: &[u8], kind: Kind) -> Result<Vec<u8>, Fault> {
    let word: Vec<u8> = field.iter().filter(|byte| **byte != b' ').copied().collect();
    let text = std::str::from_utf8(&word).map_err(|_| Fault::Unclear);
    match (edit.letter, kind) {
        (b'a' | b'g', Kind::Character(size)) => {
            let size = size as usize;
            let mut value = field[field.len().saturating_sub(size)..].to_vec();
            value.resize(size, b' ');
            Ok(value)
        }
        // Some compilers end a field at a comma.
        (_, Kind::Integer(_) | Kind::Real(_) | Kind::Logical(_)) if word.contains(&b',') => {
            Err(Fault::Unclear)
        }
        (b'i' | b'g', Kind::Integer(size)) => {
            let value: i64 = match text? {
                "" => 0,
                "+" | "-" => return Err(Fault::Unclear),
                text => text.parse().map_err(|_| Fault::Bad)?,
            };
            let bits = 8 * size.clamp(1, 8) as u32;
            let fits = bits == 64 || (-(1 << (bits - 1))..1 << (bits - 1)).contains(&value);
            let bytes = value.to_le_bytes()[..size.clamp(1, 8) as usize].to_vec();
            if fits { Ok(bytes) } else { Err(Fault::Bad) }
        }
        (b'l' | b'g', Kind::Logical(size)) => {
            let text = text?.to_ascii_lowercase();
            let holds = match text.strip_prefix('.').unwrap_or(&text).bytes().next() {
                Some(b't') => 1_u64,
                Some(b'f') => 0,
                _ => return Err(Fault::Bad),
            };
            Ok(holds.to_le_bytes()[..size.clamp(1, 8) as usize].to_vec())
        }
        (b'f' | b'e' | b'd' | b'g', Kind::Real(size)) => real(text?, edit.digits.unwrap_or(0), size),
        _ => Err(Fault::Unclear),
    }
}

/// A real number; without a point, so many of its digits come after it.
fn real(text: &str, digits: u64, size: u64) -> Result<Vec<u8>, Fault> {
    let text = text.to_ascii_lowercase();
    let sign = text.len() - text.trim_start_matches(['+', '-']).len();
    let number = |byte: char| byte.is_ascii_digit() || byte == '.';
    let end = text[sign..]
        .find(|byte| !number(byte))
        .map_or(text.len(), |end| sign + end);
    let (mantissa, rest) = text.split_at(end);
    if sign > 1 || mantissa.len() == sign && !text.is_empty() || mantissa.matches('.').count() > 1 {
        return Err(Fault::Bad);
    }
    let exponent: i64 = match rest.trim_start_matches(['e', 'd', 'q']) {
        "" if rest.is_empty() => 0,
        exponent => exponent.parse().map_err(|_| Fault::Bad)?,
    };
    let implied = if mantissa.contains('.') { 0 } else { digits as i64 };
    let written = match text.is_empty() {
        true => "0".to_owned(),
        false => format!("{mantissa}e{}", exponent - implied),
    };
    match size {
        4 => {
            let value: f32 = written.parse().map_err(|_| Fault::Bad)?;
            let bytes = value.to_le_bytes().to_vec();
            if value.is_finite() {
                Ok(bytes)
            } else {
                Err(Fault::Unclear)
            }
        }
        8 => {
            let value: f64 = written.parse().map_err(|_| Fault::Bad)?;
            let bytes = value.to_le_bytes().to_vec();
            if value.is_finite() {
                Ok(bytes)
            } else {
                Err(Fault::Unclear)
            }
        }
        _ => Err(Fault::Unclear),
    }
}

/// A value to be written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Written {
    Integer(i64),
    Real(f64),
    Logical(bool),
    Text(Vec<u8>),
}

/// A statement that writes one record by a format.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    format: Format,
    record: Vec<u8>,
    at: usize,
}

impl Writer {
    pub(crate) fn of(format: Format) -> Self {
        Self {
            format,
            record: Vec::new(),
            at: 0,
        }
    }

    /// Writes a value; `None` if what comes of it is not followed here.
    pub(crate) fn put(&mut self, value: &Written) -> Option<()> {
        loop {
            match self.format.step(true)? {
                Before::Value(edit) => {
                    let field = field(edit, value)?;
                    self.write(&field);
                    return Some(());
                }
                before => self.go(before)?,
            }
        }
    }

    /// The record, when all values are written.
    pub(crate) fn finish(mut self) -> Option<Vec<u8>> {
        loop {
            match self.format.step(false)? {
                Before::End => return Some(self.record),
                before => self.go(before)?,
            }
        }
    }

    fn go(&mut self, before: Before) -> Option<()> {
        match before {
            Before::Move(by) => self.at = self.at.saturating_add_signed(by as isize),
            Before::Column(to) => self.at = to as usize,
            Before::Text(text) => self.write(&text),
            // A second record of an internal file, which has one here.
            Before::Record | Before::Value(_) | Before::End => return None,
        }
        Some(())
    }

    fn write(&mut self, text: &[u8]) {
        let end = self.at + text.len();
        if self.record.len() < end {
            self.record.resize(end, b' ');
        }
        self.record[self.at..end].copy_from_slice(text);
        self.at = end;
    }
}

/// What a value is in its field.
fn field(edit: Edit, value: &Written) -> Option<Vec<u8>> {
    let width = edit.width.unwrap_or(0) as usize;
    let right = |text: String| -> Vec<u8> {
        match text.len() > width && width > 0 {
            true => vec![b'*'; width],
            false => format!("{text:>width$}").into_bytes(),
        }
    };
    match (edit.letter, value) {
        (b'i', Written::Integer(value)) => {
            let least = edit.digits.unwrap_or(1) as usize;
            if least == 0 {
                return None;
            }
            let sign = if *value < 0 { "-" } else { "" };
            Some(right(format!(
                "{sign}{:0>least$}",
                value.unsigned_abs().to_string()
            )))
        }
        (b'a', Written::Text(text)) => match edit.width {
            None => Some(text.clone()),
            Some(_) if width <= text.len() => Some(text[..width].to_vec()),
            Some(_) => Some([vec![b' '; width - text.len()], text.clone()].concat()),
        },
        (b'l', Written::Logical(value)) => Some(right(if *value { "T" } else { "F" }.to_owned())),
        // With a leading zero there may be no room, and a negative zero has no sign with some compilers.
        (b'f', Written::Real(value)) if width > 0 && value.is_finite() && *value != 0.0 => {
            let digits = edit.digits? as usize;
            let text = format!("{value:.*}", digits);
            let is_plain = text.len() < width && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
            let is_tie = is_half(&format!("{value:.*}", digits + FURTHER));
            (is_plain && !is_tie).then(|| right(text))
        }
        (b'e' | b'd', Written::Real(value)) if value.is_finite() && *value != 0.0 => {
            let text = exponential(*value, edit)?;
            (text.len() < width).then(|| right(text))
        }
        _ => None,
    }
}

/// So many digits more are looked at to see whether a number lies between two others.
const FURTHER: usize = 40;

/// Whether the last `FURTHER` digits of a number are half of the digit before them: which way that is rounded is the
/// compiler's choice.
fn is_half(digits: &str) -> bool {
    let rest = &digits[digits.len() - FURTHER..];
    rest.starts_with('5') && rest[1..].bytes().all(|byte| byte == b'0')
}

/// A number other than 0 with its exponent, as `e`, `d` and `es` write it.
fn exponential(value: f64, edit: Edit) -> Option<String> {
    let digits = edit.digits.filter(|digits| *digits > 0)? as usize;
    // Digits after the first one, which is not 0.
    let kept = if edit.scientific { digits } else { digits - 1 };
    let exact = format!("{value:.*e}", kept + FURTHER);
    if is_half(exact.split_once('e')?.0) {
        return None;
    }
    let text = format!("{value:.*e}", kept);
    let (mantissa, exponent) = text.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (mantissa, exponent) = match edit.scientific {
        true => (mantissa.to_owned(), exponent),
        false => {
            let (sign, number) = mantissa
                .strip_prefix('-')
                .map_or(("", mantissa), |rest| ("-", rest));
            (format!("{sign}0.{}", number.replace('.', "")), exponent + 1)
        }
    };
    let sign = if exponent < 0 { '-' } else { '+' };
    Some(match exponent.unsigned_abs() {
        size @ ..=99 => format!(
            "{mantissa}{}{sign}{size:02}",
            edit.letter.to_ascii_uppercase() as char
        ),
        size => format!("{mantissa}{sign}{size:03}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(format: &str, text: &str, kinds: &[Kind]) -> Result<Vec<Vec<u8>>, Fault> {
        let mut reader = Reader::of(Format::of(format.as_bytes()).ok_or(Fault::Unclear)?);
        let mut text = List::of(text.as_bytes().into(), 0);
        kinds.iter().map(|kind| reader.next(*kind, &mut text)).collect()
    }

    fn integers(format: &str, text: &str, count: usize) -> Result<Vec<i32>, Fault> {
        let values = read(format, text, &vec![Kind::Integer(4); count])?;
        Ok(values
            .iter()
            .map(|bytes| i32::from_le_bytes(bytes[..].try_into().unwrap()))
            .collect())
    }

    #[test]
    fn repeat_counts_groups_and_records_say_where_a_number_is() {
        for (format, text) in [
            ("(3i2)", "01 2 3"),
            ("(i2, 1x, 2(i1, 1x))", " 1 2 3"),
            ("(i1, 2(2x, i1))", "1..2..3"),
            ("(i2)", "1\n2\n3\n"),
            ("(i1/i1/i1)", "1\n2\n3"),
            ("(2i1, /, i1)", "12\n3"),
            ("(t5, i1, t1, i1, tr1, i1)", "2.3.1"),
            ("(I1, *(1X, I1))", "1,2,3"),
            ("(i1, (1x, i1))", "1 2\n 3"),
            ("(bn, 3i2)", "1  23"),
        ] {
            assert_eq!(integers(format, text, 3), Ok(vec![1, 2, 3]), "{format}");
        }
        assert_eq!(integers("(2i3)", "-12", 2), Ok(vec![-12, 0]));
        assert_eq!(integers("(i2)", "1", 2), Err(Fault::End));
        assert_eq!(integers("(i2)", "1x", 1), Err(Fault::Bad));
        for unclear in ["(2p, i2)", "(z2)", "(i0)", "('a', i2)", "(1x)", "(i2", "(en8.2)"] {
            assert_eq!(integers(unclear, "1 2", 1), Err(Fault::Unclear), "{unclear}");
        }
        assert_eq!(integers("(i3)", "1,2", 1), Err(Fault::Unclear));
    }

    #[test]
    fn a_point_that_is_not_written_stands_where_the_format_says() {
        let real = |format: &str, text: &str| {
            let values = read(format, text, &[Kind::Real(8)])?;
            Ok(f64::from_le_bytes(values[0][..].try_into().unwrap()))
        };
        for (format, text, value) in [
            ("(f6.2)", "  1234", 12.34),
            ("(f6.2)", "  12.5", 12.5),
            ("(f8.0)", "-1.5e2", -150.0),
            ("(es9.2)", "1.25D+01", 12.5),
            ("(e8.3)", "125-1", 0.0125),
            ("(g4.0)", "    ", 0.0),
        ] {
            assert_eq!(real(format, text), Ok(value), "{format} {text}");
        }
        assert_eq!(real("(f6.2)", "1.2.3"), Err(Fault::Bad));
    }

    #[test]
    fn texts_and_logical_values_fill_their_variables() {
        let text = |format: &str, size| {
            read(format, "abcdef", &[Kind::Character(size)]).map(|mut values| values.remove(0))
        };
        assert_eq!(text("(a)", 4), Ok(b"abcd".to_vec()));
        assert_eq!(text("(a2)", 4), Ok(b"ab  ".to_vec()));
        assert_eq!(text("(a6)", 4), Ok(b"cdef".to_vec()));
        let logical = read("(l2, l7)", " T.false.", &[Kind::Logical(1); 2]);
        assert_eq!(logical, Ok(vec![vec![1], vec![0]]));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let write = |format: &str, values: &[Written]| {
            let mut writer = Writer::of(Format::of(format.as_bytes())?);
            for value in values {
                writer.put(value)?;
            }
            writer.finish().map(|text| String::from_utf8(text).unwrap())
        };
        use Written::{Integer, Logical, Real, Text};
        let said = |format: &str, values: &[Written], text: &str| {
            assert_eq!(write(format, values).as_deref(), Some(text), "{format}");
        };
        said(
            "(a, i0, a)",
            &[Text(b"(f10.5, ".to_vec()), Integer(12), Text(b"es14.6)".to_vec())],
            "(f10.5, 12es14.6)",
        );
        said("('r', i3.3)", &[Integer(7)], "r007");
        said(
            "(i4, 2x, l1, t1, a2)",
            &[Integer(-12), Logical(true), Text(b"no!".to_vec())],
            "no12  T",
        );
        said(
            "(i2, f8.3, a4)",
            &[Integer(123), Real(-1.5), Text(b"x".to_vec())],
            "**  -1.500   x",
        );
        said("(\"line \", i0, :, \" of\")", &[Integer(3)], "line 3");
        assert_eq!(write("(i3/i3)", &[Integer(1), Integer(2)]), None);
    }

    #[test]
    fn real_numbers_are_written_if_all_compilers_write_them_so() {
        let write = |format: &str, value: f64| {
            let mut writer = Writer::of(Format::of(format.as_bytes())?);
            writer.put(&Written::Real(value))?;
            writer.finish().map(|text| String::from_utf8(text).unwrap())
        };
        for (format, value, text) in [
            ("(f6.2)", 2.5, Some("  2.50")),
            ("(f6.1)", 0.25, None),
            ("(f6.1)", 0.35, Some("   0.3")),
            ("(es10.3)", 1.0, Some(" 1.000E+00")),
            ("(es11.2)", -12_345.0, Some("  -1.23E+04")),
            ("(e10.3)", 0.000_125, Some(" 0.125E-03")),
            ("(d10.2)", -125.5, Some(" -0.13D+03")),
            ("(e10.2)", 125.0, None),
            ("(es12.3)", 1e120, Some("   1.000+120")),
            ("(es9.3)", 1.0, None),
            ("(e10.3)", 0.0, None),
            ("(g10.3)", 1.0, None),
        ] {
            assert_eq!(write(format, value).as_deref(), text, "{format} {value}");
        }
    }
}
