//! Model files: errors lie within the text. A model may include itself, as "again".
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let resolve = |name: &str| (name == "again").then(|| text.to_owned());
    if let Err(errors) = farside_models::parse_model(text, &resolve) {
        assert!(!errors.is_empty());
        for error in errors {
            // The place may be one of a shipped model that it includes.
            assert!(
                error.file.is_some() || text.get(error.place.clone()).is_some(),
                "{error:?}"
            );
        }
    }
});
