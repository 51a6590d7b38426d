//! Output as whole lines, each with its rank if wanted.

/// A line is cut at this length, in bytes, so that memory stays bounded.
const LONGEST: usize = 64 << 10;
/// Colours of labels: all but black, white and red, which warns.
const COLOURS: [u8; 10] = [36, 33, 32, 35, 34, 96, 93, 92, 95, 94];

/// How lines look.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// With labels wide enough for so many ranks.
    pub label: Option<u32>,
    /// Labels have colours.
    pub coloured: bool,
}

/// Makes lines of what one stream of a rank brings.
#[derive(Debug)]
pub(crate) struct Lines {
    label: Vec<u8>,
    /// What was not ended by a newline.
    open: Vec<u8>,
    /// Whether the beginning of the open line was passed on.
    begun: bool,
}

impl Lines {
    /// Of a rank.
    pub(crate) fn new(rank: u32, style: &Style) -> Self {
        let label = style.label.map(|ranks| {
            let width = ranks.saturating_sub(1).to_string().len();
            let colour = COLOURS[rank as usize % COLOURS.len()];
            match style.coloured {
                true => format!("\x1b[{colour}m[{rank:>width$}]\x1b[0m "),
                false => format!("[{rank:>width$}] "),
            }
        });
        Self {
            label: label.unwrap_or_default().into_bytes(),
            open: Vec::new(),
            begun: false,
        }
    }

    /// Takes bytes in, and adds the lines that are whole now to `out`.
    pub(crate) fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.open.extend_from_slice(bytes);
        let mut rest = 0;
        while let Some(length) = self.open[rest..].iter().position(|&byte| byte == b'\n') {
            let line = rest..rest + length + 1;
            rest = line.end;
            if !self.begun {
                out.extend_from_slice(&self.label);
            }
            self.begun = false;
            out.extend_from_slice(&self.open[line]);
        }
        self.open.drain(..rest);
        if self.open.len() >= LONGEST {
            self.pass_open(out);
        }
    }

    /// Whether there is the beginning of a line that may be shown already: without labels.
    pub(crate) fn has_prompt(&self) -> bool {
        self.label.is_empty() && !self.open.is_empty()
    }

    /// Adds the beginning of a line to `out`.
    pub(crate) fn pass_open(&mut self, out: &mut Vec<u8>) {
        if self.open.is_empty() {
            return;
        }
        if !self.begun {
            out.extend_from_slice(&self.label);
        }
        self.begun = true;
        out.append(&mut self.open);
    }

    /// The stream has ended: adds what is left to `out`. A line with a label is ended.
    pub(crate) fn end(&mut self, out: &mut Vec<u8>) {
        self.pass_open(out);
        if self.begun && !self.label.is_empty() {
            out.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(label: Option<u32>, coloured: bool) -> Lines {
        Lines::new(3, &Style { label, coloured })
    }

    #[test]
    fn lines_come_whole_with_their_labels() {
        let (mut lines, mut out) = (lines(Some(12), false), Vec::new());
        lines.push(b"a", &mut out);
        assert_eq!(out, b"");
        lines.push(b"b\n\nc", &mut out);
        assert_eq!(out, b"[ 3] ab\n[ 3] \n");
        lines.end(&mut out);
        assert_eq!(out, b"[ 3] ab\n[ 3] \n[ 3] c\n");
    }

    #[test]
    fn without_labels_bytes_stay_as_they_are() {
        let (mut lines, mut out) = (lines(None, true), Vec::new());
        lines.push(b"x\ny? ", &mut out);
        assert!(lines.has_prompt());
        lines.pass_open(&mut out);
        lines.push(b"yes\n\xff\x00z", &mut out);
        lines.end(&mut out);
        assert_eq!(out, b"x\ny? yes\n\xff\x00z");
    }

    #[test]
    fn colours_are_for_labels_only() {
        let (mut lines, mut out) = (lines(Some(4), true), Vec::new());
        lines.push(b"a\n", &mut out);
        assert_eq!(out, b"\x1b[35m[3]\x1b[0m a\n");
        assert!(!lines.has_prompt());
    }

    #[test]
    fn a_line_without_end_does_not_fill_the_memory() {
        let (mut lines, mut out) = (lines(Some(4), false), Vec::new());
        for _ in 0..100 {
            lines.push(&[b'x'; 10_000], &mut out);
            assert!(lines.open.len() < LONGEST + 10_000);
        }
        lines.push(b"\ny\n", &mut out);
        // One label for the long line, one for the short one.
        assert_eq!(out.iter().filter(|&&byte| byte == b'[').count(), 2);
        assert_eq!(out.len(), 1_000_000 + 1 + 4 + 4 + 2);
    }
}
