//! Windows are named as the sources write what holds them, or not by a name at all.

use super::{MPI, body, folder, lint_in};
use serde_json::Value;

#[test]
fn elements_have_their_numbers_and_members_no_name() {
    let of = |[global, local]: [&str; 2], window: &str| {
        let body = body("").replace("MPI_Win win;", local);
        let text = format!(
            "{MPI}
{global}
int main(int argc, char **argv) {{ MPI_Init(&argc, &argv);
{}
MPI_Finalize(); return 0; }}",
            body.replace("win)", &format!("{window})"))
        );
        let folder = folder(&[("a.c", &text)]);
        let output = lint_in(folder.path(), &["--format", "json", "a.c"]);
        let json: Value = serde_json::from_slice(&output.stdout).expect("a report");
        json["findings"][0]["window"].as_str().map(str::to_owned)
    };
    for (declared, window) in [
        ("MPI_Win win;", "win"),
        ("MPI_Win win[3];", "win[2]"),
        ("MPI_Win win[2][3];", "win[1][2]"),
    ] {
        for places in [[declared, ""], ["", declared]] {
            assert_eq!(of(places, window).as_deref(), Some(window));
        }
    }
    for (declared, window) in [
        ("struct { MPI_Win win; } only;", "only.win"),
        ("struct { int n; MPI_Win win[2]; } halo;", "halo.win[0]"),
    ] {
        for places in [[declared, ""], ["", declared]] {
            let name = of(places, window);
            assert!(
                name.as_deref()
                    .is_some_and(|name| name.starts_with("created at ")),
                "{name:?}"
            );
        }
    }
}
