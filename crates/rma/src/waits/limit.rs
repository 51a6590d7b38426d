//! The time limit with which a world begins.

use crate::{Error, Result};
use std::time::Duration;

/// The environment variable that sets it: seconds, or `off`.
const VARIABLE: &str = "FARSIDE_TIME_LIMIT";

/// In builds with debug assertions, of real and of virtual time, of which more passes in a run.
const DEBUG: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(1_000_000));

/// What the environment asks for, else that of the build.
///
/// # Errors
/// The variable is neither a number of seconds nor `off`.
pub(crate) fn by_environment(virtual_time: bool) -> Result<Option<Duration>> {
    match std::env::var_os(VARIABLE) {
        Some(text) if !text.is_empty() => parse(&text.to_string_lossy()),
        _ => Ok(cfg!(debug_assertions).then_some(if virtual_time { DEBUG.1 } else { DEBUG.0 })),
    }
}

fn parse(text: &str) -> Result<Option<Duration>> {
    if text == "off" {
        return Ok(None);
    }
    let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0);
    let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    limit.map(Some).ok_or_else(|| {
        Error::Start(format!(
            "{VARIABLE} is `{text}`, neither seconds above 0 nor `off`"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_or_off() {
        assert_eq!(parse("off"), Ok(None));
        assert_eq!(parse("1.5"), Ok(Some(Duration::from_millis(1500))));
        for wrong in ["", "0", "-1", "never", "1e300", "nan"] {
            let error = parse(wrong).expect_err(wrong);
            assert!(error.to_string().contains("FARSIDE_TIME_LIMIT"), "{error}");
        }
    }
}
