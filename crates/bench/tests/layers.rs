//! The layers of the workspace (ARCHITECTURE.md): a crate depends on lower layers only, and crates below the outside
//! world forbid unsafe code. Reads `cargo metadata`, so that a new crate or a new dependency cannot slip by.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Layer of every package. A new crate is added here, and in ARCHITECTURE.md.
const LAYERS: &[(&str, u32)] = &[
    ("farside-events", 0),
    ("farside-clocks", 0),
    ("farside-findings", 0),
    ("farside-relations", 0),
    ("farside-verdicts", 0),
    ("farside-robustness", 0),
    ("farside-conformance", 0),
    ("farside-measurements", 0),
    ("farside-calls", 1),
    ("farside-conflicts", 1),
    ("farside-litmus", 1),
    ("farside-models", 1),
    ("farside-pgas", 1),
    ("farside-causes", 2),
    ("farside-race", 2),
    ("farside-trial", 2),
    ("farside-lint", 2),
    ("farside-extract", 2),
    ("farside-fix", 2),
    ("farside-robust", 2),
    ("farside-explore", 2),
    ("farside-distil", 2),
    ("farside-report", 2),
    ("farside-forge", 2),
    ("farside-emit", 2),
    ("farside-conform", 3),
    ("farside-corpus", 3),
    ("farside-fabric", 3),
    ("farside-gaspi", 3),
    ("farside", 3),
    ("farside-fabric-hybrid", 3),
    ("farside-fabric-ofi", 3),
    ("farside-fabric-shm", 3),
    ("farside-fabric-sim", 3),
    ("farside-shmem", 3),
    ("farside-launch", 3),
    ("farside-measure", 3),
    ("farside-interpose", 3),
    ("farside-llvm-front", 3),
    ("farside-llvm-filter", 3),
    ("farside-gcc-filter", 3),
    ("farside-callbacks", 3),
    ("farside-check", 3),
    ("farside-lsp", 3),
    ("farside-collect", 3),
    ("farside-run", 3),
    ("farside-link", 3),
    ("farside-processes", 3),
    ("farside-built", 3),
    ("farside-atomics", 3),
    ("farside-spool", 3),
    ("farside-shards", 3),
    ("farside-cli", 4),
    ("farside-bench", 4),
    ("farside-misuse", 4),
    ("farside-playground", 4),
    ("farside-suite", 4),
    ("farside-tidy", 4),
];

/// Edges within a layer that are wanted; the reason of each is in ARCHITECTURE.md.
const SAME_LAYER: &[(&str, &str)] = &[
    ("farside-models", "farside-litmus"),
    ("farside-lint", "farside-race"),
    ("farside-lint", "farside-trial"),
    ("farside-extract", "farside-lint"),
    ("farside-trial", "farside-causes"),
    ("farside-trial", "farside-race"),
    ("farside-distil", "farside-explore"),
    ("farside-pgas", "farside-litmus"),
    ("farside-launch", "farside-fabric"),
    ("farside-conform", "farside-fabric"),
    ("farside-conform", "farside-fabric-hybrid"),
    ("farside-conform", "farside-fabric-ofi"),
    ("farside-conform", "farside-fabric-shm"),
    ("farside-conform", "farside-fabric-sim"),
    ("farside-conform", "farside-launch"),
    ("farside-conform", "farside-measure"),
    ("farside-conform", "farside-processes"),
    ("farside-fabric-hybrid", "farside-fabric"),
    ("farside-fabric-hybrid", "farside-fabric-ofi"),
    ("farside-fabric-hybrid", "farside-fabric-shm"),
    ("farside-fabric-ofi", "farside-fabric"),
    ("farside-fabric-shm", "farside-fabric"),
    ("farside-fabric-shm", "farside-processes"),
    ("farside-fabric-sim", "farside-fabric"),
    ("farside", "farside-fabric"),
    ("farside", "farside-fabric-shm"),
    ("farside", "farside-fabric-sim"),
    ("farside", "farside-fabric-hybrid"),
    ("farside", "farside-fabric-ofi"),
    ("farside", "farside-launch"),
    ("farside-shmem", "farside-fabric"),
    ("farside-shmem", "farside-fabric-hybrid"),
    ("farside-shmem", "farside-fabric-ofi"),
    ("farside-shmem", "farside-fabric-shm"),
    ("farside-shmem", "farside-launch"),
    ("farside-measure", "farside"),
    ("farside-measure", "farside-processes"),
    ("farside", "farside-spool"),
    ("farside-collect", "farside-link"),
    ("farside-collect", "farside-processes"),
    ("farside-collect", "farside-spool"),
    ("farside-interpose", "farside-collect"),
    ("farside-interpose", "farside-processes"),
    ("farside-interpose", "farside-spool"),
    ("farside-callbacks", "farside-spool"),
    ("farside-spool", "farside-processes"),
    ("farside", "farside-collect"),
    ("farside-run", "farside-collect"),
    ("farside-run", "farside-launch"),
    ("farside-run", "farside-link"),
    ("farside-run", "farside-processes"),
    ("farside-check", "farside-collect"),
    ("farside-check", "farside-processes"),
    ("farside-check", "farside-spool"),
    ("farside-interpose", "farside-atomics"),
    ("farside-callbacks", "farside-atomics"),
    ("farside-gaspi", "farside-fabric"),
    ("farside-gaspi", "farside-fabric-hybrid"),
    ("farside-gaspi", "farside-fabric-ofi"),
    ("farside-gaspi", "farside-fabric-shm"),
    ("farside-gaspi", "farside-launch"),
    ("farside-gaspi", "farside-processes"),
];

