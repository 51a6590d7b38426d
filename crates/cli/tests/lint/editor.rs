//! `farside lsp`, spoken to as an editor does.

use crate::{FLUSH, program};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Editor {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    asked: u64,
}

impl Editor {
    fn start() -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_farside"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (server.stdin.take().unwrap(), server.stdout.take().unwrap());
        let mut editor = Self {
            server,
            to,
            from: BufReader::new(from),
            asked: 0,
        };
        let offered = editor.ask("initialize", json!({ "capabilities": {} }));
        assert_eq!(offered["capabilities"]["codeActionProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.to.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let answer = self.hear();
        assert_eq!(answer["id"], id, "{answer}");
        answer
            .get("result")
            .cloned()
            .unwrap_or_else(|| answer["error"].clone())
    }

    fn hear(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).unwrap() > 0, "the server is gone");
            match line.trim().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut text = vec![0; length];
        self.from.read_exact(&mut text).unwrap();
        serde_json::from_slice(&text).unwrap()
    }

    fn open(&mut self, path: &Path, text: &str) {
        let document = json!({ "uri": url(path), "languageId": "x", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// The diagnostics that come next, for this file.
    fn shown(&mut self, path: &Path) -> Vec<Value> {
        let note = self.hear();
        assert_eq!(
            (&note["method"], &note["params"]["uri"]),
            (&"textDocument/publishDiagnostics".into(), &url(path).into()),
            "{note}"
        );
        note["params"]["diagnostics"].as_array().unwrap().clone()
    }

    fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        assert!(self.server.wait().unwrap().success());
    }
}

fn url(path: &Path) -> String {
    format!("file://{}", path.display())
}

#[test]
fn an_editor_shows_findings_and_makes_their_repairs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("late.c");
    let racy = program("");
    fs::write(&path, &racy).unwrap();
    let mut editor = Editor::start();
    editor.open(&path, &racy);
    let found = editor.shown(&path);
    let lines: Vec<&str> = racy.lines().collect();
    let of = |diagnostic: &Value| lines[diagnostic["range"]["start"]["line"].as_u64().unwrap() as usize];
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|one| one["code"] == "local-race"));
    let mut places: Vec<&str> = found.iter().map(of).collect();
    places.sort_unstable();
    assert!(
        places[0].starts_with("MPI_Put") && places[1].starts_with("buffer[0]"),
        "{places:?}"
    );
    assert_eq!(found[0]["relatedInformation"].as_array().unwrap().len(), 1);

    let document = json!({ "uri": url(&path) });
    let hover = json!({ "textDocument": document, "position": found[0]["range"]["start"] });
    let told = editor.ask("textDocument/hover", hover)["contents"]["value"].to_string();
    assert!(told.contains("local-race") && told.contains("MPI-4.1"), "{told}");

    let asked =
        json!({ "textDocument": document, "range": found[0]["range"], "context": { "diagnostics": [] } });
    let actions = editor.ask("textDocument/codeAction", asked);
    let mut edits = actions[0]["edit"]["changes"][url(&path)]
        .as_array()
        .unwrap()
        .clone();
    let at = |edit: &Value, end: &str| {
        let place = &edit["range"][end];
        let [line, column] = ["line", "character"].map(|part| place[part].as_u64().unwrap() as usize);
        racy.split_inclusive('\n').take(line).map(str::len).sum::<usize>() + column
    };
    // The last one first, so that places before it stay.
    edits.sort_by_key(|edit| std::cmp::Reverse(at(edit, "start")));
    let mut repaired = racy.clone();
    for edit in &edits {
        repaired.replace_range(
            at(edit, "start")..at(edit, "end"),
            edit["newText"].as_str().unwrap(),
        );
    }
    assert_ne!(repaired, racy, "{actions:#}");

    // Saved, it is clean; what does not compile keeps the last findings.
    fs::write(&path, &repaired).unwrap();
    editor.tell("textDocument/didSave", json!({ "textDocument": document }));
    assert_eq!(editor.shown(&path), [Value::Null; 0]);
    fs::write(&path, "int main(").unwrap();
    editor.tell("textDocument/didSave", json!({ "textDocument": document }));
    assert_eq!(editor.hear()["method"], "window/logMessage");
    fs::write(&path, program(FLUSH)).unwrap();
    editor.tell("textDocument/didSave", json!({ "textDocument": document }));
    assert_eq!(editor.shown(&path), [Value::Null; 0]);
    editor.end();
}

#[test]
fn tests_and_programs_of_the_calculus_are_read_while_one_types() {
    let mut editor = Editor::start();
    let path = Path::new("/nowhere/first.litmus");
    editor.open(path, "RMA first\n{ 0: X = 0; }\n P0        ;\n put(Y, X) ;\n");
    let errors = editor.shown(path);
    assert_eq!(
        errors[0]["range"]["start"],
        json!({ "line": 3, "character": 5 }),
        "{errors:?}"
    );
    let test = "RMA first\n{ 0: X = 0; 1: Y = 1; }\n P0    | P1          ;\n a = X | put(X@0, Y) ;\n";
    editor.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": url(path), "version": 2 }, "contentChanges": [{ "text": test }] }),
    );
    assert_eq!(editor.shown(path), [Value::Null; 0]);
    let lenses = editor.ask(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": url(path) } }),
    );
    assert_eq!(lenses[0]["command"]["title"], "coreRMA: 0:a=0; | 0:a=1;");
    let unknown = editor.ask("textDocument/rename", json!({}));
    assert_eq!(unknown["code"], -32601);
    editor.end();
}
