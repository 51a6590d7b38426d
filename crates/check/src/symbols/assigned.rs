//! The variable of a window in Python: that to which the line which makes the window assigns it.
//!
//! Promise: a name is given only of a line that is one assignment to one variable, or to an attribute of one, of a call
//! that makes a window, and of nothing else. Where a function does no more than return what such a call makes, its
//! caller's line is looked at in the same way. Limits: it is the lines as the files have them now; a
//! window that a list holds has no name.

use farside_findings::{Frame, Place};

/// The functions of mpi4py that make a window.
const MAKERS: [&str; 4] = ["Allocate", "Allocate_shared", "Create", "Create_dynamic"];
/// Bytes of a file that is read at most: nobody writes a longer one.
const LIMIT: u64 = 4 << 20;

/// The variable, if the lines, innermost first, say it.
pub(super) fn of(lines: &[Frame]) -> Option<String> {
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
        if !is_made(callee(returned)?) {
            return None;
        }
        function = Some(frame.function.as_deref()?);
    }
    None
}

fn line(place: &Place) -> Option<String> {
    let is_read = place.file.ends_with(".py") && std::fs::metadata(&place.file).ok()?.len() <= LIMIT;
    let text = is_read.then(|| std::fs::read_to_string(&place.file).ok())??;
    let line = text.lines().nth((place.line as usize).checked_sub(1)?)?;
    Some(line.to_owned())
}

/// The variable that a line gives to what a function makes for which `is_made` holds.
fn variable(line: &str, is_made: impl Fn(&str) -> bool) -> Option<&str> {
    let (left, call) = line.split_once('=')?;
    // `win: MPI.Win = ...`
    let name = left.split_once(':').map_or(left, |(name, _)| name);
    let name = name.trim();
    (is_path(name) && is_made(callee(call)?)).then_some(name)
}

/// What an expression calls that begins with a call: `MPI.Win.Create` of `MPI.Win.Create(cells)`. Of several calls one
/// after the other it is none: the last one counts.
fn callee(expression: &str) -> Option<&str> {
    let (callee, arguments) = expression.split_once('(')?;
    let mut open = 1_u32;
    for (at, letter) in arguments.char_indices() {
        match letter {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            let rest = arguments[at + 1..].trim();
            return (rest.is_empty() || rest.starts_with('#'))
                .then_some(callee.trim())
                .filter(|callee| is_path(callee));
        }
    }
    // The call goes on in the next line.
    Some(callee.trim()).filter(|callee| is_path(callee))
}

/// Whether this is a function of mpi4py that makes a window.
fn is_maker(callee: &str) -> bool {
    callee.rsplit_once('.').is_some_and(|(class, function)| {
        MAKERS.contains(&function) && (class == "Win" || class.ends_with(".Win"))
    })
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
            "wins[0] = MPI.Win.Create(cells)",
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
    fn a_function_that_only_makes_a_window_leaves_the_name_to_its_caller() {
        let text = "def make(cells):\n    return MPI.Win.Create(cells)\ndef both():\n    return make(1)\n\
                    halo = both()\nother = made()\nhalo = kept(both())\ndef list():\n    return [make(1)]\n";
        let folder = tempfile::tempdir().unwrap();
        let name = |places: &[(u32, &str)]| of(&frames(&folder, text, places));
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
