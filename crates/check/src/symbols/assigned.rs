//! The variable of a window in Python: that to which the line which makes the window assigns it.
//!
//! Promise: a name is given only of a line that is one assignment to one variable, to an attribute or a constant
//! element of one, of a call that makes a window, and of nothing else; `with ... as` and `:=` assign, too. Where a
//! function does no more than return what such a call makes, its caller's line is looked at in the same way. A window
//! that no variable is found for is called by the array that it is made over
//! (`windows.append(MPI.Win.Create(cells))`), if that is a variable. Limits: it is the lines as the files have them
//! now; a line break within an assignment is followed after `= (` and `= \` only.

use farside_findings::{Frame, Place};

/// The functions of mpi4py that make a window.
const MAKERS: [&str; 4] = ["Allocate", "Allocate_shared", "Create", "Create_dynamic"];
/// Bytes of a file that is read at most: nobody writes a longer one.
const LIMIT: u64 = 4 << 20;

/// The variable, if the lines, innermost first, say it.
pub(super) fn of(lines: &[Frame]) -> Option<String> {
    handle(lines).or_else(|| {
        let line = line(lines.first()?.place.as_ref()?)?;
        array(&line).map(str::to_owned)
    })
}

/// The variable that has the window.
fn handle(lines: &[Frame]) -> Option<String> {
    let mut function = None;
    for frame in lines {
        let line = line(frame.place.as_ref()?)?;
        let is_made = |callee: &str| match function {
            None => is_maker(callee),
            Some(name) => callee.rsplit('.').next() == Some(name),
        };
        if let Some(name) = variable(&line, is_made) {
            return Some(name.to_owned());
        }
        let returned = line.trim().strip_prefix("return ")?;
        if !is_made(call(returned).filter(Call::is_all)?.callee) {
            return None;
        }
        function = Some(frame.function.as_deref()?);
    }
    None
}

/// The line, with the beginning of its assignment if that is at the end of the line before.
fn line(place: &Place) -> Option<String> {
    let is_read = place.file.ends_with(".py") && std::fs::metadata(&place.file).ok()?.len() <= LIMIT;
    let text = is_read.then(|| std::fs::read_to_string(&place.file).ok())??;
    let number = (place.line as usize).checked_sub(1)?;
    let line = text.lines().nth(number)?;
    let before = number.checked_sub(1).and_then(|before| text.lines().nth(before));
    let begin = before.and_then(|before| before.trim_end().strip_suffix(['(', '\\']));
    Some(
        match begin.map(str::trim_end).filter(|begin| begin.ends_with('=')) {
            Some(begin) => format!("{begin} {}", line.trim_start()),
            None => line.to_owned(),
        },
    )
}

/// The variable that a line gives to what a function makes for which `is_made` holds.
fn variable(line: &str, is_made: impl Fn(&str) -> bool) -> Option<&str> {
    let (name, call) = assignment(line)?;
    (is_target(name) && is_made(call.callee)).then_some(name)
}

/// What a line assigns to, and the call that it assigns.
fn assignment(line: &str) -> Option<(&str, Call<'_>)> {
    if let Some((left, right)) = line.split_once(":=") {
        let name = left.rsplit(['(', ' ', ',']).find(|word| !word.is_empty())?;
        let call = call(right).filter(|call| call.is_all() || call.rest.starts_with(')'))?;
        return Some((name, call));
    }
    if let Some(opened) = line.trim_start().strip_prefix("with ") {
        let call = call(opened)?;
        let name = call.rest.strip_prefix("as ")?.split_once(':')?.0;
        return Some((name.trim(), call));
    }
    let (left, right) = line.split_once('=')?;
    // `win: MPI.Win = ...`
    let name = left.split_once(':').map_or(left, |(name, _)| name);
    Some((name.trim(), call(right).filter(Call::is_all)?))
}

/// The array that the only window of a line is made over.
fn array(line: &str) -> Option<&str> {
    let mut places = line.match_indices("Win.Create(");
    let (at, maker) = places.next().filter(|_| places.next().is_none())?;
    // A loop within the line makes several.
    if line.contains(" for ") {
        return None;
    }
    let name = line[at + maker.len()..].split([',', ')']).next()?.trim();
    (is_target(name) && name != "None").then_some(name)
}

