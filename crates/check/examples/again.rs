//! Judges a spool folder that was kept (`farside check --keep-spool`) once more: `again FOLDER [JUDGES [TIMES]]`.

use farside_check::{Ties, judge_again};
use farside_race::Options;
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| {
        arguments
            .get(index)
            .and_then(|text| text.parse().ok())
            .unwrap_or(1)
    };
    let Some(folder) = arguments.first() else {
        eprintln!("again FOLDER [JUDGES [TIMES]]");
        std::process::exit(2);
    };
    for _ in 0..number(2) {
        let again = judge_again(
            Path::new(folder),
            Options::default(),
            (Ties::Estimated, number(1)),
            false,
        );
        println!("{} events, {} findings", again.events, again.findings.len());
    }
}
