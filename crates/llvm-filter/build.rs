//! Compiles the pass, `pass/*.cpp`, against the headers of LLVM 19 (Debian: llvm-19-dev).

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=pass");
    println!("cargo::rerun-if-env-changed=LLVM_CONFIG");
    let config = env::var("LLVM_CONFIG").unwrap_or_else(|_| "llvm-config-19".to_owned());
    let output = Command::new(&config).arg("--includedir").output();
    let includes = match output {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        other => panic!(
            "`{config} --includedir` fails ({other:?}); install llvm-19-dev, or name the program in LLVM_CONFIG"
        ),
    };
    // `cargo clippy` links nothing, and would compile all of it once more.
    if env::var_os("CLIPPY_ARGS").is_some() {
        return;
    }
    let mut sources: Vec<_> = fs::read_dir("pass")
        .expect("the folder pass")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "cpp"))
        .collect();
    sources.sort();
    // As one: LLVM's headers are most of the time, and are read once.
    let folder = env::current_dir().expect("the folder of this package");
    let all: String = sources
        .iter()
        .map(|source| format!("#include {:?}\n", folder.join(source)))
        .collect();
    let out = env::var_os("OUT_DIR").expect("cargo says where to write");
    let together = Path::new(&out).join("pass.cpp");
    fs::write(&together, all).expect("a file in the folder that cargo gives");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        // As LLVM itself is built: its classes have no type information to refer to.
        .flags(["-fno-exceptions", "-fno-rtti", "-Wno-unused-parameter"])
        .opt_level(1)
        .flag("-isystem")
        .flag(includes)
        .file(together)
        .compile("farside_filter_pass");
    // No -lLLVM: the compiler that loads this library has LLVM, and a second one in the process would not work.
}
