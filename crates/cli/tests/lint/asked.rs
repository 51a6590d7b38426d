//! Command lines that lint finds by itself: which ones, and where a report says so.

use super::{FLUSH, MPI, body, expect, folder, late_program, lint_in, program, said};

/// The race, and with which command line it was found.
#[track_caller]
fn expect_race(parser: &str, arguments: &str) {
    let folder = late_program(parser);
    let found = format!("= found with: the arguments \"{arguments}\"");
    expect(&lint_in(folder.path(), &["late.c"]), 1, &["local-race", &found]);
}

/// A loop over the words after the name: `-o` takes the next one.
pub(super) fn words(options: &str) -> String {
    format!(
        "for (int i = 1; i < argc; i++) {{
  const char *value = i + 1 < argc ? argv[i + 1] : \"\";
  {options}
  else return 2;
}}"
    )
}

#[test]
fn a_word_without_an_option_and_a_flag_are_found() {
    expect_race(&words("if (strcmp(argv[i], \"late\") == 0) late = 1;"), "late");
    expect_race(&words("if (strcmp(argv[i], \"-l\") == 0) late = 1;"), "-l");
}

#[test]
fn a_name_with_a_value_after_an_option_is_found() {
    let parser = words(
        "if (strcmp(argv[i], \"-o\") == 0) {
    char *sign = strchr(value, '=');
    if (!sign) return 3;
    *sign = 0;
    if (strcmp(value, \"order\") == 0) late = strcmp(sign + 1, \"late\") == 0;
    else if (strcmp(value, \"name\")) return 4;
    i++;
  }",
    );
    expect_race(&parser, "-o order=late");
}

/// `--order=late`, of which the program compares `order` and `late`: its texts name it, or nothing does.
#[test]
fn names_after_dashes_that_the_program_takes_away_are_found() {
    let joined = |usage: &str| {
        format!(
            "for (int i = 1; i < argc; i++) {{
  char *sign = strchr(argv[i], '=');
  if (strncmp(argv[i], \"--\", 2) || !sign) {{ fputs(\"{usage}\", stderr); return 2; }}
  *sign = 0;
  if (strcmp(argv[i] + 2, \"order\") == 0) late = strcmp(sign + 1, \"late\") == 0;
  else return 3;
}}"
        )
    };
    expect_race(&joined("usage: late --order=ORDER"), "--order=late");
    expect_race(&joined("I do not know that word"), "--order=late");
    let words =
        words("if (strncmp(argv[i], \"--\", 2) == 0 && strcmp(argv[i] + 2, \"late\") == 0) late = 1;");
    expect_race(&words, "--late");
}

/// Just so many numbers, of which the second one is not the first.
#[test]
fn numbers_without_names_are_counted() {
    let parser = "if (argc != 3) { fputs(\"usage: late CELLS PART\", stderr); return 2; }
int cells = atoi(argv[1]), part = atoi(argv[2]);
if (cells < 1 || part < 1 || part == cells) return 3;
late = 1;";
    expect_race(parser, "2 4");
}

/// All options at once are refused with the first number: one of them is too large for another.
#[test]
fn numbers_that_do_not_suit_each_other_are_looked_for_one_by_one() {
    let numbers = "if (strcmp(argv[i], \"-k\") == 0) k = atoi(argv[++i]);
  else if (strcmp(argv[i], \"-n\") == 0) n = atoi(argv[++i]);";
    let parser = format!(
        "int k = 0, n = 0;\n{}\nif (k < 1 || n < 1 || 2 * k > n) return 2;\nlate = 1; (void)value;",
        words(numbers)
    );
    let parser = parser.replace("(void)value;", "").replace(
        "const char *value = i + 1 < argc ? argv[i + 1] : \"\";",
        "if (i + 1 == argc) return 2;",
    );
    let folder = late_program(&parser);
    let output = lint_in(folder.path(), &["late.c"]);
    expect(&output, 1, &["local-race", "= found with: the arguments \"-"]);
    let said = said(&output);
    assert!(said.contains("-k 2") || said.contains("-n 8"), "{said}");
}

/// The words lie in sorted tables, of which a search meets a few only; `key=value` is taken apart before.
#[test]
fn keys_with_values_are_found_in_sorted_tables() {
    let source = format!(
        "extern \"C\" {{ {MPI} }}
#include <map>
#include <string>
int main(int argc, char **argv) {{
const std::map<std::string, int> keys{{{{\"apple\", 1}}, {{\"cherry\", 2}}, {{\"fig\", 3}}, {{\"mode\", 4}}, {{\"pear\", 5}}}};
const std::map<std::string, int> modes{{{{\"calm\", 1}}, {{\"early\", 2}}, {{\"late\", 3}}, {{\"never\", 4}}, {{\"often\", 5}}}};
int late = 0;
for (int i = 1; i < argc; i++) {{
  const std::string word = argv[i];
  const auto sign = word.find('=');
  if (sign == std::string::npos) return 2;
  const auto key = keys.find(word.substr(0, sign));
  if (key == keys.end()) return 3;
  if (key->second != 4) continue;
  const auto mode = modes.find(word.substr(sign + 1));
  if (mode == modes.end()) return 4;
  late = mode->second == 3;
}}
MPI_Init(&argc, &argv);
{}
MPI_Finalize(); return 0; }}",
        body(&format!("if (!late) {FLUSH}"))
    );
    let folder = folder(&[("late.cpp", &source)]);
    let found = " mode=late\"";
    expect(&lint_in(folder.path(), &["late.cpp"]), 1, &["local-race", found]);
}

#[test]
fn what_is_not_tried_for_want_of_time_is_said() {
    let folder = late_program(&words("if (strcmp(argv[i], \"-l\") == 0) late = 1;"));
    let none = lint_in(folder.path(), &["--time", "0", "late.c"]);
    expect(
        &none,
        4,
        &["for want of time", "[time-limit", "the limit of time"],
    );
    let enough = lint_in(folder.path(), &["late.c"]);
    assert!(!said(&enough).contains("time-limit"), "{}", said(&enough));
}

/// With which arguments a finding was found stands in every form of the report; with those that the user gives, in
/// none.
#[test]
fn a_finding_says_its_arguments_in_every_form() {
    let folder = late_program(&words("if (strcmp(argv[i], \"-l\") == 0) late = 1;"));
    for (form, words) in [
        ("text", "found with: the arguments \"-l\""),
        ("json", "\"arguments\": \"the arguments \\\"-l\\\"\""),
        ("sarif", "\"arguments\": \"the arguments \\\"-l\\\"\""),
        ("html", "Found with"),
    ] {
        let derived = lint_in(folder.path(), &["--format", form, "late.c"]);
        expect(&derived, 1, &[words]);
        let given = lint_in(folder.path(), &["--format", form, "--args=-l", "late.c"]);
        expect(&given, 1, &["local-race"]);
        assert!(!said(&given).contains(words), "{form}: {}", said(&given));
    }
}

#[test]
fn a_layer_in_which_no_frame_lies_is_told() {
    let folder = folder(&[("race.c", &program(""))]);
    let said = |layer: &str| {
        let output = lint_in(folder.path(), &["--layer", layer, "race.c"]);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let told = said("nosuch");
    assert!(
        told.contains("no frame of a finding is in the layer nosuch (--layer)"),
        "{told}"
    );
    assert!(!said("race").contains("--layer"));
}
