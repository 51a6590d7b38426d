//! Every test of the library parses, and what is printed of it parses back to the same program.

use farside_litmus::{parse, print};
use std::path::{Path, PathBuf};

fn tests(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tests(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "litmus") {
            found.push(path);
        }
    }
}

#[test]
fn the_library_parses_and_prints() {
    let mut found = Vec::new();
    tests(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../litmus-tests"),
        &mut found,
    );
    assert!(found.len() >= 10, "the papers' programs are there");
    for path in found {
        let text = std::fs::read_to_string(&path).unwrap();
        let program = parse(&text).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
        let printed = print(&program);
        assert_eq!(
            parse(&printed).as_ref(),
            Ok(&program),
            "{}:\n{printed}",
            path.display()
        );
    }
}
