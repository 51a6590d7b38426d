//! Calls of a library as they are written: what a repair says of them again.

/// A call as it is written.
pub(crate) struct CallText<'t> {
    name: &'t str,
    arguments: Vec<&'t str>,
    /// The first byte of each argument.
    starts: Vec<usize>,
    /// Its first byte, and the first one after it and its semicolon.
    start: usize,
    end: usize,
}

impl<'t> CallText<'t> {
    /// The first call of MPI in a text.
    pub(crate) fn first(text: &'t str) -> Option<Self> {
        Self::beginning(text, "MPI_")
    }

    /// The first call in a text whose name begins so.
    pub(crate) fn beginning(text: &'t str, begin: &str) -> Option<Self> {
        let start = text.find(begin)?;
        let open = start + text[start..].find('(')?;
        let name = text[start..open].trim();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !name.chars().all(is_name) {
            return None;
        }
        let mut depth = 0_i32;
        let mut begin = open + 1;
        let (mut arguments, mut starts) = (Vec::new(), Vec::new());
        for (at, c) in text[open..].char_indices() {
            let at = open + at;
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                _ => {}
            }
            if c == ',' && depth == 1 || depth == 0 {
                let argument = &text[begin..at];
                starts.push(begin + argument.len() - argument.trim_start().len());
                arguments.push(argument.trim());
                begin = at + 1;
            }
            if depth == 0 {
                let end = at + 1 + usize::from(text[at + 1..].starts_with(';'));
                return Some(Self {
                    name,
                    arguments,
                    starts,
                    start,
                    end,
                });
            }
        }
        None
    }

    /// The function.
    pub(crate) fn name(&self) -> &'t str {
        self.name
    }

    pub(crate) fn arguments(&self) -> &[&'t str] {
        &self.arguments
    }

    /// Where the queue is of a call of GASPI that has one: how long it waits comes last.
    pub(crate) fn queue(&self) -> Option<std::ops::Range<usize>> {
        let at = self.arguments.len().checked_sub(2)?;
        let start = self.starts[at];
        Some(start..start + self.arguments[at].len())
    }

    /// Where it is in the text, with its semicolon.
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.start..self.end
    }

    /// The window, if it is named plainly; it is the last argument but of operations with requests.
    pub(crate) fn window(&self) -> Option<String> {
        let from_end = usize::from(self.name.starts_with("MPI_R"));
        let name = self.arguments.iter().rev().nth(from_end)?;
        is_plain(name).then(|| (*name).to_owned())
    }

    /// The first argument, if it is a plain name: the context of a call of OpenSHMEM.
    pub(crate) fn context(&self) -> Option<String> {
        let name = self.arguments.first()?;
        is_plain(name).then(|| (*name).to_owned())
    }

    /// The target of an operation or a flush.
    pub(crate) fn target(&self) -> Option<&'t str> {
        let at = match self.name {
            "MPI_Put" | "MPI_Get" | "MPI_Rput" | "MPI_Rget" => 3,
            "MPI_Accumulate" | "MPI_Raccumulate" | "MPI_Fetch_and_op" => 3,
            "MPI_Win_flush" | "MPI_Win_flush_local" => 0,
            "MPI_Compare_and_swap" => 4,
            "MPI_Get_accumulate" | "MPI_Rget_accumulate" => 6,
            _ => return None,
        };
        self.arguments.get(at).copied()
    }
}

/// Whether an argument is a variable, or a part of one.
fn is_plain(argument: &str) -> bool {
    let is_of_names = |c: char| c.is_ascii_alphanumeric() || "_.->[]".contains(c);
    !argument.is_empty() && argument.chars().all(is_of_names)
}
