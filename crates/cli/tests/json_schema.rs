//! `--json` against `docs/schema/heddle.schema.json`, by a small validator of the part of JSON Schema that the file uses.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What is wrong with a value, each with the path to it. Keywords that are not known here are an error of the schema.
fn problems(schema: &Value, whole: &Value, value: &Value, path: &str, out: &mut Vec<String>) {
    for (keyword, rule) in schema.as_object().expect("a schema is an object") {
        match keyword.as_str() {
            "$schema" | "title" | "description" | "$defs" => {}
            "$ref" => {
                let name = rule.as_str().and_then(|r| r.strip_prefix("#/$defs/")).expect("a local reference");
                problems(&whole["$defs"][name], whole, value, path, out);
            }
            "const" => {
                if value != rule {
                    out.push(format!("{path}: {value} is not {rule}"));
                }
            }
            "enum" => {
                if !rule.as_array().expect("an enumeration").contains(value) {
                    out.push(format!("{path}: {value} is none of {rule}"));
                }
            }
            "type" => {
                let names: Vec<&Value> = rule.as_array().map_or_else(|| vec![rule], |names| names.iter().collect());
                if !names.iter().any(|name| has_type(value, name.as_str().expect("a type"))) {
                    out.push(format!("{path}: {value} is no {rule}"));
                }
            }
            "minimum" => {
                if value.as_f64() < rule.as_f64() {
                    out.push(format!("{path}: {value} is below {rule}"));
                }
            }
            "required" => {
                for name in rule.as_array().expect("names").iter().map(|name| name.as_str().expect("a name")) {
                    if value.get(name).is_none() {
                        out.push(format!("{path}: `{name}` is missing"));
                    }
                }
            }
            "properties" => {
                for (name, rule) in rule.as_object().expect("properties") {
                    if let Some(member) = value.get(name) {
                        problems(rule, whole, member, &format!("{path}/{name}"), out);
                    }
                }
            }
            "additionalProperties" => {
                let known = |name: &str| schema["properties"].get(name).is_some();
                for (name, member) in value.as_object().into_iter().flatten().filter(|(name, _)| !known(name)) {
                    match rule {
                        Value::Bool(false) => out.push(format!("{path}: `{name}` is not known")),
                        _ => problems(rule, whole, member, &format!("{path}/{name}"), out),
                    }
                }
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    problems(rule, whole, item, &format!("{path}/{index}"), out);
                }
            }
            "oneOf" => {
                let fits = |one: &&Value| {
                    let mut found = Vec::new();
                    problems(one, whole, value, path, &mut found);
                    found.is_empty()
                };
                if rule.as_array().expect("schemas").iter().filter(fits).count() != 1 {
                    out.push(format!("{path}: {value} fits not exactly one of {rule}"));
                }
            }
            other => panic!("the schema uses `{other}`, which this validator does not know"),
        }
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("the type `{other}` is not known"),
    }
}

fn schema() -> Value {
    let text = std::fs::read_to_string(root().join("docs/schema/heddle.schema.json")).expect("the schema is there");
    serde_json::from_str(&text).expect("the schema is JSON")
}

fn answer(args: &[&str]) -> Value {
    let output =
        Command::new(env!("CARGO_BIN_EXE_heddle")).current_dir(root()).args(args).output().expect("the binary runs");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}: {output:?}"))
}

#[test]
fn answers_fit_the_schema() {
    let schema = schema();
    for args in [
        &["check", "--json", "examples/counter.c"][..],
        &["check", "--json", "examples/counter.c", "--property", "race"],
        &["check", "--json", "corpus/papers/ESBMC/fig7_deadlock_by_locks.c"],
        &["check", "--json", "corpus/bounded/inputs_in_threads.c", "--warn", "lock-order"],
        &["check", "--json", "corpus/bounded/freed_by_other.c", "--property", "all"],
        &["check", "--json", "corpus/families/peterson.c", "-DN=2", "--engine", "lazy"],
        &["check", "--json", "corpus/bounded/recursion_symbolic_depth.c", "--engine", "order", "--unwind", "3"],
        &["check", "--json", "corpus/bounded/recursion_symbolic_depth.c", "--time-limit", "0.000001"],
        &["run", "--json", "examples/counter.c"],
        &["run", "--json", "examples/counter.c", "--seed", "3"],
    ] {
        let value = answer(args);
        let mut found = Vec::new();
        problems(&schema, &schema, &value, "", &mut found);
        assert!(found.is_empty(), "{args:?}:\n{}", found.join("\n"));
    }
}

#[test]
fn integers_are_numbers_and_places_have_names() {
    let value = answer(&["check", "--json", "examples/counter.c", "--property", "assert"]);
    assert_eq!(value["version"], 1);
    let steps = value["trace"]["steps"].as_array().expect("steps");
    let read = steps
        .iter()
        .find(|step| step["action"]["kind"] == "read" && step["action"]["place"] == "`counter`")
        .expect("a read");
    assert_eq!(read["action"]["value"], 0);
    assert_eq!(read["place"]["file"], "examples/counter.c");
    assert_eq!(read["place"]["column"], 5);
    assert!(value["statistics"].as_object().expect("numbers").values().any(Value::is_i64));
}

#[test]
fn the_validator_finds_faults() {
    let schema = schema();
    for text in [
        r#"{ "version": 1 }"#,
        r#"{ "version": 2, "verdict": "safe" }"#,
        r#"{ "version": 1, "verdict": "fine" }"#,
        r#"{ "version": 1, "verdict": "safe", "statistics": { "a": "b" } }"#,
        r#"{ "version": 1, "verdict": "unsafe", "location": { "file": "a.c", "line": -1, "column": 1 } }"#,
        r#"{ "version": 1, "verdict": "unsafe", "location": { "file": "a.c", "line": 1, "column": 1, "col": 1 } }"#,
        r#"{ "version": 1, "verdict": "unsafe", "violations": [{ "property": "assert" }] }"#,
    ] {
        let mut found = Vec::new();
        problems(&schema, &schema, &serde_json::from_str(text).expect("JSON"), "", &mut found);
        assert!(!found.is_empty(), "{text}");
    }
}
