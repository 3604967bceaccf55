//! Results as JSON: one object, described in the README.

use std::collections::BTreeMap;

use heddle_base::SourceMap;
use heddle_task::{Assumption, Bounds, Cut, CutPlace, Proof, Trace, TraceEnd, Verdict, Warning};
use serde::Serialize;
use serde_json::{Map, Value, json};

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
    let mut object = Map::new();
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
            object.insert("trace".to_owned(), plain(&found.trace));
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
    object.insert("statistics".to_owned(), json!(info.statistics));
    if !info.story.is_empty() {
        object.insert("story".to_owned(), json!(info.story));
    }
    finish(object)
}

/// The object of `heddle run --json` and `heddle replay --json`.
pub fn execution(trace: &Trace) -> String {
    let mut object = Map::new();
    let word = match &trace.end {
        TraceEnd::Violation { .. } => "unsafe",
        TraceEnd::Limit { .. } => "unknown",
        TraceEnd::Exit { .. } | TraceEnd::Finished | TraceEnd::Discarded => "no-violation",
    };
    object.insert("verdict".to_owned(), json!(word));
    add_end(&mut object, trace);
    object.insert("output".to_owned(), json!(trace.output));
    object.insert("errors".to_owned(), json!(trace.errors));
    object.insert("trace".to_owned(), plain(trace));
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

fn finish(object: Map<String, Value>) -> String {
    let mut text = serde_json::to_string(&Value::Object(object)).expect("plain data");
    text.push('\n');
    text
}
