//! Litmus tests: errors lie within the text, and what parses prints and parses back.
#![no_main]

use farside_litmus::{Layout, parse, print, print_as};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match parse(text) {
        Ok(program) => {
            let texts = [
                print(&program),
                print_as(&program, Layout::Columns),
                print_as(&program, Layout::Sequential),
            ];
            for printed in texts {
                assert_eq!(parse(&printed).as_ref(), Ok(&program), "{printed}");
            }
            assert_eq!(program.hash().len(), 32);
        }
        Err(errors) => {
            assert!(!errors.is_empty() && errors.len() <= 20);
            for error in errors {
                assert!(text.get(error.place.clone()).is_some(), "{error:?}");
                let (line, column) = error.position(text);
                assert!(line > 0 && column > 0);
            }
        }
    }
});
