//! Places from a program that `cc` has just built: its own addresses are printed by itself.

use super::*;
use farside_events::{Event, EventKind, Module, ThreadId};
use farside_race::Symbols as _;
use std::process::Command;

const SOURCE: &str = r#"#include <stdio.h>
int before;
int halo[16];
static int twice;
__attribute__((noinline)) void *caller(void) {
  return __builtin_return_address(0);
}
static inline __attribute__((always_inline)) void *inlined(void) {
  return caller();   /* line 9 */
}
int main(void) {
  static int count;
  void *address = inlined();   /* line 13 */
  printf("%p %p %p %p %p\n", address, (void *)&halo[3], (void *)&count, (void *)&twice, (void *)&address);
  return count + twice;
}
"#;

/// The program's folder, its code map, and the addresses that it printed.
fn built(flags: &[&str]) -> (tempfile::TempDir, CodeMap, Vec<u64>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.c"), SOURCE).unwrap();
    let path = folder.path().join("x");
    let mut compiler = Command::new("cc");
    compiler
        .args(["-no-pie", "-O1", "-fno-optimize-sibling-calls", "x.c", "-o", "x"])
        .args(flags);
    assert!(compiler.current_dir(&folder).status().unwrap().success());
    let output = Command::new(&path).output().unwrap();
    let words = String::from_utf8(output.stdout).unwrap();
    let address = |word: &str| u64::from_str_radix(word.trim_start_matches("0x"), 16).unwrap();
    let mut code = CodeMap::default();
    let module = Module {
        path: path.to_str().unwrap().into(),
        start: 0x40_0000,
        end: 0x80_0000,
        bias: 0,
        build: Box::default(),
    };
    let event = Event {
        time: 1,
        thread: ThreadId(0),
        kind: EventKind::Module(module),
    };
    code.observe(Rank(0), &event);
    (folder, code, words.split_whitespace().map(address).collect())
}

fn symbols() -> Symbols<'static, impl Fn() -> bool> {
    let binaries = Binaries::new(None, Path::new("/nowhere"));
    Symbols::new(|| false, farside_findings::Layers::default(), binaries)
}

#[test]
fn inlined_calls_are_frames_of_their_own() {
    let (_folder, code, addresses) = built(&["-g"]);
    let mut symbols = symbols();
    let frames = symbols.frames(&code, Rank(0), addresses[0]);
    let shown: Vec<_> = frames
        .iter()
        .map(|frame| {
            let place = frame.place.as_ref().unwrap();
            assert!(place.file.ends_with("x.c"));
            (frame.function.as_deref().unwrap(), place.line)
        })
        .collect();
    assert_eq!(shown, [("inlined", 9), ("main", 13)]);
}

#[test]
fn without_debug_information_the_function_is_named() {
    let (_folder, code, addresses) = built(&[]);
    let mut symbols = symbols();
    let frames = symbols.frames(&code, Rank(0), addresses[0]);
    assert_eq!((frames.len(), frames[0].function.as_deref()), (1, Some("main")));
    assert_eq!(frames[0].place, None);
}

#[test]
fn variables_by_name_and_offset() {
    let (_folder, code, addresses) = built(&["-g"]);
    let mut symbols = symbols();
    let mut variable = |address| symbols.variable(&code, Rank(0), address);
    assert_eq!(variable(addresses[1]).as_deref(), Some("halo+0xc"));
    assert_eq!(variable(addresses[2]).as_deref(), Some("count"));
    assert_eq!(variable(addresses[3]).as_deref(), Some("twice"));
    // The stack is no module's data, and neither is code.
    assert_eq!(variable(addresses[4]), None);
    assert_eq!(variable(addresses[0]), None);
}

#[test]
fn addresses_and_files_that_nobody_knows() {
    let mut symbols = symbols();
    let mut code = CodeMap::default();
    assert_eq!(symbols.frames(&code, Rank(0), 0x1000)[0].function, None);
    let module = Module {
        path: "/gone".into(),
        start: 0x1000,
        end: 0x2000,
        bias: 0x1000,
        build: Box::default(),
    };
    let event = Event {
        time: 1,
        thread: ThreadId(0),
        kind: EventKind::Module(module),
    };
    code.observe(Rank(0), &event);
    let frames = symbols.frames(&code, Rank(0), 0x1801);
    assert_eq!(
        (frames[0].module.as_deref(), frames[0].address),
        (Some("/gone"), 0x800)
    );
    assert_eq!(symbols.variable(&code, Rank(0), 0x1800), None);
}

#[test]
fn another_build_in_the_same_place_is_not_taken_for_the_one_that_ran() {
    let (_folder, code, addresses) = built(&["-g", "-Wl,--build-id=0x1234"]);
    let of_build = |build: &[u8]| {
        let (_, module) = code.modules().next().unwrap();
        let module = Module {
            build: build.into(),
            ..module.clone()
        };
        let mut code = CodeMap::default();
        let event = Event {
            time: 1,
            thread: ThreadId(0),
            kind: EventKind::Module(module),
        };
        code.observe(Rank(0), &event);
        let mut symbols = symbols();
        let frames = symbols.frames(&code, Rank(0), addresses[0]);
        (frames[0].place.is_some(), symbols.unread().len())
    };
    assert_eq!(of_build(&[0x12, 0x34]), (true, 0));
    assert_eq!(of_build(&[0x12, 0x35]), (false, 1));
    // It has no name: what lies at the path is believed.
    assert_eq!(of_build(&[]), (true, 0));
}
