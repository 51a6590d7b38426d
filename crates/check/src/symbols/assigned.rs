//! The variable of a window in Python: that to which the line which makes the window assigns it.
//!
//! Promise: a name is given only of a line that is one assignment to one variable, or to an attribute of one, of a call
//! that makes a window, and of nothing else. Limits: it is the line as the file has it now; a window that a function
//! returns, or that a list holds, has no name.

use farside_findings::Place;

/// The functions of mpi4py that make a window.
const MAKERS: [&str; 4] = ["Allocate", "Allocate_shared", "Create", "Create_dynamic"];
/// Bytes of a file that is read at most: nobody writes a longer one.
const LIMIT: u64 = 4 << 20;

/// The variable, if the line says it.
pub(super) fn of(place: &Place) -> Option<String> {
    let is_read = place.file.ends_with(".py") && std::fs::metadata(&place.file).ok()?.len() <= LIMIT;
    let text = is_read.then(|| std::fs::read_to_string(&place.file).ok())??;
    let line = text.lines().nth((place.line as usize).checked_sub(1)?)?;
    variable(line).map(str::to_owned)
}

fn variable(line: &str) -> Option<&str> {
    let (left, right) = line.split_once('=')?;
    // `win: MPI.Win = ...`
    let name = left.split_once(':').map_or(left, |(name, _)| name).trim();
    let callee = right.split_once('(')?.0.trim();
    let (class, function) = callee.rsplit_once('.')?;
    let is_maker = MAKERS.contains(&function) && (class == "Win" || class.ends_with(".Win"));
    (is_path(name) && is_path(class) && is_maker).then_some(name)
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
        ] {
            assert_eq!(variable(line), Some(name));
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
        ] {
            assert_eq!(variable(line), None, "{line}");
        }
    }

    #[test]
    fn the_line_is_that_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.py");
        std::fs::write(&path, "import mpi4py\nwin = MPI.Win.Create(cells)\n").unwrap();
        let at = |line| Place {
            file: path.display().to_string(),
            line,
            column: None,
        };
        assert_eq!(of(&at(2)).as_deref(), Some("win"));
        assert!(of(&at(1)).is_none() && of(&at(0)).is_none() && of(&at(9)).is_none());
    }
}
