//! SARIF 2.1.0: results with code flows, for code-scanning services and editors.
//!
//! Each confirmed violation is a result. Its code flow has one thread flow a thread; `executionOrder` gives the interleaving.
//! `partialFingerprints` do not depend on line numbers, so that results are known again after edits elsewhere in the file;
//! [`Baseline`] reads them back.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use heddle_task::{Counterexample, Place, Trace, TraceEnd, Verdict};
use serde_json::{Map, Value, json};

use crate::describe::{Weight, describe, weight};
use crate::json::CheckInfo;
use crate::summary::{headline, property_words};

/// The name of our fingerprint, with its version.
const FINGERPRINT: &str = "heddleViolation/v1";

/// Properties that results can be about, each with one sentence. The order is that of the rules in the log.
const RULES: [(&str, &str); 9] = [
    ("assert", "An assertion of the program fails in some interleaving."),
    ("deadlock", "Threads wait for each other, or for what nobody will do."),
    ("lock", "A synchronisation object is misused."),
    ("memory", "Memory is accessed through a null, dangling or out-of-bounds pointer, or freed wrongly."),
    ("division", "An integer is divided by zero."),
    ("race", "Two threads access the same memory without synchronisation, and one of them writes."),
    ("overflow", "Signed arithmetic overflows, or a shift is out of range."),
    ("leak", "Heap memory is not freed at the end of the program."),
    ("uninit", "Memory is read that was never written."),
];

/// What is known of violations before a check.
pub struct Known<'a> {
    /// An earlier log.
    pub baseline: Option<&'a Baseline>,
    /// The reason for which a violation is suppressed, if it is.
    pub suppressed: &'a dyn Fn(&Trace) -> Option<String>,
}

/// The log of one check.
pub fn log(verdict: &Verdict, info: &CheckInfo<'_>, known: &Known<'_>) -> String {
    let results: Vec<Value> = violations(verdict).map(|found| result(found, known)).collect();
    let rules: Vec<Value> = RULES
        .iter()
        .map(|(id, text)| {
            json!({
                "id": id,
                "shortDescription": { "text": property_words(id) },
                "fullDescription": { "text": text },
                "defaultConfiguration": { "level": "error" },
                "properties": { "tags": ["concurrency", "correctness"] },
            })
        })
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "heddle",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "utf16CodeUnits",
            "invocations": [{ "executionSuccessful": true }],
            "results": results,
            "properties": { "verdict": headline(verdict), "engine": info.engine },
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).expect("plain data");
    text.push('\n');
    text
}

fn violations(verdict: &Verdict) -> impl Iterator<Item = &Counterexample> {
    let first = match verdict {
        Verdict::Unsafe(found) => Some(&**found),
        Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unknown(_) => None,
    };
    first.into_iter().flat_map(|found| std::iter::once(found).chain(&found.others))
}

fn result(found: &Counterexample, known: &Known<'_>) -> Value {
    let trace = &found.trace;
    let TraceEnd::Violation { property, message, function, place, details, .. } = &trace.end else {
        unreachable!("a counterexample ends with its violation")
    };
    let print = fingerprint(trace);
    let mut object = Map::new();
    let rule = RULES.iter().position(|(id, _)| id == property);
    object.insert("ruleId".to_owned(), json!(property));
    if let Some(rule) = rule {
        object.insert("ruleIndex".to_owned(), json!(rule));
    }
    object.insert("level".to_owned(), json!("error"));
    object.insert("message".to_owned(), json!({ "text": message }));
    object.insert("locations".to_owned(), json!([location(trace, place, Some(function), None)]));
    let related: Vec<Value> = details
        .iter()
        .filter(|detail| detail.place.line > 0)
        .map(|detail| location(trace, &detail.place, None, Some(&detail.text)))
        .collect();
    if !related.is_empty() {
        object.insert("relatedLocations".to_owned(), Value::Array(related));
    }
    object.insert("codeFlows".to_owned(), json!([{ "threadFlows": thread_flows(trace) }]));
    object.insert("partialFingerprints".to_owned(), json!({ FINGERPRINT: print }));
    if let Some(reason) = (known.suppressed)(trace) {
        object.insert("suppressions".to_owned(), json!([{ "kind": "external", "justification": reason }]));
    }
    if let Some(baseline) = known.baseline {
        let state = if baseline.knows(&print) { "unchanged" } else { "new" };
        object.insert("baselineState".to_owned(), json!(state));
    }
    Value::Object(object)
}