/// An expression that begins with a call: `MPI.Win.Create` of `MPI.Win.Create(cells)`.
struct Call<'a> {
    callee: &'a str,
    /// What follows it, without blanks; empty, too, if the call goes on in the next line.
    rest: &'a str,
}

impl Call<'_> {
    /// Whether the expression is this call. Of several calls one after the other it is none: the last one counts.
    fn is_all(&self) -> bool {
        self.rest.is_empty() || self.rest.starts_with('#')
    }
}

fn call(expression: &str) -> Option<Call<'_>> {
    let (callee, arguments) = expression.split_once('(')?;
    let callee = Some(callee.trim()).filter(|callee| is_path(callee))?;
    let mut open = 1_u32;
    for (at, letter) in arguments.char_indices() {
        match letter {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            let rest = arguments[at + 1..].trim();
            return Some(Call { callee, rest });
        }
    }
    Some(Call { callee, rest: "" })
}

/// Whether this is a function of mpi4py that makes a window.
fn is_maker(callee: &str) -> bool {
    callee.rsplit_once('.').is_some_and(|(class, function)| {
        MAKERS.contains(&function) && (class == "Win" || class.ends_with(".Win"))
    })
}

/// Whether this can be assigned to and is one place each time: names joined by dots, and an element by a constant.
fn is_target(text: &str) -> bool {
    let Some((path, index)) = text.strip_suffix(']').and_then(|text| text.split_once('[')) else {
        return is_path(text);
    };
    let is_number = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
    let is_key = ['"', '\''].iter().any(|&quote| {
        let key = index
            .strip_prefix(quote)
            .and_then(|index| index.strip_suffix(quote));
        key.is_some_and(|key| !key.contains(['"', '\'', '\\', '{']))
    });
    is_path(path) && (is_number || is_key)
}

