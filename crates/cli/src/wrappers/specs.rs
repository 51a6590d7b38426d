//! A GCC specs file that gives `-fsanitize=thread` to the compilers proper and hides it from the driver.
//!
//! The file has no name while GCC reads it: it is unlinked at once and handed over as `/proc/PID/fd/N`, so that nothing is left
//! behind, however the compilation ends.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::{env, process};

/// `cc1_options` goes to cc1, cc1plus, f951 and lto1. The user may still exempt a file. `-Wtsan` warns that the thread
/// sanitizer does not understand fences; a program built with `-Werror` must not fail for that.
const TEXT: &str =
    "*cc1_options:\n+ %{!fno-sanitize=thread:%{!fno-sanitize=all:-fsanitize=thread -Wno-tsan}}\n\n";

/// The file, readable by name until this is dropped.
pub(super) struct Specs {
    file: File,
}

impl Specs {
    /// Writes the file.
    ///
    /// # Errors
    /// No place for temporary files, or none left there.
    pub(super) fn create() -> io::Result<Self> {
        let folder = env::temp_dir();
        for attempt in 0..1000 {
            let path = folder.join(format!("farside-{}-{attempt}.specs", process::id()));
            match File::options()
                .read(true)
                .write(true)
                .create_new(true)
                .open(&path)
            {
                Ok(mut file) => {
                    fs::remove_file(&path)?;
                    file.write_all(TEXT.as_bytes())?;
                    return Ok(Self { file });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// The option that makes GCC read it.
    pub(super) fn option(&self) -> OsString {
        format!("-specs=/proc/{}/fd/{}", process::id(), self.file.as_raw_fd()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readable_by_name_as_often_as_wanted() {
        let specs = Specs::create().unwrap();
        let option = specs.option().into_string().unwrap();
        let path = option.strip_prefix("-specs=").unwrap();
        for _ in 0..2 {
            assert_eq!(fs::read_to_string(path).unwrap(), TEXT);
        }
    }
}
