//! A library with a C interface, found where the user has it: below `/usr`, or below a prefix of its own.
//!
//! The compiler is asked, not a folder: it knows its own folders, `CPATH`, `C_INCLUDE_PATH` and `LIBRARY_PATH`.
//! pkg-config is asked where it knows the library and the compiler does not. If the header lies in `PREFIX/include`,
//! the library is also looked for in `PREFIX/lib` and `PREFIX/lib64`, and found there again when the program runs.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What compiles the emitted programs.
pub(super) const COMPILER: &str = "cc";

/// What a program of the interface is compiled and linked with.
pub(crate) struct Native {
    /// Its header, as a program includes it.
    pub(crate) header: &'static str,
    /// What pkg-config calls it.
    pub(crate) package: Option<&'static str>,
    /// The libraries to link with.
    pub(crate) libraries: &'static [&'static str],
    /// Where it comes from, for people.
    pub(crate) packages: &'static str,
}

impl Native {
    /// Options to compile and link with, to stand after the source.
    ///
    /// # Errors
    /// The header is not found: where it was looked for, and where it comes from.
    pub(crate) fn options(&self) -> Result<Vec<OsString>, String> {
        let mut options = Vec::new();
        let mut header = self.header_with(&options);
        if header.is_none()
            && let Some(flags) = self.package.and_then(asked)
        {
            options = flags;
            header = self.header_with(&options);
        }
        let Some(header) = header else {
            return Err(format!(
                "`{COMPILER}` does not find {}; {}. Below a prefix of its own it is found by CPATH and LIBRARY_PATH{}",
                self.header,
                self.packages,
                if self.package.is_some() {
                    ", or PKG_CONFIG_PATH"
                } else {
                    ""
                }
            ));
        };
        options.extend(self.folders_beside(&header));
        options.extend(self.libraries.iter().map(|name| format!("-l{name}").into()));
        Ok(options)
    }

    /// The file that the compiler takes for the header.
    fn header_with(&self, options: &[OsString]) -> Option<PathBuf> {
        let mut command = Command::new(COMPILER);
        let preprocessed = command.args(options).args(["-E", "-x", "c", "-"]);
        let text = answer(preprocessed, &format!("#include <{}>\n", self.header))?;
        // A line marker: `# 1 "/opt/portals4/include/portals4.h" 1 3 4`.
        let ending = format!("/{}", self.header);
        let markers = text.lines().filter(|line| line.starts_with("# "));
        let mut names = markers.filter_map(|line| line.split('"').nth(1));
        names.find(|name| name.ends_with(&ending)).map(PathBuf::from)
    }

    /// Options for the folders of libraries that belong to the header's, if they hold ours.
    fn folders_beside(&self, header: &Path) -> Vec<OsString> {
        let depth = Path::new(self.header).components().count();
        let Some(prefix) = header.ancestors().nth(depth + 1) else {
            return Vec::new();
        };
        let folders = ["lib", "lib64"].map(|name| prefix.join(name));
        let holds = |folder: &PathBuf| {
            let file = |name: &&str| folder.join(format!("lib{name}.so")).is_file();
            prefix != Path::new("/usr") && self.libraries.iter().any(file)
        };
        let option = |start: &str, folder: &Path| {
            let mut option = OsString::from(start);
            option.push(folder);
            option
        };
        let folders = folders.iter().filter(|folder| holds(folder));
        folders
            .flat_map(|folder| [option("-L", folder), option("-Wl,-rpath,", folder)])
            .collect()
    }
}

/// What pkg-config says of a package.
fn asked(package: &str) -> Option<Vec<OsString>> {
    let text = answer(
        Command::new("pkg-config").args(["--cflags", "--libs", package]),
        "",
    )?;
    Some(text.split_whitespace().map(OsString::from).collect())
}

/// What a command prints that succeeds.
fn answer(command: &mut Command, input: &str) -> Option<String> {
    let command = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    // A command that has failed already reads nothing; its status says so.
    let _ = child.stdin.take()?.write_all(input.as_bytes());
    let output = child.wait_with_output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_below_its_own_prefix_lies_beside_its_header() {
        let base = tempfile::tempdir().unwrap();
        let native = Native {
            header: "far/side.h",
            package: None,
            libraries: &["far"],
            packages: "no package",
        };
        let said = native.options().unwrap_err();
        assert!(said.contains("far/side.h") && said.contains("CPATH"), "{said}");
        let folder = base.path().join("include/far");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::create_dir(base.path().join("lib")).unwrap();
        std::fs::write(folder.join("side.h"), "int far(void);\n").unwrap();
        std::fs::write(base.path().join("lib/libfar.so"), "").unwrap();
        let include = format!("-I{}", base.path().join("include").display());
        let header = native.header_with(&[include.into()]).unwrap();
        assert_eq!(header, folder.join("side.h"));
        let lib = base.path().join("lib").display().to_string();
        assert_eq!(
            native.folders_beside(&header),
            ["-L", "-Wl,-rpath,"].map(|start| OsString::from(format!("{start}{lib}")))
        );
    }
}
