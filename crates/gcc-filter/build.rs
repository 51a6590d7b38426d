//! Compiles the pass, `pass/*.cpp`, against the headers of the GCC that it is for (Debian: gcc-12-plugin-dev).
//!
//! Without them the library is built all the same, without the plugin in it: [`FARSIDE_GCC`](src/lib.rs) is empty.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

/// Major versions of GCC whose classes the pass knows.
const KNOWN: &[&str] = &["12"];

fn main() {
    println!("cargo::rerun-if-changed=pass");
    println!("cargo::rerun-if-env-changed=FARSIDE_GCC");
    println!("cargo::rustc-check-cfg=cfg(has_plugin)");
    let compiler = env::var("FARSIDE_GCC").unwrap_or_else(|_| "gcc".to_owned());
    let asked = |option: &str| -> Option<String> {
        let output = Command::new(&compiler)
            .arg(option)
            .env("LC_ALL", "C")
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let headers = || -> Option<(String, PathBuf)> {
        let version = asked("-dumpfullversion")?;
        let folder = PathBuf::from(asked("-print-file-name=plugin")?).join("include");
        println!("cargo::rerun-if-changed={}", folder.display());
        let known = KNOWN.contains(&version.split('.').next()?);
        (known && folder.join("gcc-plugin.h").is_file()).then_some((version, folder))
    };
    let Some((version, headers)) = headers() else {
        println!(
            "cargo::warning=the headers of `{compiler}` for plugins are missing (Debian: gcc-12-plugin-dev), \
             or it is not GCC {}: \
             programs compiled by gcc will cost more under the checker",
            KNOWN.join(" or ")
        );
        println!("cargo::rustc-env=FARSIDE_GCC_VERSION=");
        return;
    };
    println!("cargo::rustc-cfg=has_plugin");
    println!("cargo::rustc-env=FARSIDE_GCC_VERSION={version}");
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
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        // As GCC itself is built: its classes have no type information to refer to.
        .flags(["-fno-exceptions", "-fno-rtti", "-Wno-unused-parameter"])
        .opt_level(1)
        .flag("-isystem")
        .flag(headers)
        .files(sources)
        .compile("farside_gcc_filter_pass");
}
