//! The book has a page for each design of the fence and for each transport, which its summary names.

use farside::Fence;
use std::fs;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The page of that name in a folder of the book; the summary and the table of the folder must link it.
fn page(folder: &str, name: &str) -> String {
    let read = |path: PathBuf| fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let (summary, table) = (
        read(docs().join("SUMMARY.md")),
        read(docs().join(folder).join("README.md")),
    );
    assert!(
        summary.contains(&format!("]({folder}/{name}.md)")),
        "SUMMARY.md: {folder}/{name}"
    );
    assert!(
        table.contains(&format!("]({name}.md)")),
        "{folder}/README.md: {name}"
    );
    read(docs().join(folder).join(format!("{name}.md")))
}

#[test]
fn each_fence_has_its_page() {
    for fence in Fence::ALL {
        let text = page("fences", fence.name());
        assert!(text.starts_with(&format!("# {fence}\n")), "{fence}");
        let chosen = format!("`window.set_fence(Fence::{fence:?})`, or `FARSIDE_FENCE={fence}`");
        assert!(text.contains(&chosen), "{fence}");
    }
}

#[test]
fn each_transport_has_its_page() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let names = fs::read_dir(crates).unwrap().filter_map(|entry| {
        let name = entry.ok()?.file_name().into_string().ok()?;
        Some(name.strip_prefix("fabric-")?.to_owned())
    });
    let names: Vec<String> = names.collect();
    assert!(names.len() >= 4, "{names:?}");
    for name in &names {
        let text = page("transports", name);
        assert!(text.starts_with(&format!("# {name}: ")), "{name}");
        assert!(text.contains(&format!("FARSIDE_TRANSPORT={name}")), "{name}");
    }
}
