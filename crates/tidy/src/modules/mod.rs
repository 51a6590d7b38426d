//! The module graph of a crate, read from its sources.
//!
//! A module needs another if a path in its code, resolved through `use` and re-exports, leads to an item of it.
//! Promise: every file that `mod` reaches is read, tests excepted. Not seen: what a macro's expansion names, items
//! brought by `use x::*`, and methods (the calling module names no module; that is why types with methods in several
//! files are listed beside the circles).

mod graph;
mod source;

use clap::Args;
use graph::Graph;
use std::collections::BTreeMap;
use std::path::Path;

/// What is known and may only fall, by crate: modules in circles, open fields, types with methods outside their folder.
const KNOWN: &str = "crates/tidy/known/modules.txt";

/// What to look at, and how much to say of it.
#[derive(Args, Default)]
pub(crate) struct Options {
    /// Folders in `crates/`; all of them if none is named.
    crates: Vec<String>,
    /// Print the edges of circles too: which module needs which.
    #[arg(long)]
    edges: bool,
    /// Take the figures as they are for what is known.
    #[arg(long)]
    accept: bool,
}

/// The figures of a crate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Measure {
    /// Modules that lie in a circle.
    in_circles: usize,
    /// Fields of structs that code outside their module can touch; public ones of public types are excepted, and those
    /// of structs whose layout a C header gives.
    open_fields: usize,
    /// Types with inherent methods outside their folder.
    scattered: usize,
}

/// Prints the figures of the crates; whether they are what is known.
pub(crate) fn check(root: &Path, options: &Options) -> Result<bool, String> {
    let mut names: Vec<String> = Vec::new();
    let folder = root.join("crates");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let entry = entry.map_err(|error| format!("{}: {error}", folder.display()))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    names.retain(|name| options.crates.is_empty() || options.crates.contains(name));
    if let Some(missing) = options.crates.iter().find(|name| !names.contains(name)) {
        return Err(format!("there is no crates/{missing}"));
    }
    let known = known(root)?;
    let mut fine = true;
    let mut measured = BTreeMap::new();
    for name in &names {
        let Some(graph) = Graph::read(&folder.join(name).join("src"))? else {
            continue;
        };
        let measure = show(
            name,
            &graph,
            options.edges || !options.crates.is_empty(),
            options.edges,
        );
        let most = known.get(name).copied().unwrap_or_default();
        // What rose is never accepted.
        let lower = measure.lower(most);
        fine &= if options.accept {
            measure.compare(name, lower)
        } else {
            measure.compare(name, most)
        };
        if lower != Measure::default() {
            measured.insert(name.clone(), lower);
        }
    }
    if options.accept {
        let mut all = known;
        all.retain(|name, _| !names.contains(name));
        all.extend(measured);
        write(root, &all)?;
    }
    Ok(fine)
}

fn known(root: &Path) -> Result<BTreeMap<String, Measure>, String> {
    let text = std::fs::read_to_string(root.join(KNOWN)).map_err(|error| format!("{KNOWN}: {error}"))?;
    let mut known = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let wrong = || format!("{KNOWN}: not a crate and three numbers: {line}");
        let [name, numbers @ ..] = &line.split_whitespace().collect::<Vec<_>>()[..] else {
            continue;
        };
        let numbers: Result<Vec<usize>, _> = numbers.iter().map(|number| number.parse()).collect();
        let [in_circles, open_fields, scattered] = numbers.map_err(|_| wrong())?[..] else {
            return Err(wrong());
        };
        let measure = Measure {
            in_circles,
            open_fields,
            scattered,
        };
        known.insert((*name).to_owned(), measure);
    }
    Ok(known)
}

fn write(root: &Path, all: &BTreeMap<String, Measure>) -> Result<(), String> {
    let mut text = String::from(
        "# crate, modules in circles, fields open beyond their module, types with methods outside their folder: these \
         may\n\
         # only fall. Written by `farside-tidy modules --accept`.\n",
    );
    for (name, measure) in all {
        let Measure {
            in_circles,
            open_fields,
            scattered,
        } = measure;
        text += &format!("{name} {in_circles} {open_fields} {scattered}\n");
    }
    std::fs::write(root.join(KNOWN), text).map_err(|error| format!("{KNOWN}: {error}"))
}

impl Measure {
    /// Of each figure the lower one.
    fn lower(self, other: Self) -> Self {
        Self {
            in_circles: self.in_circles.min(other.in_circles),
            open_fields: self.open_fields.min(other.open_fields),
            scattered: self.scattered.min(other.scattered),
        }
    }

    /// Whether the figures are what is known, no more and no less; says where not.
    fn compare(self, name: &str, most: Self) -> bool {
        let mut same = true;
        for (what, is, may) in [
            ("modules in circles", self.in_circles, most.in_circles),
            (
                "fields open beyond their module",
                self.open_fields,
                most.open_fields,
            ),
            (
                "types with methods outside their folder",
                self.scattered,
                most.scattered,
            ),
        ] {
            if is > may {
                println!("crates/{name}: {is} {what}; no more than {may} may be there");
            } else if is < may {
                println!(
                    "crates/{name}: only {is} {what} are left of {may}: run `farside-tidy modules --accept`"
                );
            }
            same &= is == may;
        }
        same
    }
}

fn show(name: &str, graph: &Graph, details: bool, edges: bool) -> Measure {
    let circles = graph.circles();
    let open = graph.open_fields();
    let methods = graph.methods();
    let scattered: Vec<_> = methods.iter().filter(|(_, place)| place.outside > 0).collect();
    let measure = Measure {
        in_circles: circles.iter().map(Vec::len).sum(),
        open_fields: open.values().sum(),
        scattered: scattered.len(),
    };
    println!(
        "{name}: {} modules, {} lines, {} in {} circles (largest {}), {} open fields in {} modules, {} types with \
         methods outside their folder \
         (most files {})",
        graph.modules(),
        graph.lines(),
        measure.in_circles,
        circles.len(),
        circles.iter().map(Vec::len).max().unwrap_or(0),
        measure.open_fields,
        open.len(),
        measure.scattered,
        methods.values().map(|place| place.files).max().unwrap_or(0),
    );
    if details {
        for circle in &circles {
            println!("  circle: {}", circle.join(", "));
            if edges {
                for (from, to) in graph.edges_within(circle) {
                    println!("    {from} needs {to}");
                }
            }
        }
        for (module, fields) in &open {
            println!("  open fields: {module} {fields}");
        }
        for (of, place) in &scattered {
            println!(
                "  methods of {of} lie in {} files, {} outside its folder",
                place.files, place.outside
            );
        }
    }
    measure
}