/// One flow a thread, with the visible steps of each.
fn thread_flows(trace: &Trace) -> Vec<Value> {
    let shown: Vec<usize> = (0..trace.steps.len()).filter(|&i| weight(&trace.steps[i]) >= Weight::Shown).collect();
    let number = |index: usize| shown.binary_search(&index).ok().map(|n| n + 1);
    let flows = trace.threads.iter().enumerate().filter_map(|(id, thread)| {
        let own = shown.iter().enumerate().filter(|(_, i)| trace.steps[**i].thread == id);
        let locations: Vec<Value> = own
            .map(|(order, &index)| {
                let step = &trace.steps[index];
                let place = step.caller.as_ref().unwrap_or(&step.place);
                let text = describe(step, trace, &number);
                json!({
                    "location": location(trace, place, Some(&step.function), Some(&text)),
                    "executionOrder": order + 1,
                    "importance": if step.switch { "essential" } else { "important" },
                })
            })
            .collect();
        // A flow needs a location; a thread that never moves has none.
        (!locations.is_empty()).then(|| {
            json!({
                "id": thread.path,
                "message": { "text": format!("thread {} ({})", thread.path, thread.function) },
                "locations": locations,
            })
        })
    });
    flows.collect()
}

fn location(trace: &Trace, place: &Place, function: Option<&str>, message: Option<&str>) -> Value {
    let mut object = Map::new();
    if place.line > 0 {
        let file = trace.files.get(place.file).map_or("", String::as_str);
        let mut region = json!({ "startLine": place.line, "startColumn": place.col.max(1) });
        if let Some(text) = line_text(trace, place) {
            region["snippet"] = json!({ "text": text });
        }
        object.insert(
            "physicalLocation".to_owned(),
            json!({ "artifactLocation": { "uri": uri(file) }, "region": region }),
        );
    }
    if let Some(function) = function {
        object.insert("logicalLocations".to_owned(), json!([{ "name": function, "kind": "function" }]));
    }
    if let Some(message) = message {
        object.insert("message".to_owned(), json!({ "text": message }));
    }
    Value::Object(object)
}

fn line_text<'a>(trace: &'a Trace, place: &Place) -> Option<&'a str> {
    trace.lines.iter().find(|l| l.file == place.file && l.line == place.line).map(|l| l.text.as_str())
}

/// A path as a URI reference: absolute ones as `file://`, others relative to where the check ran.
fn uri(path: &str) -> String {
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(byte as char),
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

/// What stays the same when other lines change: property, file, function and the text of the failing line.
pub fn fingerprint(trace: &Trace) -> String {
    let TraceEnd::Violation { property, function, place, .. } = &trace.end else { return String::new() };
    let file = trace.files.get(place.file).map_or("", String::as_str);
    let name = file.rsplit('/').next().unwrap_or(file);
    let line = line_text(trace, place).map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    (property, name, function, line).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// FNV-1a: fingerprints must not change with the version of the standard library.
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The violations of an earlier log, by fingerprint.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    known: BTreeSet<String>,
}

impl Baseline {
    /// Reads a log of ours. `Err` says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let log: Value = serde_json::from_str(text).map_err(|error| format!("this is no SARIF log: {error}"))?;
        if log["version"] != "2.1.0" {
            return Err("this is no SARIF log of version 2.1.0".to_owned());
        }
        let runs = log["runs"].as_array().ok_or("this SARIF log has no runs")?;
        let results = runs.iter().filter_map(|run| run["results"].as_array()).flatten();
        let known = results.filter_map(|r| r["partialFingerprints"][FINGERPRINT].as_str()).map(str::to_owned);
        Ok(Baseline { known: known.collect() })
    }

    /// Whether the violation at the end of this trace is in the log.
    pub fn has(&self, trace: &Trace) -> bool {
        self.knows(&fingerprint(trace))
    }

    fn knows(&self, print: &str) -> bool {
        self.known.contains(print)
    }
}
