//! The C programs of robust-tests/c: what is printed of each is the program again. Their verdicts are the command's,
//! and tested there.

mod reading;

use farside_pgas::parser::parse;
use reading::followed;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robust-tests/c")
}

#[test]
fn what_is_printed_is_the_program_again() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    assert!(files.len() >= 20, "{}", files.len());
    let mut wrong = Vec::new();
    for file in &farside_built::by_day(2, files) {
        let text = std::fs::read_to_string(file).unwrap();
        let said = |of: &str| text.lines().take(5).find_map(|line| line.strip_prefix(of));
        let ranks = said("// ranks: ").map_or(2, |ranks| ranks.parse().unwrap());
        let words = said("// args: ").unwrap_or("").split_whitespace();
        let arguments: Vec<String> = words.map(str::to_owned).collect();
        let extract = followed(std::slice::from_ref(file), ranks, 0, &arguments);
        let printed = extract.all_ways().to_string();
        match parse(&printed) {
            Ok(again) if again == *extract.all_ways() => {}
            Ok(_) => wrong.push(format!(
                "{}: another program when it is read:\n{printed}",
                file.display()
            )),
            Err(errors) => wrong.push(format!("{}: {errors:?}\n{printed}", file.display())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
