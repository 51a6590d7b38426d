//! `farside doctor`, `rules` and `schema` from the outside.

use std::process::{Command, Output};

fn farside(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farside"));
    command
        .args(arguments)
        .envs(environment.iter().copied())
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_bare_machine_gets_packages_and_no_panic() {
    let nothing = [("PATH", "/nowhere"), ("FARSIDE_LIBRARIES", "/nowhere")];
    let output = farside(&["doctor"], &nothing);
    assert_eq!(output.status.code(), Some(1));
    let list = text(&output);
    for words in [
        "missing  Open MPI",
        "apt install mpich libmpich-dev",
        "missing  Slurm's srun",
        "missing  farside's preloaded library",
    ] {
        assert!(list.contains(words), "{list}");
    }
}

#[test]
fn libfabric_is_its_library_and_not_its_program() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("libfabric.so.1"), "").unwrap();
    let place = folder.path().display().to_string();
    let output = farside(&["doctor"], &[("PATH", "/nowhere"), ("LD_LIBRARY_PATH", &place)]);
    let list = text(&output);
    let found = format!("{place}/libfabric.so.1");
    assert!(
        list.contains(&found) && !list.contains("missing  libfabric"),
        "{list}"
    );
}

#[test]
fn json_says_the_same() {
    let output = farside(
        &["doctor", "--format", "json"],
        &[("FARSIDE_LIBRARIES", "/nowhere")],
    );
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["can_check"], false);
    assert_eq!(value["pieces"][0]["name"], "preload");
}

#[test]
fn rules_by_id() {
    let all = text(&farside(&["rules"], &[]));
    assert!(all.contains("local-race (error)") && all.contains("polling (warning)"));
    let one = text(&farside(&["rules", "double-lock"], &[]));
    assert!(one.starts_with("double-lock (error)") && !one.contains("local-race"));
    assert_eq!(farside(&["rules", "no-such-rule"], &[]).status.code(), Some(2));
}

#[test]
fn the_schema_is_json() {
    let value: serde_json::Value = serde_json::from_slice(&farside(&["schema"], &[]).stdout).unwrap();
    assert!(value.get("$schema").is_some());
}

#[test]
fn help_and_version() {
    for arguments in [
        &["--version"][..],
        &["help"],
        &["check", "--help"],
        &["help", "check"],
    ] {
        assert_eq!(farside(arguments, &[]).status.code(), Some(0), "{arguments:?}");
    }
    let help = text(&farside(&["check", "--help"], &[]));
    for words in [
        "Exit status:",
        "Examples:",
        "--time-limit <SECONDS>",
        "mpirun -n 4",
    ] {
        assert!(help.contains(words), "{help}");
    }
    assert_eq!(farside(&[], &[]).status.code(), Some(2));
}
