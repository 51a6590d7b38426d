//! Handles of programs that compilers have just built, which print where they are and the frames around them.

use super::*;
use std::process::Command;

const SOURCE: &str = r#"#include <stdio.h>
#include <stdlib.h>
typedef struct opaque *MPI_Win;
struct halo { double cells; MPI_Win win; union { MPI_Win one; long two; } either; MPI_Win more[3]; };
static MPI_Win static_win;
MPI_Win several[2][3];
struct halo halos[2];
/* What the caller's caller would be asked for: the return address, the stack pointer, the frame's end. */
__attribute__((noinline)) void tell(void *handle, void *canonical) {
  printf("%p %p %p %p\n", handle, __builtin_return_address(0), __builtin_dwarf_cfa(), canonical);
}
__attribute__((noinline)) void other_frame(void) {
  MPI_Win first; tell(&first, __builtin_dwarf_cfa());
  { MPI_Win inner; tell(&inner, __builtin_dwarf_cfa()); }
  { MPI_Win outer; tell(&outer, __builtin_dwarf_cfa()); }
}
int main(void) {
  static MPI_Win kept;
  void *here = __builtin_dwarf_cfa();
  MPI_Win wins[2][3];
  struct halo halo;
  tell(&static_win, NULL);
  tell(&several[1][2], NULL);
  tell(&halos[1].more[2], NULL);
  tell(&kept, NULL);
  tell(&wins[1][0], here);
  tell(&halo.win, here);
  tell(&halo.either, here);
  tell((char *)&halo.win + 1, here);
  tell(&halo, here);
  other_frame();
  return 0;
}
"#;

/// What each handle of the program, built so, is called. Compilers that are not there are left out.
fn names(compiler: &str, flags: &[&str]) -> Option<Vec<Option<String>>> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.c"), SOURCE).unwrap();
    let built = Command::new(compiler)
        .args(["-no-pie", "-g", "x.c", "-o", "x", "-w"])
        .args(flags)
        .current_dir(&folder)
        .status();
    let Ok(status) = built else {
        eprintln!("left out: there is no {compiler}");
        return None;
    };
    assert!(status.success());
    let path = folder.path().join("x");
    let output = Command::new(&path).output().unwrap();
    let file = DebugFile::read(&path).unwrap();
    let hexadecimal = |word: &str| u64::from_str_radix(word.trim_start_matches("0x"), 16).unwrap_or(0);
    let name = |line: &str| {
        let words: Vec<u64> = line.split_whitespace().map(hexadecimal).collect();
        let [address, return_address, stack_pointer, canonical] = words[..] else {
            panic!("{line}");
        };
        if canonical == 0 {
            return file.global(address);
        }
        let frame = StackFrame {
            return_address,
            stack_pointer,
            canonical,
        };
        file.local(frame, address)
    };
    Some(
        String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(name)
            .collect(),
    )
}

const EXPECTED: [Option<&str>; 12] = [
    Some("static_win"),
    Some("several[1][2]"),
    Some("halos[1].more[2]"),
    Some("kept"),
    Some("wins[1][0]"),
    Some("halo.win"),
    // Either member of the union.
    None,
    // Within the handle, not at its beginning.
    None,
    // A number, which no handle is, but what begins there.
    Some("halo.cells"),
    Some("first"),
    Some("inner"),
    Some("outer"),
];

#[test]
fn variables_are_found_with_and_without_optimisation_and_frame_pointers() {
    for compiler in ["cc", "clang-19"] {
        for flags in [
            &["-O0"][..],
            &["-O0", "-fomit-frame-pointer"],
            &["-O2"],
            &["-O2", "-fno-omit-frame-pointer"],
            &["-O0", "-gdwarf-4"],
        ] {
            if let Some(names) = names(compiler, flags) {
                let names: Vec<_> = names.iter().map(Option::as_deref).collect();
                assert_eq!(names, EXPECTED, "{compiler} {flags:?}");
            }
        }
    }
}

/// The lines of places alone, as `-g1` has them, name nothing.
#[test]
fn without_information_on_variables_there_is_no_name() {
    let names = names("cc", &["-O1", "-g1"]).unwrap();
    assert_eq!(names, vec![None; EXPECTED.len()]);
}
