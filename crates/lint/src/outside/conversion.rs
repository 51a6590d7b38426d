//! Formats of `printf` and `scanf`, taken apart (C17, 7.21.6.1 and 7.21.6.2).

use crate::value::Scalar;

/// A conversion of a format: its letter, bytes of its argument, and how it is to be written.
pub(super) struct Conversion {
    letter: u8,
    size: u64,
    flags: Vec<u8>,
    width: Option<Amount>,
    precision: Option<Amount>,
}

/// A width or precision: a number, or an argument.
#[derive(Clone, Copy)]
enum Amount {
    Known(usize),
    Argument,
}

impl Conversion {
    /// One without a width and precision of its own.
    pub(super) fn plain(letter: u8, size: u64, flags: Vec<u8>) -> Self {
        Self {
            letter,
            size,
            flags,
            width: None,
            precision: None,
        }
    }

    pub(super) fn letter(&self) -> u8 {
        self.letter
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Whether it has a flag.
    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags.contains(&flag)
    }

    /// Its width, 0 if there is none, and its precision; a negative width is a flag (C17 §7.21.6.1).
    pub(super) fn amounts<'a>(
        &mut self,
        arguments: &mut impl Iterator<Item = &'a Scalar>,
    ) -> (usize, Option<usize>) {
        // A text that goes on for longer is shown nowhere.
        let most = |number: i32| (number.unsigned_abs() as usize).min(1 << 16);
        let mut amount = |amount: Option<Amount>| match amount? {
            Amount::Known(number) => Some(number.min(1 << 16) as i32),
            Amount::Argument => arguments.next().map(|argument| argument.signed32()),
        };
        let (width, precision) = (amount(self.width).unwrap_or(0), amount(self.precision));
        if width < 0 {
            self.flags.push(b'-');
        }
        (
            most(width),
            precision.filter(|precision| *precision >= 0).map(most),
        )
    }
}

/// A part of a format.
pub(super) enum Piece {
    Text(Vec<u8>),
    Conversion(Conversion),
}

/// The parts of a format, in their order.
pub(super) fn pieces(format: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = format.iter().copied().peekable();
    let mut text = Vec::new();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            text.push(byte);
            continue;
        }
        if rest.peek() == Some(&b'%') {
            rest.next();
            text.push(b'%');
            continue;
        }
        let mut conversion = Conversion {
            letter: 0,
            size: 4,
            flags: Vec::new(),
            width: None,
            precision: None,
        };
        let mut after_point = false;
        for byte in rest.by_ref() {
            let amount = match after_point {
                true => &mut conversion.precision,
                false => &mut conversion.width,
            };
            match byte {
                b'l' | b'z' | b'j' | b't' => conversion.size = 8,
                b'h' => conversion.size /= 2,
                // A `long double`, which is not computed.
                b'L' => {}
                b'.' => {
                    after_point = true;
                    conversion.precision = Some(Amount::Known(0));
                }
                b'*' => *amount = Some(Amount::Argument),
                b'-' | b'+' | b' ' | b'#' => conversion.flags.push(byte),
                b'0' if !after_point && amount.is_none() => conversion.flags.push(byte),
                b'0'..=b'9' => {
                    let before = match amount {
                        Some(Amount::Known(number)) => *number,
                        _ => 0,
                    };
                    let digit = usize::from(byte - b'0');
                    *amount = Some(Amount::Known(before.saturating_mul(10).saturating_add(digit)));
                }
                letter => {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                    conversion.letter = letter;
                    conversion.size = match letter {
                        b'p' => 8,
                        b'c' | b's' => 1,
                        _ => conversion.size,
                    };
                    pieces.push(Piece::Conversion(conversion));
                    break;
                }
            }
        }
    }
    pieces.push(Piece::Text(text));
    pieces
}

/// The first conversion of a format that has all its amounts, with these.
#[cfg(test)]
pub(super) fn first_conversion(format: &[u8]) -> Option<(Conversion, (usize, Option<usize>))> {
    let mut conversion = pieces(format).into_iter().find_map(|piece| match piece {
        Piece::Conversion(conversion) => Some(conversion),
        Piece::Text(_) => None,
    })?;
    let amounts = conversion.amounts(&mut std::iter::empty());
    Some((conversion, amounts))
}
