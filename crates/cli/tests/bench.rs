//! `farside bench` from outside: between processes, and what it refuses. What figures mean is tested in
//! `farside-measure`.

use std::process::{Command, Output};

fn bench(words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_farside"))
        .arg("bench")
        .args(words.split(' '))
        .output()
        .expect("farside can be started")
}

#[test]
fn designs_between_processes_become_one_report_with_all_samples() {
    let output = bench(
        "fence --transport shm --ranks 2,3 --rounds 2 --samples 5 --time-limit 60 --format json \
         --fences fence-flush,fence-def",
    );
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["place"], "shm");
    assert_eq!(report["left_out"].as_array().map(Vec::len), Some(0), "{report}");
    let rows = report["rows"].as_array().expect("rows");
    // No put, and one put; 2 and 3 ranks; two designs.
    assert_eq!(rows.len(), 8, "{report}");
    for row in rows {
        // Each round adds its samples.
        assert_eq!(row["samples"].as_array().map(Vec::len), Some(10), "{row}");
        assert!(row["median"].as_f64().is_some_and(|time| time > 0.0), "{row}");
    }
    assert!(errors.contains("round 2 of 2: farside, 3 ranks"), "{errors}");
}

#[test]
fn what_cannot_be_run_is_said_with_status_2() {
    let cases = [
        (
            "fence --transport pigeons",
            "one of shm, ofi, ofi:PROVIDER, hybrid, hybrid:PROVIDER and verbs",
        ),
        ("fence --transport shm --mpi mpi9", "say mpich or openmpi"),
        (
            "fence --transport verbs --mpi mpich",
            "no MPI here communicates over",
        ),
        ("fence --mpi mpich", "--transport"),
        ("fence --transport shm --on threads", "cannot be used with"),
        ("fence --transport shm --fences imm-ri", "no design of a fence"),
    ];
    for (words, expected) in cases {
        let output = bench(words);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {errors}");
        assert!(errors.contains(expected), "{words}: {errors}");
    }
}
