//! Results as JSON: one object, described by `docs/schema/heddle.schema.json`.
//!
//! Integers are numbers, also values of the program's variables as far as 64 bits hold them. A place has one spelling:
//! `{ "file": NAME, "line": N, "column": N }`.

use std::collections::BTreeMap;

use heddle_base::SourceMap;
use heddle_task::{Assumption, Bounds, Cut, CutPlace, Proof, Trace, TraceEnd, Verdict, Warning};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The version of the objects. It grows with every change that readers can notice, other than new members.
pub const VERSION: u32 = 1;

/// What `heddle check --json` prints besides the verdict.
#[derive(Debug)]
pub struct CheckInfo<'a> {
    /// The engine that gave the verdict.
    pub engine: &'a str,
    /// The engine that was asked, which may have asked others.
    pub asked: &'a str,
    /// Named numbers.
    pub statistics: &'a BTreeMap<String, f64>,
    /// How the answer was found, line by line, where the engine tells.
    pub story: &'a [String],
    /// Warnings, and the files that they speak of.
    pub warnings: (&'a [Warning], &'a SourceMap),
}

/// The object of `heddle check --json`.
pub fn verdict(verdict: &Verdict, info: &CheckInfo<'_>) -> String {
    let mut object = Map::from_iter([("version".to_owned(), json!(VERSION))]);
    let word = match verdict {
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Safe(Proof::Assuming { .. }) => "safe-assuming",
        Verdict::Safe(_) => "safe",
        Verdict::SafeWithin(_) => "safe-within",
        Verdict::Unknown(_) => "unknown",
    };
    object.insert("verdict".to_owned(), json!(word));
    object.insert("engine".to_owned(), json!(info.engine));
    object.insert("asked".to_owned(), json!(info.asked));
    match verdict {
        Verdict::Unsafe(found) => {
            add_end(&mut object, &found.trace);
            object.insert("trace".to_owned(), trace_object(&found.trace));
            let all = std::iter::once(&**found).chain(&found.others);
            object.insert("violations".to_owned(), all.map(|one| end_object(&one.trace)).collect());
        }
        Verdict::Safe(proof) => {
            object.insert("proof".to_owned(), json!(proof_text(proof)));
            if let Proof::Assuming { assumptions, .. } = proof {
                object.insert("assumptions".to_owned(), plain(assumptions));
            }
        }
        Verdict::SafeWithin(within) => {
            object.insert("bounds".to_owned(), bounds_object(&within.bounds));
            object.insert("cuts".to_owned(), within.cuts.iter().map(cut_object).collect());
            object.insert("reached".to_owned(), plain(&within.reached));
            object.insert("vacuous".to_owned(), json!(within.reached.is_vacuous()));
        }
        Verdict::Unknown(reason) => {
            object.insert("reason".to_owned(), json!(reason.to_string()));
        }
    }
    let (warnings, sources) = info.warnings;
    if !warnings.is_empty() {
        let all = warnings.iter().map(|warning| warning_object(warning, sources));
        object.insert("warnings".to_owned(), all.collect());
    }
    let statistics = info.statistics.iter().map(|(name, value)| (name.clone(), number(*value)));
    object.insert("statistics".to_owned(), Value::Object(statistics.collect()));
    if !info.story.is_empty() {
        object.insert("story".to_owned(), json!(info.story));
    }
    finish(object)
}

/// The object of `heddle run --json` and `heddle replay --json`.
pub fn execution(trace: &Trace) -> String {
    let mut object = Map::from_iter([("version".to_owned(), json!(VERSION))]);
    let word = match &trace.end {
        TraceEnd::Violation { .. } => "unsafe",
        TraceEnd::Limit { .. } => "unknown",
        TraceEnd::Exit { .. } | TraceEnd::Finished | TraceEnd::Discarded => "no-violation",
    };
    object.insert("verdict".to_owned(), json!(word));
    add_end(&mut object, trace);
    object.insert("output".to_owned(), json!(trace.output));
    object.insert("errors".to_owned(), json!(trace.errors));
    object.insert("trace".to_owned(), trace_object(trace));
    finish(object)
}

