//! A GCC specs file that gives `-fsanitize=thread` to the compilers proper and hides it from the driver.
//!
//! The file has no name while GCC reads it: it is unlinked at once and inherited as an open file, `/proc/self/fd/N`. So
//! nothing is left, however the compilation ends. Its option and its time of modification are the same every time, for
//! ccache takes these for what is in it.

use rustix::io::{FdFlags, fcntl_setfd};
use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::time::{Duration, SystemTime};
use std::{env, process};

/// `cc1_options` goes to cc1, cc1plus, f951 and lto1. The user may still exempt a file. `-Wtsan` warns that the thread
/// sanitizer does not understand fences; a program built with `-Werror` must not fail for that.
const TEXT: &str =
    "*cc1_options:\n+ %{!fno-sanitize=thread:%{!fno-sanitize=all:-fsanitize=thread -Wno-tsan}}\n\n";

/// The file, which this process and those that it starts read by name until this is dropped.
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
                    file.set_modified(time_of(TEXT))?;
                    fcntl_setfd(&file, FdFlags::empty())?;
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
        format!("-specs=/proc/self/fd/{}", self.file.as_raw_fd()).into()
    }
}

/// A time that is another one for another text.
fn time_of(text: &str) -> SystemTime {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    SystemTime::UNIX_EPOCH + Duration::from_secs(hasher.finish() >> 34)
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
