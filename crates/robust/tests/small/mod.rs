//! The engine for small numbers of ranks.

use farside_pgas::lower::{Settings, lower};
use farside_robust::{Limits, Options, Verdict, decide};

/// Whether the engine finds it robust with so many ranks; nothing if there is no such program or it takes too long.
pub(crate) fn engine(program: &farside_pgas::ast::Program, ranks: u32) -> Option<bool> {
    let mut domain = 2;
    loop {
        let settings = Settings {
            ranks: Some(ranks),
            domain: program.domain.is_none().then_some(domain),
            ..Settings::default()
        };
        let options = Options {
            limits: Limits {
                states: 300_000,
                ..Limits::default()
            },
            shortest: false,
            ..Options::default()
        };
        let decided =
            lower(program, settings).map(|program| decide(&program, &options, &mut || false).verdict);
        match decided {
            Ok(Verdict::Robust) => return Some(true),
            Ok(Verdict::NotRobust(_)) => return Some(false),
            Ok(Verdict::Inconclusive(_)) => return None,
            Ok(Verdict::OutsideDomain(_)) | Err(_) if program.domain.is_none() && domain < 1 << 10 => {
                domain *= 2
            }
            Ok(Verdict::OutsideDomain(_)) | Err(_) => return None,
        }
    }
}
