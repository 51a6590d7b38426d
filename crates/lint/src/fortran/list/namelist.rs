//! Namelist input: `&GROUP name = values ... /`.

use super::{Fault, Kind, List};

/// A variable of a group: its name, in small letters, the kind of its elements, and how many there are.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    name: String,
    kind: Kind,
    count: u64,
}

impl Variable {
    /// A variable of this name.
    pub(crate) fn new(name: String, kind: Kind, count: u64) -> Self {
        Self { name, kind, count }
    }
}

/// What an element of a variable is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    variable: usize,
    element: u64,
    bytes: Vec<u8>,
}

impl Given {
    /// The number of the variable in its group, from 0.
    pub(crate) fn variable(&self) -> usize {
        self.variable
    }

    /// The number of the element, in Fortran's order, from 0.
    pub(crate) fn element(&self) -> u64 {
        self.element
    }

    /// Its bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl List {
    /// What a group in the text gives to its variables; groups before it are passed over.
    pub(crate) fn group(&mut self, name: &str, variables: &[Variable]) -> Result<Vec<Given>, Fault> {
        self.named = true;
        self.find(name)?;
        // Of a text that is over before the group is, some say that it is bad.
        self.values(variables).map_err(|fault| match fault {
            Fault::End => Fault::Unclear,
            fault => fault,
        })
    }

    /// `name = values ... /`.
    fn values(&mut self, variables: &[Variable]) -> Result<Vec<Given>, Fault> {
        let mut given = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek().ok_or(Fault::End)? {
                b',' => self.at += 1,
                b'/' => {
                    self.at += 1;
                    return Ok(given);
                }
                byte if starts_name(byte) => self.variable(variables, &mut given)?,
                _ => return Err(Fault::Unclear),
            }
        }
    }

    /// Goes after the name of the group.
    fn find(&mut self, name: &str) -> Result<(), Fault> {
        loop {
            self.skip_blanks();
            match self.peek().ok_or(Fault::End)? {
                b'&' => {
                    self.at += 1;
                    if self.name() == name {
                        return Ok(());
                    }
                    self.pass_group()?;
                }
                _ => {
                    let line = &self.text[self.at..self.next_record()];
                    if line.iter().any(|byte| matches!(byte, b'&' | b'$')) {
                        return Err(Fault::Unclear);
                    }
                    self.at = self.next_record();
                }
            }
        }
    }

    /// Goes after the `/` of a group.
    fn pass_group(&mut self) -> Result<(), Fault> {
        let mut quote = None;
        loop {
            if quote.is_none() {
                self.skip_blanks();
            }
            let byte = self.peek().ok_or(Fault::End)?;
            self.at += 1;
            match (byte, quote) {
                (b'/', None) => return Ok(()),
                (b'\'' | b'"', None) => quote = Some(byte),
                _ if quote == Some(byte) => quote = None,
                _ => {}
            }
        }
    }

    /// `name = values`.
    fn variable(&mut self, variables: &[Variable], given: &mut Vec<Given>) -> Result<(), Fault> {
        let name = self.name();
        let found = variables.iter().position(|variable| variable.name == name);
        let variable = found.ok_or(Fault::Bad)?;
        self.skip_blanks();
        // Elements and components of a variable are not followed.
        if self.peek() != Some(b'=') {
            return Err(Fault::Unclear);
        }
        self.at += 1;
        (self.begun, self.left) = (false, 0);
        let Variable { kind, count, .. } = variables[variable];
        for element in 0..count {
            if self.left == 0 && self.values_are_over() {
                break;
            }
            if let Some(bytes) = self.next(kind)? {
                given.push(Given {
                    variable,
                    element,
                    bytes,
                });
            }
        }
        // More values than there are elements.
        if self.left > 0 {
            Err(Fault::Unclear)
        } else {
            Ok(())
        }
    }

    /// Whether what comes next is another variable, or the end of the group.
    fn values_are_over(&mut self) -> bool {
        let before = self.at;
        self.skip_separator();
        let over = match self.peek() {
            None | Some(b'/' | b'&') => true,
            Some(byte) if starts_name(byte) => {
                self.name();
                self.skip_blanks();
                matches!(self.peek(), Some(b'=' | b'(' | b'%'))
            }
            _ => false,
        };
        self.at = before;
        over
    }

    /// The name that stands here, in small letters.
    fn name(&mut self) -> String {
        let rest = &self.text[self.at..];
        let length = rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
            .count();
        self.at += length;
        String::from_utf8_lossy(&rest[..length]).to_ascii_lowercase()
    }
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a text gives: the number of the variable and of the element, and the value.
    fn read(text: &str) -> Result<Vec<(usize, u64, i64)>, Fault> {
        let variable = |name: &str, kind, count| Variable::new(name.to_owned(), kind, count);
        let variables = [
            variable("n", Kind::Integer(4), 1),
            variable("x", Kind::Integer(4), 4),
            variable("on", Kind::Logical(4), 1),
            variable("word", Kind::Character(3), 1),
        ];
        let mut list = List::of(text.as_bytes().into(), 0);
        let number = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0, |sum, byte| sum << 8 | i64::from(*byte))
        };
        let given = list.group("run", &variables)?;
        let given = given.iter().map(|g| (g.variable, g.element, number(&g.bytes)));
        Ok(given.collect())
    }

    #[test]
    fn a_group_gives_values_to_the_variables_that_it_names() {
        let word = i64::from_le_bytes(*b"a/b\0\0\0\0\0");
        assert_eq!(read("&run n = 4 /"), Ok(vec![(0, 0, 4)]));
        assert_eq!(
            read("&RUN\n N=4, on = .true. ! comment /\n word = 'a/b'\n/"),
            Ok(vec![(0, 0, 4), (2, 0, 1), (3, 0, word)])
        );
        assert_eq!(read("&run on = t n = 1/"), Ok(vec![(2, 0, 1), (0, 0, 1)]));
        assert_eq!(read("&run /"), Ok(vec![]));
    }

    #[test]
    fn arrays_take_values_up_to_the_next_name() {
        let three = vec![(1, 0, 7), (1, 1, 7), (1, 2, 9), (0, 0, 2)];
        assert_eq!(read("&run x = 2*7, 9, n = 2 /"), Ok(three));
        assert_eq!(read("&run x = 1,,3 /"), Ok(vec![(1, 0, 1), (1, 2, 3)]));
        assert_eq!(read("&run n = , x = 1 /"), Ok(vec![(1, 0, 1)]));
    }

    #[test]
    fn other_groups_and_what_stands_before_them_are_passed_over() {
        let text = "a title\n&other n = 3, word = '/' /\n! &run\n&run n = 5 /";
        assert_eq!(read(text), Ok(vec![(0, 0, 5)]));
    }

    #[test]
    fn what_is_no_group_is_refused() {
        assert_eq!(read("&other n = 3 /"), Err(Fault::End));
        assert_eq!(read("&run n = 3"), Err(Fault::Unclear));
        assert_eq!(read("&run m = 3 /"), Err(Fault::Bad));
        assert_eq!(read("&run n = x /"), Err(Fault::Bad));
        for unclear in [
            "&run x(2) = 3 /",
            "&run n = 3 4 /",
            "&run n = 2*3 /",
            "$run n = 3 $end",
            "&run word = ab /",
        ] {
            assert_eq!(read(unclear), Err(Fault::Unclear), "{unclear}");
        }
    }
}
