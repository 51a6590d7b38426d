//! Logs: a log differs in nothing from itself.
#![no_main]

use farside_litmus::log;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(read) = log::read(text) {
        assert_eq!(log::compare(&read, &read), []);
    }
});
