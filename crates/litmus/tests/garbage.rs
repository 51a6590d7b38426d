//! No text makes the parser panic, run away, or point outside of the text.

use farside_litmus::generate::programs;
use farside_litmus::log;
use farside_litmus::{parse, print};
use proptest::prelude::*;
use proptest::sample::Index;

/// Parses; what parses must print and parse back, and errors must lie within the text.
fn check(text: &str) -> Result<(), TestCaseError> {
    match parse(text) {
        Ok(program) => {
            let printed = print(&program);
            let parsed = parse(&printed);
            prop_assert_eq!(parsed.as_ref(), Ok(&program), "{}", printed);
        }
        Err(errors) => {
            prop_assert!((1..=20).contains(&errors.len()));
            for error in &errors {
                prop_assert!(text.get(error.place.clone()).is_some(), "{error:?}");
                let (line, column) = error.position(text);
                prop_assert!(line >= 1 && column >= 1);
                prop_assert!(!error.message.is_empty() && error.to_string().len() < 1000);
            }
            prop_assert!(errors.is_sorted_by_key(|error| error.place.start));
        }
    }
    Ok(())
}

/// Pieces of the language, glued at random.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "RMA t\n",
        "{ 0: X = 1; 1: Y; }",
        "{",
        "}",
        "P0 | P1 ;",
        "P0 {",
        "P1 {",
        "|",
        "||",
        ";",
        "\n",
        "a = X",
        "X = a",
        "X.n",
        "@0",
        "put(Y@1, X)",
        "X = get(Y@1)",
        "while (a) bound 2 {",
        "if (a != 1) {",
        "} else {",
        "exists (",
        "0:a = 1",
        "/\\",
        "~",
        ")",
        "(",
        "(*",
        "*)",
        "//",
        "\"",
        "locations [X;]",
        "filter X = T",
        "-",
        "é",
        "\u{0}",
        "99999999999999999999",
        "fence(",
        "nostore",
        ",",
        " ",
    ]);
    let head = prop::sample::select(vec![
        "",
        "RMA t\n",
        "RMA t\n{ 0: X = 1; 1: Y; }\n",
        "RMA t\n{ 0: X; 1: Y }\nP0 | P1 ;\n",
    ]);
    (head, prop::collection::vec(piece, 0..30))
        .prop_map(|(head, pieces)| format!("{head}{}", pieces.concat()))
}

proptest! {
    #[test]
    fn any_text(text in any::<String>()) {
        check(&text)?;
        check(&format!("RMA t\n{{ 0: X; }}\n P0 ;\n{text}"))?;
        // A log is nearly any text; it only must not panic.
        let _ = log::read(&text);
    }

    #[test]
    fn pieces_of_the_language(text in pieces()) {
        check(&text)?;
    }

    /// Programs with pieces cut out, doubled, or swapped.
    #[test]
    fn damaged_programs(
        program in programs(),
        damages in prop::collection::vec((any::<Index>(), any::<Index>(), 0..4_u8), 1..4),
    ) {
        let mut characters: Vec<char> = print(&program).chars().collect();
        for (from, to, how) in damages {
            let (from, to) = (from.index(characters.len()), to.index(characters.len()));
            let (from, to) = (from.min(to), from.max(to));
            match how {
                0 => { characters.drain(from..to.min(from + 5)); }
                1 => { characters.swap(from, to); }
                2 => { let copy = characters[from..to.min(from + 20)].to_vec(); characters.splice(to..to, copy); }
                _ => characters.truncate(to.max(1)),
            }
            if characters.is_empty() {
                break;
            }
        }
        check(&characters.into_iter().collect::<String>())?;
    }
}
