//! Witnesses in YAML: violations in format 2.0, or 2.2 where a program has several threads, and proofs as `invariant_set`.

use std::fmt::Write;
use std::time::SystemTime;

use heddle_task::Trace;

use super::{Kind, Waypoint, WitnessTask, timestamp, uuid, waypoints};

/// The witness of a trace that ends with a violation.
pub fn yaml(trace: &Trace, task: &WitnessTask, now: SystemTime) -> String {
    let threads = trace.threads.len() > 1;
    let points = waypoints(trace);
    let mut out = String::from("- entry_type: violation_sequence\n");
    metadata(&mut out, if threads { "2.2" } else { "2.0" }, &format!("{points:?}"), task, now);
    out.push_str("  content:\n");
    for point in &points {
        segment(&mut out, point, trace, threads);
    }
    out
}

/// The witness of a proof. It names no invariants: a validator has to find them itself.
pub fn correctness(task: &WitnessTask, now: SystemTime) -> String {
    let mut out = String::from("- entry_type: invariant_set\n");
    metadata(&mut out, "2.0", "correctness", task, now);
    out.push_str("  content: []\n");
    out
}

fn metadata(out: &mut String, version: &str, what: &str, task: &WitnessTask, now: SystemTime) {
    let hashes = task.hashes();
    let seed = format!("{hashes:?}{}{what}", task.specification);
    let _ = writeln!(out, "  metadata:\n    format_version: \"{version}\"");
    let _ = writeln!(out, "    uuid: {}", uuid(&seed));
    let _ = writeln!(out, "    creation_time: {}", quote(&timestamp(now)));
    let _ = writeln!(out, "    producer:\n      name: heddle\n      version: \"{}\"", env!("CARGO_PKG_VERSION"));
    out.push_str("    task:\n      input_files:\n");
    for (file, _) in &hashes {
        let _ = writeln!(out, "        - {}", quote(file));
    }
    out.push_str("      input_file_hashes:\n");
    for (file, hash) in &hashes {
        let _ = writeln!(out, "        {}: {hash}", quote(file));
    }
    let _ = writeln!(out, "      specification: {}", quote(&task.specification));
    let _ = writeln!(out, "      data_model: {}", if task.ilp32 { "ILP32" } else { "LP64" });
    out.push_str("      language: C\n");
}

fn segment(out: &mut String, point: &Waypoint<'_>, trace: &Trace, threads: bool) {
    let kind = match point.kind {
        Kind::Step | Kind::Create { .. } => "assumption",
        Kind::Input { .. } => "function_return",
        Kind::Target => "target",
    };
    let _ = writeln!(out, "    - segment:\n        - waypoint:\n            type: {kind}\n            action: follow");
    if threads {
        let _ = writeln!(out, "            thread_id: {}", point.thread);
    }
    let file = trace.files.get(point.place.file).map_or("", String::as_str);
    let _ = writeln!(out, "            location:\n              file_name: {}", quote(file));
    let _ = writeln!(out, "              line: {}", point.place.line);
    // The column of a call is that of its closing parenthesis, which a trace does not have.
    if point.place.col > 0 && !matches!(point.kind, Kind::Input { .. }) {
        let _ = writeln!(out, "              column: {}", point.place.col);
    }
    let _ = writeln!(out, "              function: {}", quote(point.function));
    let value = match &point.kind {
        Kind::Step | Kind::Create { .. } => Some(("1".to_owned(), "c_expression")),
        Kind::Input { value } => Some((format!("\\result == {value}"), "ext_c_expression")),
        Kind::Target => None,
    };
    if let Some((value, format)) = value {
        let _ = writeln!(out, "            constraint:\n              value: {}", quote(&value));
        let _ = writeln!(out, "              format: {format}");
    }
}

/// A double-quoted scalar; JSON strings are YAML.
fn quote(text: &str) -> String {
    serde_json::to_string(text).expect("a string")
}
