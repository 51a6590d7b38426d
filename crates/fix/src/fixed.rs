//! Fortran in fixed form: columns 7 to 72 are code, a mark in column 6 continues the line above, and a letter in
//! column 1 makes a comment (Fortran 2018 §6.3.3).
//!
//! Limits: a source is not understood that has a tab in its first six columns, or after column 72 anything but letters
//! and digits, as card numbers are: compilers have options that read these in another way. A comment begins with `d` in
//! column 1, too, as in compilers that know lines for debugging.

/// The last column that has code.
pub(crate) const LAST: usize = 72;

/// Columns before the code.
const MARGIN: usize = 6;

/// What is written before a statement without a label.
pub(crate) const BLANKS: &str = "      ";

/// A source in fixed form, blanked where it has no code.
pub(crate) struct Fixed {
    /// Every byte is where it was, and line ends are what they were.
    code: Vec<u8>,
    /// The same, each statement in one line; the blanks in the place of line ends say where it went on.
    joined: Vec<u8>,
}

impl Fixed {
    /// Each statement in one line, and all in the lines that they have.
    pub(crate) fn into_statements_and_code(self) -> (Vec<u8>, Vec<u8>) {
        (self.joined, self.code)
    }
}

/// Blanks all that is no code: comments, texts, marks, directives of the preprocessor, numbers of cards. A text keeps
/// its quotes, and a statement its label. `None` if columns are used in another way.
pub(crate) fn masked(text: &str) -> Option<Fixed> {
    let mut code = text.as_bytes().to_vec();
    let mut joined_ends: Vec<(usize, usize)> = Vec::new();
    let mut quote = None;
    // Where the code of the last statement ends so far.
    let mut last: Option<usize> = None;
    let mut start = 0;
    for line in text.as_bytes().split_inclusive(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let range = start..start + line.len();
        start = (range.end + 1).min(text.len());
        if is_comment(line) {
            code[range].fill(b' ');
            continue;
        }
        if line[..line.len().min(MARGIN)].contains(&b'\t') {
            return None;
        }
        let mark = line.get(MARGIN - 1).copied().unwrap_or(b' ');
        let continues = !matches!(mark, b' ' | b'0') && line[..MARGIN - 1].trim_ascii().is_empty();
        if continues {
            joined_ends.push((last?, range.start));
        } else {
            quote = None;
        }
        if line.len() >= MARGIN {
            code[range.start + MARGIN - 1] = b' ';
        }
        let end = line.len().min(LAST);
        let is_remark = blank_texts(&line[..end], &mut code[range.clone()], &mut quote);
        if line.len() > LAST {
            let is_card = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b' ';
            if !is_remark && !line[LAST..].trim_ascii_end().iter().all(is_card) {
                return None;
            }
            code[range.start + LAST..range.end].fill(b' ');
        }
        last = Some(range.end);
    }
    let mut joined = code.clone();
    for (from, to) in joined_ends {
        joined[from..to].fill(b' ');
    }
    Some(Fixed { code, joined })
}

/// Whether a line has no code, but for directives of the preprocessor, which are none either.
fn is_comment(line: &[u8]) -> bool {
    let first = line.first().copied().unwrap_or(b' ');
    let blanks = line.iter().take_while(|byte| **byte == b' ').count();
    matches!(first, b'c' | b'C' | b'*' | b'd' | b'D' | b'#')
        || line.trim_ascii().is_empty()
        || (line[blanks] == b'!' && blanks != MARGIN - 1)
}

/// Blanks the texts of a line, and the remark at its end; whether there is one.
fn blank_texts(line: &[u8], out: &mut [u8], quote: &mut Option<u8>) -> bool {
    for (at, byte) in line.iter().copied().enumerate().skip(MARGIN) {
        match (*quote, byte) {
            (Some(open), _) if open == byte => *quote = None,
            (Some(_), _) => out[at] = b' ',
            (None, b'\'' | b'"') => *quote = Some(byte),
            (None, b'!') => {
                out[at..].fill(b' ');
                return true;
            }
            (None, _) => {}
        }
    }
    false
}

/// A statement in lines that end before column 73; it is broken after commas and blanks.
pub(crate) fn wrapped(indentation: &str, statement: &str) -> String {
    let mut lines = String::new();
    let mut line = format!("{indentation}{statement}");
    while line.len() > LAST {
        let head = line.get(..LAST).unwrap_or(&line);
        let margin = indentation.len().max(MARGIN);
        let cut = head.rfind([',', ' ']).filter(|cut| *cut > margin);
        let Some(cut) = cut else { break };
        let rest = line.split_off(cut + 1);
        lines.push_str(line.trim_end());
        lines.push('\n');
        line = format!(
            "     &{}{}",
            &indentation[MARGIN.min(indentation.len())..],
            rest.trim_start()
        );
    }
    lines + &line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_code_is_blank() {
        let text = "C comment (\n      call a(1, 'x!', ! why\n     &  2)\n*\n 10   continue\n     1b = 1\n      c = 2";
        let fixed = masked(text).expect("fixed form");
        let code = String::from_utf8(fixed.code).unwrap();
        let wanted = "           \n      call a(1, '  ',      \n        2)\n \n 10   continue\n      b = 1\n      c = 2";
        assert_eq!(code, wanted);
        let joined = String::from_utf8(fixed.joined).unwrap();
        let lines: Vec<String> = joined
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(lines, ["", "calla(1,'',2)", "", "10continueb=1", "c=2"]);
    }

    #[test]
    fn columns_that_are_used_in_another_way() {
        let long = format!("      {}", "a".repeat(70));
        assert!(masked(&long).is_none());
        assert!(masked("\tcall a()").is_none());
        assert!(masked("     & call a()").is_none());
        let card = format!("{:<72}ABC00010", "      call a()");
        assert!(masked(&card).is_some());
    }

    #[test]
    fn a_long_statement_is_broken() {
        let text = wrapped("      ", &format!("call f({}, ierr)", ["abcdefgh"; 9].join(", ")));
        assert!(text.lines().all(|line| line.len() <= LAST), "{text}");
        assert!(
            text.lines()
                .nth(1)
                .is_some_and(|line| line.starts_with("     &abcdefgh")),
            "{text}"
        );
    }
}