/// What a proof rests on, in a sentence.
pub fn proof_text(proof: &Proof) -> String {
    match proof {
        Proof::Exhaustive { executions } => format!("all interleavings that differ were executed ({executions})"),
        Proof::CompleteUnwinding => {
            "all loops were unwound completely, and no interleaving violates a property".to_owned()
        }
        Proof::Inductive { description } => format!("an inductive set of states: {description}"),
        Proof::Assuming { assumptions, proof } => {
            let places: usize = assumptions.iter().map(|one| one.places.len()).sum();
            format!("{}, assuming {} at {places} places", proof_text(proof), proof_names(assumptions))
        }
    }
}

fn proof_names(assumptions: &[Assumption]) -> String {
    assumptions.iter().map(|one| one.property.name()).collect::<Vec<_>>().join(",")
}

fn add_end(object: &mut Map<String, Value>, trace: &Trace) {
    if let TraceEnd::Violation { property, message, function, place, .. } = &trace.end {
        let file = trace.files.get(place.file).map_or("", String::as_str);
        object.insert("property".to_owned(), json!(property));
        object.insert("message".to_owned(), json!(message));
        object.insert(
            "location".to_owned(),
            json!({ "file": file, "line": place.line, "column": place.col, "function": function }),
        );
    }
}

/// Property, message and place of a violation.
fn end_object(trace: &Trace) -> Value {
    let mut object = Map::new();
    add_end(&mut object, trace);
    Value::Object(object)
}

fn warning_object(warning: &Warning, sources: &SourceMap) -> Value {
    let details: Vec<Value> = warning
        .details
        .iter()
        .map(|detail| {
            let loc = detail.loc;
            let file = sources.file_name(loc.file);
            json!({ "text": detail.text, "location": { "file": file, "line": loc.line, "column": loc.col } })
        })
        .collect();
    json!({ "name": warning.name, "message": warning.message, "details": details })
}

fn bounds_object(bounds: &Bounds) -> Value {
    let present = bounds.named().into_iter().filter_map(|(name, bound)| bound.map(|b| (name.to_owned(), json!(b))));
    Value::Object(present.collect())
}

/// A bound that cut something off: its name and value, and where it did if that is known.
fn cut_object(cut: &Cut) -> Value {
    let mut object = Map::new();
    object.insert("bound".to_owned(), plain(&cut.bound));
    object.insert("value".to_owned(), json!(cut.value));
    if let Some(CutPlace { place, kind, name, limit }) = &cut.place {
        object.insert("place".to_owned(), json!(place));
        object.insert("kind".to_owned(), json!(kind.name()));
        object.insert("name".to_owned(), json!(name));
        object.insert("limit".to_owned(), json!(limit));
    }
    Value::Object(object)
}

fn plain(data: &impl Serialize) -> Value {
    serde_json::to_value(data).expect("traces are plain data")
}

/// A trace with places and values as the schema has them.
fn trace_object(trace: &Trace) -> Value {
    let mut value = serde_json::to_value(trace).expect("traces are plain data");
    spell(&mut value, trace);
    value
}

/// Turns `{ file: 0, line, col }` into `{ file: "queue.c", line, column }`, and values that are integers into numbers.
fn spell(value: &mut Value, trace: &Trace) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| spell(item, trace)),
        Value::Object(members) => {
            if let (Some(file), Some(column)) =
                (members.get("file").and_then(Value::as_u64), members.get("col").cloned())
            {
                let name = trace.files.get(file as usize).cloned().unwrap_or_default();
                members.insert("file".to_owned(), json!(name));
                members.insert("column".to_owned(), column);
                members.remove("col");
            } else if let (Some(file), true) =
                (members.get("file").and_then(Value::as_u64), members.contains_key("text"))
            {
                let name = trace.files.get(file as usize).cloned().unwrap_or_default();
                members.insert("file".to_owned(), json!(name));
            }
            if let Some(Value::String(text)) = members.get("value")
                && let Ok(number) = text.parse::<i64>()
            {
                members.insert("value".to_owned(), json!(number));
            }
            members.values_mut().for_each(|member| spell(member, trace));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A figure: an integer if it is one.
fn number(value: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT { json!(value as i64) } else { json!(value) }
}

fn finish(object: Map<String, Value>) -> String {
    let mut text = serde_json::to_string(&Value::Object(object)).expect("plain data");
    text.push('\n');
    text
}
