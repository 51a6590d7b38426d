//! The table against the header of `crates/gaspi`.

use super::width::{GROUP, NUMBER, QUEUE, RANK, SEGMENT, WORD};
use super::{Collective, Direction, Function, Meaning, Memory, Notifies, OTHERS};
use std::collections::BTreeMap;
use std::fs;

/// What is followed.
fn followed() -> Vec<Function> {
    let mut all = Vec::new();
    macro_rules! each {
        ($name:expr, $meaning:expr, [$($width:expr),*], [$($how:expr),*]) => {
            all.push(Function::new($name, $meaning, const { &[$($width),*] }, const { &[$($how),*] }));
        };
    }
    crate::followed_functions_of_gaspi!(each);
    all
}

/// The functions of the header, each with the types of its arguments.
fn header() -> BTreeMap<String, Vec<String>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../gaspi/include/GASPI.h");
    let text = fs::read_to_string(path).unwrap();
    let code: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with([' ', '/', '#']))
        .collect();
    let text = text.replace('\n', " ");
    assert!(!code.is_empty());
    let mut found = BTreeMap::new();
    for part in text.split("gaspi_return_t gaspi_").skip(1) {
        let Some((name, rest)) = part.split_once('(') else {
            continue;
        };
        let Some((arguments, _)) = rest.split_once(')') else {
            continue;
        };
        let types = arguments.split(',').map(|argument| argument.trim().to_owned());
        found.insert(format!("gaspi_{name}"), types.collect());
    }
    found
}

/// The width of an argument, as the header writes it.
fn width(argument: &str) -> u8 {
    let first = argument
        .trim_start_matches("const ")
        .split_whitespace()
        .next()
        .unwrap_or("");
    if argument.contains('*') || argument.contains('[') {
        return WORD;
    }
    match first {
        "gaspi_segment_id_t" => SEGMENT,
        "gaspi_queue_id_t" => QUEUE,
        "gaspi_group_t" => GROUP,
        "gaspi_rank_t" => RANK,
        "gaspi_number_t"
        | "gaspi_notification_id_t"
        | "gaspi_notification_t"
        | "gaspi_operation_t"
        | "gaspi_datatype_t"
        | "gaspi_alloc_t"
        | "gaspi_memory_description_t" => NUMBER,
        _ => WORD,
    }
}

#[test]
fn what_is_followed_has_the_arguments_of_the_header() {
    let header = header();
    assert!(header.len() > 60, "{}", header.len());
    for function in followed() {
        // Not in this library.
        if function.name() == "gaspi_passive_queue_purge" && !header.contains_key(function.name()) {
            continue;
        }
        let arguments = header
            .get(function.name())
            .unwrap_or_else(|| panic!("{}", function.name()));
        assert_eq!(arguments.len(), function.words(), "{}", function.name());
        for (place, argument) in arguments.iter().enumerate() {
            let bits = 8 * u32::from(width(argument));
            assert_eq!(
                function.mask(place).count_ones(),
                bits,
                "{}: {argument}",
                function.name()
            );
        }
    }
}

#[test]
fn every_function_of_the_header_is_in_the_table() {
    let followed: Vec<&str> = followed().iter().map(Function::name).collect();
    for name in header().keys() {
        let places = [followed.contains(&&**name), OTHERS.contains(&&**name)];
        assert_eq!(places.iter().filter(|place| **place).count(), 1, "{name}");
    }
}

#[test]
fn a_queue_and_a_timeout_are_not_what_a_call_is_for() {
    let all = followed();
    let write = all
        .iter()
        .find(|function| function.name() == "gaspi_write")
        .unwrap();
    let what: Vec<usize> = (0..write.words()).filter(|place| write.is_what(*place)).collect();
    assert_eq!(what, [0, 1, 2, 3, 4, 5]);
    assert_eq!([write.mask(0), write.mask(2), write.mask(9)], [0xff, 0xffff, 0]);
}