/// Whether this is a name, or names joined by dots.
fn is_path(text: &str) -> bool {
    text.split('.').all(|name| {
        name.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && name
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assignment_names_its_variable() {
        for (line, name) in [
            ("win = MPI.Win.Allocate(8, 8, comm=comm)", "win"),
            (
                "    self.halo = MPI.Win.Create(cells, comm=self.comm)",
                "self.halo",
            ),
            ("window: MPI.Win = Win.Allocate_shared(", "window"),
            ("win = MPI.Win.Create(cells)  # halo (left)", "win"),
            ("wins[0] = MPI.Win.Create(cells)", "wins[0]"),
            ("self.wins['left'] = MPI.Win.Create(cells)", "self.wins['left']"),
            (
                "    with MPI.Win.Create(cells, comm=comm) as win:  # closed",
                "win",
            ),
            ("if (win := MPI.Win.Create(cells)) is not None:", "win"),
            ("keep(1, win := MPI.Win.Create(cells))", "win"),
        ] {
            assert_eq!(variable(line, is_maker), Some(name));
        }
    }

    #[test]
    fn what_is_not_certain_has_no_name() {
        for line in [
            "return MPI.Win.Allocate(8, 8, comm=comm)",
            "win = kept(MPI.Win.Allocate(8, 8))",
            "a = b = MPI.Win.Create(cells)",
            "win, other = MPI.Win.Create(cells), 1",
            "wins[rank] = MPI.Win.Create(cells)",
            "wins[0][1] = MPI.Win.Create(cells)",
            "with kept(MPI.Win.Create(cells)) as win:",
            "with MPI.Win.Create(cells):",
            "with MPI.Win.Create(cells).lock() as held:",
            "if (size := MPI.Win.Create(cells).size) > 1:",
            "if (win := MPI.Win.Create(cells) or other):",
            "win = make(cells)",
            "if win == MPI.Win.Create(cells):",
            "MPI.Win.Create(cells, comm=comm)",
            "    8, 8, comm=comm)",
            "size = MPI.Win.Create(cells).size",
            "win = MPI.Win.Create(cells), other",
        ] {
            assert_eq!(variable(line, is_maker), None, "{line}");
        }
    }

    #[test]
    fn the_line_is_that_of_the_file() {
        let text = "import mpi4py\nwin = MPI.Win.Create(cells)\n";
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(
            of(&frames(&folder, text, &[(2, "<module>")])).as_deref(),
            Some("win")
        );
        for line in [0, 1, 9] {
            assert!(of(&frames(&folder, text, &[(line, "<module>")])).is_none());
        }
    }

    #[test]
    fn an_assignment_may_begin_in_the_line_before() {
        let folder = tempfile::tempdir().unwrap();
        for (text, name) in [
            ("win = (\n    MPI.Win.Allocate(8)\n)\n", Some("win")),
            ("self.win = \\\n    MPI.Win.Allocate(8)\n", Some("self.win")),
            ("win = (8,\n    MPI.Win.Allocate(8))\n", None),
            ("win = keep(\n    MPI.Win.Allocate(8))\n", None),
            ("other = 1\nMPI.Win.Allocate(8)\n", None),
        ] {
            let found = of(&frames(&folder, text, &[(2, "<module>")]));
            assert_eq!(found.as_deref(), name, "{text}");
        }
    }

    #[test]
    fn a_window_without_a_variable_is_called_by_its_array() {
        for (line, name) in [
            (
                "windows.append(MPI.Win.Create(self.cells, 8))",
                Some("self.cells"),
            ),
            ("    return Halo(Win.Create(cells), 2)", Some("cells")),
            (
                "wins[rank] = MPI.Win.Create(parts[1], comm=comm)",
                Some("parts[1]"),
            ),
            ("wins = [MPI.Win.Create(part) for part in parts]", None),
            ("both = MPI.Win.Create(left), MPI.Win.Create(right)", None),
            ("wins.append(MPI.Win.Create(None, comm=comm))", None),
            ("wins.append(MPI.Win.Create(cells[1:], comm=comm))", None),
            ("wins.append(MPI.Win.Create(np.zeros(8)))", None),
            ("wins.append(MPI.Win.Create(", None),
            ("wins.append(MPI.Win.Allocate(8))", None),
        ] {
            assert_eq!(array(line), name, "{line}");
        }
        let text =
            "def make(cells):\n    return MPI.Win.Create(cells)\nall.append(make(left))\nhalo = make(left)\n";
        let folder = tempfile::tempdir().unwrap();
        let name = |line| of(&frames(&folder, text, &[(2, "make"), (line, "<module>")]));
        assert_eq!(name(3).as_deref(), Some("cells"));
        assert_eq!(name(4).as_deref(), Some("halo"));
    }

    #[test]
    fn a_function_that_only_makes_a_window_leaves_the_name_to_its_caller() {
        let text = "def make(cells):\n    return MPI.Win.Create(cells)\ndef both():\n    return make(1)\n\
                    halo = both()\nother = made()\nhalo = kept(both())\ndef list():\n    return [make(1)]\n";
        let folder = tempfile::tempdir().unwrap();
        let name = |places: &[(u32, &str)]| handle(&frames(&folder, text, places));
        assert_eq!(
            name(&[(2, "make"), (4, "both"), (5, "<module>")]).as_deref(),
            Some("halo")
        );
        // Another function's line, one that does more, one that returns more, and a line of nobody.
        assert!(name(&[(2, "make"), (4, "both"), (6, "<module>")]).is_none());
        assert!(name(&[(2, "make"), (4, "both"), (7, "<module>")]).is_none());
        assert!(name(&[(2, "make"), (9, "list"), (5, "<module>")]).is_none());
        assert!(name(&[(2, "make")]).is_none() && name(&[]).is_none());
    }

    fn frames(folder: &tempfile::TempDir, text: &str, places: &[(u32, &str)]) -> Vec<Frame> {
        let path = folder.path().join("x.py");
        std::fs::write(&path, text).unwrap();
        let frame = |&(line, function): &(u32, &str)| Frame {
            function: Some(function.to_owned()),
            place: Some(Place {
                file: path.display().to_string(),
                line,
                column: None,
            }),
            ..Frame::default()
        };
        places.iter().map(frame).collect()
    }
}
