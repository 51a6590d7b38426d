//! Any text as a PGAS program or a litmus test: no panic, what is printed is read back as the same, what is lowered is
//! in range, and changes of the text are those of the tree.
#![no_main]

use farside_pgas::ast::{Api, Program};
use farside_pgas::calculus::{self, Polls};
use farside_pgas::change::{apply, offers, patch, takings};
use farside_pgas::dialect::translate;
use farside_pgas::lower::{Settings, lower};
use farside_pgas::parser::parse;
use libfuzzer_sys::fuzz_target;

const SETTINGS: Settings = Settings {
    ranks: Some(2),
    domain: Some(3),
    api: None,
    polls: Polls::Awaited,
};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match parse(text) {
        Ok(program) => {
            printed(&program);
            for api in [None].into_iter().chain(Api::ALL.map(Some)) {
                for polls in [Polls::Awaited, Polls::Observed] {
                    if let Ok(translated) = translate(&program, api, 2, polls) {
                        printed(&translated);
                    }
                    lowered(&program, api, polls);
                }
            }
            if lower(&program, SETTINGS).is_ok() {
                changed(text, &program);
            }
        }
        Err(errors) => {
            for error in errors.iter().take(3) {
                assert!(!error.render("p.pgas", text).contains('\u{1b}'));
            }
        }
    }
    if let Ok(test) = farside_litmus::parse(text)
        && let Ok(program) = farside_pgas::litmus::translate(&test)
    {
        printed(&program);
        lower(&program, Settings::default()).expect("what fits has no errors");
    }
});

fn printed(program: &Program) {
    let text = program.to_string();
    let again = parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    assert_eq!(again, *program, "{text}");
}

fn lowered(program: &Program, api: Option<Api>, polls: Polls) {
    let settings = Settings {
        api,
        polls,
        ..SETTINGS
    };
    let Ok(program) = lower(program, settings) else {
        return;
    };
    for code in &program.codes {
        for transition in &code.transitions {
            assert!(transition.from < code.states && transition.to < code.states);
        }
    }
    let calculus::Program {
        first_cells, cells, ..
    } = &program;
    assert!(first_cells.iter().all(|row| row.len() == cells.len()));
}

/// The first changes, each by itself: the patched text is the changed tree.
fn changed(text: &str, program: &Program) {
    for change in offers(program, None).into_iter().chain(takings(program)).take(20) {
        let patched = patch(text, program, std::slice::from_ref(&change));
        let tree = apply(program, std::slice::from_ref(&change));
        let again = parse(&patched).unwrap_or_else(|errors| panic!("{errors:?}\n{change:?}\n{patched}"));
        assert_eq!(again, tree, "{change:?}\n{patched}");
    }
}
