//! Violation witnesses in GraphML, format 1.0.

use std::fmt::Write;
use std::time::SystemTime;

use heddle_task::Trace;

use super::{Kind, Waypoint, WitnessTask, timestamp, waypoints};
use crate::junit::escape;

/// The keys that are used: what they belong to, and their type.
const KEYS: [(&str, &str, &str); 18] = [
    ("witness-type", "graph", "string"),
    ("sourcecodelang", "graph", "string"),
    ("producer", "graph", "string"),
    ("specification", "graph", "string"),
    ("programfile", "graph", "string"),
    ("programhash", "graph", "string"),
    ("architecture", "graph", "string"),
    ("creationtime", "graph", "string"),
    ("entry", "node", "boolean"),
    ("violation", "node", "boolean"),
    ("originfile", "edge", "string"),
    ("startline", "edge", "int"),
    ("endline", "edge", "int"),
    ("threadId", "edge", "string"),
    ("createThread", "edge", "string"),
    ("enterFunction", "edge", "string"),
    ("assumption", "edge", "string"),
    ("assumption.resultfunction", "edge", "string"),
];

/// The witness of a trace that ends with a violation.
pub fn graphml(trace: &Trace, task: &WitnessTask, now: SystemTime) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n");
    out.push_str("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" ");
    out.push_str("xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n");
    for (key, target, kind) in KEYS {
        let _ = writeln!(out, "  <key attr.name=\"{key}\" attr.type=\"{kind}\" for=\"{target}\" id=\"{key}\"/>");
    }
    out.push_str("  <graph edgedefault=\"directed\">\n");
    let hashes = task.hashes();
    let (file, hash) = hashes.first().map_or(("", String::new()), |(file, hash)| (*file, hash.clone()));
    for (key, value) in [
        ("witness-type", "violation_witness"),
        ("sourcecodelang", "C"),
        ("producer", concat!("heddle ", env!("CARGO_PKG_VERSION"))),
        ("specification", &task.specification),
        ("programfile", file),
        ("programhash", &hash),
        ("architecture", if task.ilp32 { "32bit" } else { "64bit" }),
        ("creationtime", &timestamp(now)),
    ] {
        data(&mut out, 4, key, value);
    }
    out.push_str("    <node id=\"N0\">\n");
    data(&mut out, 6, "entry", "true");
    out.push_str("    </node>\n");
    let points = waypoints(trace);
    // The first edge enters `main`.
    edge(&mut out, 0, None, &[("threadId", "0"), ("createThread", "0"), ("enterFunction", "main")]);
    for (index, point) in points.iter().enumerate() {
        node(&mut out, index + 1, false);
        point_edges(&mut out, index + 1, point, trace);
    }
    node(&mut out, points.len() + 1, true);
    out.push_str("  </graph>\n</graphml>\n");
    out
}

fn node(out: &mut String, id: usize, violation: bool) {
    if violation {
        let _ = writeln!(out, "    <node id=\"N{id}\">");
        data(out, 6, "violation", "true");
        out.push_str("    </node>\n");
    } else {
        let _ = writeln!(out, "    <node id=\"N{id}\"/>");
    }
}

fn point_edges(out: &mut String, from: usize, point: &Waypoint<'_>, trace: &Trace) {
    let file = trace.files.get(point.place.file).map_or("", String::as_str);
    let thread = point.thread.to_string();
    let mut entries = vec![("threadId", thread)];
    match &point.kind {
        Kind::Step | Kind::Target => {}
        Kind::Create { thread, function } => {
            entries.push(("createThread", thread.to_string()));
            entries.push(("enterFunction", (*function).to_owned()));
        }
        Kind::Input { value } => {
            entries.push(("assumption", format!("\\result == {value};")));
        }
    }
    let entries: Vec<(&str, &str)> = entries.iter().map(|(key, value)| (*key, value.as_str())).collect();
    edge(out, from, Some((file, point.place.line)), &entries);
}

fn edge(out: &mut String, from: usize, place: Option<(&str, u32)>, entries: &[(&str, &str)]) {
    let _ = writeln!(out, "    <edge source=\"N{from}\" target=\"N{}\">", from + 1);
    if let Some((file, line)) = place {
        data(out, 6, "originfile", file);
        data(out, 6, "startline", &line.to_string());
        data(out, 6, "endline", &line.to_string());
    }
    for (key, value) in entries {
        data(out, 6, key, value);
    }
    out.push_str("    </edge>\n");
}

fn data(out: &mut String, indent: usize, key: &str, value: &str) {
    let _ = writeln!(out, "{:indent$}<data key=\"{key}\">{}</data>", "", escape(value));
}
