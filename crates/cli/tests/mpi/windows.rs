//! Findings name windows: by the name that the program gave, the variable of the handle, the place of creation.

use crate::setting::{Check, on_each};
use crate::stdout;
use serde_json::Value;

/// The line that makes all windows.
fn line() -> u64 {
    let mut lines = include_str!("windows.c").lines();
    lines
        .position(|line| line.contains("/* makes all windows */"))
        .unwrap() as u64
        + 1
}

#[test]
fn windows_are_named_by_the_program_their_variables_or_their_places() {
    on_each(|mpi| {
        let report = |options: &[&str]| stdout(&Check::new(options).expect(&mpi.command("windows", ""), 1));
        let json: Value = serde_json::from_str(&report(&["--format", "json"])).unwrap();
        let findings = json["findings"].as_array().unwrap();
        let windows: Vec<&str> = findings
            .iter()
            .map(|finding| finding["window"].as_str().unwrap())
            .collect();
        let [variables @ .., heap, named] = &windows[..] else {
            panic!("{windows:?}");
        };
        assert_eq!(variables, ["win", "halo.win", "halo.more[1]", "several[2]"]);
        assert!(
            heap.starts_with("created at ") && heap.ends_with(&format!("windows.c:{}", line())),
            "{heap}"
        );
        assert_eq!(*named, "of the program");
        for finding in findings {
            let created = &finding["created"];
            if variables.contains(&finding["window"].as_str().unwrap()) {
                assert_eq!(
                    (&created["call"], &created["place"]["line"]),
                    (&"MPI_Win_allocate".into(), &line().into())
                );
            } else {
                assert!(created.is_null());
            }
        }
        let text = report(&[]);
        assert!(
            text.contains("window: halo.more[1] (MPI_Win_allocate at "),
            "{text}"
        );
        assert!(text.contains("window: of the program\n"), "{text}");
    });
}
