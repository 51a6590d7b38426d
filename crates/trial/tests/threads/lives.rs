//! Statements that are moved over the start of a thread, or the wait for its end.

use super::run::{Program, Statement};
use super::{helps, verified};
use farside_findings::Action;
use farside_race::{Code, RawSuggestion};
use proptest::prelude::*;

/// With a statement on the other side of a place; `None` if a suggestion moves none of one text.
fn with_moved(program: &Program, suggestion: &RawSuggestion) -> Option<Program> {
    let is_move = suggestion.action == Action::Move;
    let [Code::Call(_) | Code::Access] = suggestion.code[..] else {
        return None;
    };
    // What another thread does has the line that made that thread, too.
    let line = |spot: &farside_race::Spot| spot.site.stack.0 % (1 << 32);
    let own = line(suggestion.at.as_ref().filter(|_| is_move)?);
    let (after, before) = (suggestion.after.as_ref(), suggestion.before.as_ref());
    let to = line(after.or(before)?);
    let mut changed = program.clone();
    let text = changed
        .texts
        .iter_mut()
        .find(|text| text.iter().any(|(number, _)| *number == own))?;
    let statement = text.remove(text.iter().position(|(number, _)| *number == own)?);
    let to = text.iter().position(|(number, _)| *number == to)?;
    text.insert(to + usize::from(after.is_some()), statement);
    Some(changed)
}

fn statement() -> impl Strategy<Value = Statement> {
    let buffer = 0..2_u64;
    prop_oneof![
        3 => buffer.clone().prop_map(|buffer| Statement::Put { buffer, offset: 8 * buffer }),
        3 => (buffer, any::<bool>()).prop_map(|(buffer, store)| Statement::Use { buffer, store }),
        3 => any::<bool>().prop_map(|local| Statement::Flush { local }),
    ]
}

prop_compose! {
    /// One thread starts another one, does something, and waits for its end.
    fn program()(
        parts in prop::array::uniform3(prop::collection::vec(statement(), 0..3)),
        helper in prop::collection::vec(statement(), 1..4),
    ) -> Program {
        let [above, meanwhile, below] = parts;
        let joined = [above, vec![Statement::Start], meanwhile, vec![Statement::Join], below];
        Program::new([joined.concat(), helper], vec![0, 1])
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// What is moved over the start of a thread or its end helps in the program itself, by whatever schedule it runs.
    #[test]
    fn what_is_moved_helps(program in program(), seeds in any::<[u64; 4]>()) {
        let (before, moves) = verified(&program, seeds[0], |one| one.action == Action::Move);
        let changed = moves.into_iter().filter_map(|(race, one)| {
            let changed = with_moved(&program, &one)?;
            Some((race, one, changed))
        });
        helps(&program, (before, changed), &seeds[1..])?;
    }
}

/// A flush goes before the start of the thread that stores to the buffer, or the store after the end of the one that
/// flushes.
#[test]
fn a_flush_is_moved_over_a_start_and_a_load_over_a_join() {
    let (put, flush) = (
        Statement::Put { buffer: 0, offset: 0 },
        Statement::Flush { local: false },
    );
    let access = |store| Statement::Use { buffer: 0, store };
    let flushed = vec![put, Statement::Start, flush, Statement::Join];
    let used = vec![put, Statement::Start, access(true), Statement::Join];
    for (text, helper, wanted) in [
        (flushed, access(true), [10_300, 10_100]),
        (used, flush, [10_300, 10_400]),
    ] {
        let program = Program::new([text, vec![helper]], vec![0, 1]);
        let (_, moves) = verified(&program, 1, |one| one.action == Action::Move);
        let told: Vec<[u64; 2]> = moves
            .iter()
            .filter_map(|(_, one)| {
                Some([one.at.as_ref()?, one.after.as_ref()?].map(|spot| spot.site.stack.0))
            })
            .collect();
        assert!(told.contains(&wanted), "{program:?}: {moves:?}");
    }
}