/// The layer from which on code may be unsafe.
const OUTSIDE_WORLD: u32 = 3;

/// What `cargo metadata` says of a package of the workspace.
struct Package {
    name: String,
    /// Dependencies within the workspace, those of tests not included.
    dependencies: Vec<String>,
    /// Source files of its libraries and binaries.
    roots: Vec<PathBuf>,
}

fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
            "--manifest-path",
        ])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let package = |package: &Value| Package {
        name: text(&package["name"]),
        dependencies: list(&package["dependencies"])
            .iter()
            .filter(|edge| edge["path"].is_string() && edge["kind"] != "dev")
            .map(|edge| text(&edge["name"]))
            .collect(),
        roots: list(&package["targets"])
            .iter()
            .filter(|target| {
                list(&target["kind"])
                    .iter()
                    .any(|kind| kind == "lib" || kind == "bin" || kind == "cdylib")
            })
            .map(|target| PathBuf::from(text(&target["src_path"])))
            .collect(),
    };
    list(&metadata["packages"]).iter().map(package).collect()
}

/// Every edge that points to the same or a higher layer without leave, in words.
fn breaches(edges: &[(String, String)]) -> Vec<String> {
    let layers: BTreeMap<&str, u32> = LAYERS.iter().copied().collect();
    let forbidden = edges.iter().filter(|(from, to)| {
        let (Some(from_layer), Some(to_layer)) = (layers.get(from.as_str()), layers.get(to.as_str())) else {
            return true;
        };
        let same_by_leave = from_layer == to_layer && SAME_LAYER.contains(&(from.as_str(), to.as_str()));
        to_layer >= from_layer && !same_by_leave
    });
    forbidden
        .map(|(from, to)| format!("{from} depends on {to}"))
        .collect()
}

#[test]
fn a_crate_depends_on_lower_layers_only() {
    let edges: Vec<(String, String)> = packages()
        .into_iter()
        .flat_map(|package| {
            let from = package.name;
            package.dependencies.into_iter().map(move |to| (from.clone(), to))
        })
        .collect();
    assert!(!edges.is_empty());
    assert_eq!(breaches(&edges), Vec::<String>::new());
}

#[test]
fn every_package_has_a_layer() {
    let mut found: Vec<String> = packages().into_iter().map(|package| package.name).collect();
    let mut listed: Vec<String> = LAYERS.iter().map(|&(name, _)| name.to_owned()).collect();
    found.sort();
    listed.sort();
    assert_eq!(found, listed);
}

#[test]
fn unsafe_code_is_forbidden_below_the_outside_world() {
    let layers: BTreeMap<&str, u32> = LAYERS.iter().copied().collect();
    let mut looked_at = 0;
    for package in packages()
        .iter()
        .filter(|package| layers.get(package.name.as_str()) < Some(&OUTSIDE_WORLD))
    {
        for root in &package.roots {
            let source = std::fs::read_to_string(root).expect("the source is readable");
            assert!(
                source.lines().any(|line| line == "#![forbid(unsafe_code)]"),
                "{}",
                root.display()
            );
            looked_at += 1;
        }
    }
    assert!(looked_at > 0);
}

#[test]
fn an_edge_upwards_or_sideways_is_a_breach() {
    let edge = |from: &str, to: &str| [(from.to_owned(), to.to_owned())];
    assert_eq!(
        breaches(&edge("farside-race", "farside-events")),
        Vec::<String>::new()
    );
    assert_eq!(breaches(&edge("farside-events", "farside-race")).len(), 1);
    assert_eq!(breaches(&edge("farside-race", "farside-explore")).len(), 1);
    assert_eq!(breaches(&edge("farside-race", "farside-unknown")).len(), 1);
}
