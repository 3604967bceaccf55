//! Reading witnesses: GraphML 1.0 and YAML 2.0 to 2.2, of any tool.
//!
//! Of a GraphML automaton one shortest path from its entry to a violation is taken. Assumptions about results of functions
//! (`\result == 5`) become values; assumptions about variables are not used, because they only narrow what the place and
//! the thread say anyway. Correctness witnesses are read in YAML alone: in GraphML their places are ambiguous.

use std::collections::{BTreeMap, VecDeque};

use heddle_task::witness::{Claim, Invariant, InvariantPlace, Waypoint, WaypointEvent, Witness};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde::Deserialize;

/// Reads a witness. `Err` says what is wrong with it.
pub fn read(text: &str) -> Result<Witness, String> {
    if text.trim_start().starts_with('<') { graphml(text) } else { yaml(text) }
}

/// An entry of a YAML witness, as far as it matters.
#[derive(Deserialize)]
struct Entry {
    entry_type: String,
    metadata: Metadata,
    #[serde(default)]
    content: Option<Vec<Item>>,
}

#[derive(Deserialize)]
struct Metadata {
    format_version: Scalar,
    task: TaskEntry,
}

#[derive(Deserialize)]
struct TaskEntry {
    #[serde(default)]
    input_file_hashes: BTreeMap<String, String>,
    specification: String,
    #[serde(default)]
    data_model: Option<String>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    segment: Option<Vec<WaypointItem>>,
    #[serde(default)]
    invariant: Option<InvariantEntry>,
}

#[derive(Deserialize)]
struct WaypointItem {
    waypoint: WaypointEntry,
}

#[derive(Deserialize)]
struct WaypointEntry {
    #[serde(rename = "type")]
    kind: String,
    action: String,
    #[serde(default)]
    thread_id: Option<Scalar>,
    location: Location,
    #[serde(default)]
    constraint: Option<Constraint>,
}

#[derive(Deserialize)]
struct InvariantEntry {
    #[serde(rename = "type")]
    kind: String,
    location: Location,
    value: Scalar,
    #[serde(default)]
    format: Option<String>,
}

#[derive(Deserialize)]
struct Location {
    file_name: String,
    line: u32,
    #[serde(default)]
    column: Option<u32>,
}

#[derive(Deserialize)]
struct Constraint {
    value: Scalar,
}

/// A plain value: YAML reads `1` as a number where a witness means text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(String),
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Scalar::Bool(value) => write!(f, "{value}"),
            Scalar::Integer(value) => write!(f, "{value}"),
            Scalar::Float(value) => write!(f, "{value:?}"),
            Scalar::Text(value) => f.write_str(value),
        }
    }
}

fn yaml(text: &str) -> Result<Witness, String> {
    let entries: Vec<Entry> = serde_saphyr::from_str(text).map_err(|error| format!("this is no witness: {error}"))?;
    let known = |entry: &&Entry| matches!(entry.entry_type.as_str(), "violation_sequence" | "invariant_set");
    let Some(entry) = entries.iter().find(known) else {
        return Err("this is no witness: it has no entry `violation_sequence` or `invariant_set`".to_owned());
    };
    let version = entry.metadata.format_version.to_string();
    if !version.starts_with("2.") {
        return Err(format!("witnesses of format {version} are not known"));
    }
    let content = entry.content.as_deref().unwrap_or_default();
    let claim = match entry.entry_type.as_str() {
        "violation_sequence" => {
            let items = content.iter().filter_map(|item| item.segment.as_ref()).flatten();
            let mut points = Vec::new();
            for item in items.map(|item| &item.waypoint).filter(|waypoint| waypoint.action == "follow") {
                points.push(waypoint(item)?);
            }
            if points.is_empty() {
                return Err("this witness names no place".to_owned());
            }
            Claim::Violation(points)
        }
        _ => {
            let items = content.iter().filter_map(|item| item.invariant.as_ref());
            Claim::Correctness(items.map(invariant).collect::<Result<_, _>>()?)
        }
    };
    let ilp32 = match entry.metadata.task.data_model.as_deref() {
        Some("ILP32") => Some(true),
        Some("LP64") => Some(false),
        Some(other) => return Err(format!("the data model `{other}` is not known")),
        None => None,
    };
    let hashes = entry.metadata.task.input_file_hashes.clone().into_iter().collect();
    Ok(Witness { claim, hashes, specification: entry.metadata.task.specification.clone(), ilp32 })
}

fn waypoint(entry: &WaypointEntry) -> Result<Waypoint, String> {
    let event = match entry.kind.as_str() {
        "assumption" | "branching" | "function_enter" => WaypointEvent::Pass,
        "function_return" => {
            let value = entry.constraint.as_ref().and_then(|constraint| result_of(&constraint.value.to_string()));
            value.map_or(WaypointEvent::Pass, WaypointEvent::Result)
        }
        "target" => WaypointEvent::Target,
        other => return Err(format!("waypoints of type `{other}` are not known")),
    };
    Ok(Waypoint {
        thread: entry.thread_id.as_ref().map(Scalar::to_string),
        file: Some(entry.location.file_name.clone()),
        line: Some(entry.location.line),
        event,
    })
}

fn invariant(entry: &InvariantEntry) -> Result<Invariant, String> {
    let at = match entry.kind.as_str() {
        "loop_invariant" => InvariantPlace::Loop,
        "location_invariant" => InvariantPlace::Location,
        other => return Err(format!("invariants of type `{other}` are not known")),
    };
    if entry.format.as_deref().is_some_and(|format| format != "c_expression") {
        return Err("only invariants in the format `c_expression` are known".to_owned());
    }
    Ok(Invariant {
        at,
        file: entry.location.file_name.clone(),
        line: entry.location.line,
        column: entry.location.column,
        expression: entry.value.to_string(),
    })
}

/// The value in `\result == 5`, with or without a semicolon, a type's suffix or parentheses.
fn result_of(text: &str) -> Option<i128> {
    let (_, value) = text.split_once("\\result")?.1.split_once("==")?;
    let value = value.split("&&").next()?.trim_matches([' ', ';', '(', ')']);
    value.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok()
}

/// The parts of a GraphML document that matter.
#[derive(Default)]
struct Graph {
    data: BTreeMap<String, String>,
    nodes: BTreeMap<String, BTreeMap<String, String>>,
    edges: Vec<Edge>,
}

#[derive(Default)]
struct Edge {
    from: String,
    to: String,
    data: BTreeMap<String, String>,
}

/// What `data` elements belong to.
enum Owner {
    Nothing,
    Graph,
    Node(String),
    Edge,
}

fn graphml(text: &str) -> Result<Witness, String> {
    let graph = parse_graph(text)?;
    match graph.data.get("witness-type").map(String::as_str) {
        Some("violation_witness") => {}
        Some("correctness_witness") => {
            return Err("correctness witnesses are read in YAML (`invariant_set`) alone".to_owned());
        }
        Some(other) => return Err(format!("witnesses of type `{other}` are not known")),
        None => return Err("this is no witness: it has no `witness-type`".to_owned()),
    }
    let path = shortest_path(&graph).ok_or("this witness has no path from its entry to a violation")?;
    let mut points: Vec<Waypoint> = path.iter().flat_map(|edge| edge_waypoints(edge)).collect();
    match points.last_mut() {
        Some(last) => last.event = WaypointEvent::Target,
        None => return Err("this witness names no place".to_owned()),
    }
    let text_of = |name: &str| graph.data.get(name).cloned();
    Ok(Witness {
        claim: Claim::Violation(points),
        hashes: text_of("programhash")
            .map(|hash| (text_of("programfile").unwrap_or_default(), hash))
            .into_iter()
            .collect(),
        specification: text_of("specification").ok_or("this witness names no specification")?,
        ilp32: text_of("architecture").map(|architecture| architecture.starts_with("32")),
    })
}

fn parse_graph(text: &str) -> Result<Graph, String> {
    let malformed = |error: &dyn std::fmt::Display| format!("this is no witness: {error}");
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let (mut graph, mut owner, mut key, mut value) = (Graph::default(), Owner::Nothing, None, String::new());
    let mut depth = 0usize;
    loop {
        let event = reader.read_event().map_err(|error| malformed(&error))?;
        match event {
            Event::Start(tag) => {
                depth += 1;
                begin(&tag, &mut graph, &mut owner, &mut key)?;
                value.clear();
            }
            Event::Empty(tag) => {
                let mut outer = Owner::Graph;
                begin(&tag, &mut graph, &mut outer, &mut None)?;
            }
            Event::Text(more) => value.push_str(&more.xml10_content()),
            Event::CData(more) => value.push_str(&more.xml10_content()),
            Event::GeneralRef(reference) => match reference.resolve_char_ref().map_err(|error| malformed(&error))? {
                Some(character) => value.push(character),
                None => value.push_str(match &*reference.xml10_content() {
                    "lt" => "<",
                    "gt" => ">",
                    "amp" => "&",
                    "quot" => "\"",
                    "apos" => "'",
                    other => return Err(malformed(&format!("the entity `{other}` is not known"))),
                }),
            },
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                match AsRef::<str>::as_ref(&tag.name()) {
                    "data" => {
                        if let Some(key) = key.take() {
                            put(&mut graph, &owner, key, value.trim());
                        }
                    }
                    "node" | "edge" => owner = Owner::Graph,
                    "graph" => owner = Owner::Nothing,
                    _ => {}
                }
            }
            Event::Eof if depth > 0 => return Err(malformed(&"it ends inside an element")),
            Event::Eof => return Ok(graph),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

fn begin(tag: &BytesStart<'_>, graph: &mut Graph, owner: &mut Owner, key: &mut Option<String>) -> Result<(), String> {
    let attribute = |name: &str| -> Result<Option<String>, String> {
        let found = tag.try_get_attribute(name).map_err(|error| format!("this is no witness: {error}"))?;
        Ok(found.map(|attribute| attribute.value.into_owned()))
    };
    let needed = |name: &str| attribute(name)?.ok_or(format!("this is no witness: an element has no `{name}`"));
    match AsRef::<str>::as_ref(&tag.name()) {
        "graph" => *owner = Owner::Graph,
        "node" => {
            let id = needed("id")?;
            graph.nodes.entry(id.clone()).or_default();
            *owner = Owner::Node(id);
        }
        "edge" => {
            graph.edges.push(Edge { from: needed("source")?, to: needed("target")?, data: BTreeMap::new() });
            *owner = Owner::Edge;
        }
        "data" => *key = attribute("key")?,
        _ => {}
    }
    Ok(())
}

fn put(graph: &mut Graph, owner: &Owner, key: String, value: &str) {
    let data = match owner {
        Owner::Nothing => return,
        Owner::Graph => &mut graph.data,
        Owner::Node(id) => graph.nodes.entry(id.clone()).or_default(),
        Owner::Edge => match graph.edges.last_mut() {
            Some(edge) => &mut edge.data,
            None => return,
        },
    };
    data.insert(key, value.to_owned());
}

/// The edges of a shortest path from the entry to a violation.
fn shortest_path(graph: &Graph) -> Option<Vec<&Edge>> {
    let is = |id: &str, name: &str| graph.nodes.get(id).and_then(|data| data.get(name)).is_some_and(|v| v == "true");
    let entry = graph.nodes.keys().find(|id| is(id, "entry"))?;
    let mut came: BTreeMap<&str, Option<&Edge>> = BTreeMap::from([(entry.as_str(), None)]);
    let mut queue = VecDeque::from([entry.as_str()]);
    let mut leaving: BTreeMap<&str, Vec<&Edge>> = BTreeMap::new();
    for edge in &graph.edges {
        leaving.entry(&edge.from).or_default().push(edge);
    }
    while let Some(at) = queue.pop_front() {
        if is(at, "violation") {
            let mut path = Vec::new();
            let mut at = at;
            while let Some(Some(edge)) = came.get(at) {
                path.push(*edge);
                at = &edge.from;
            }
            path.reverse();
            return Some(path);
        }
        for edge in leaving.get(at).into_iter().flatten() {
            if !came.contains_key(edge.to.as_str()) && !is(&edge.to, "sink") {
                came.insert(&edge.to, Some(edge));
                queue.push_back(&edge.to);
            }
        }
    }
    None
}

/// What an edge says: a place, a thread that starts, or the result of a function.
fn edge_waypoints(edge: &Edge) -> Option<Waypoint> {
    let text = |name: &str| edge.data.get(name).cloned();
    let line = text("startline").and_then(|line| line.parse().ok());
    let event = match (text("createThread"), text("assumption").as_deref().and_then(result_of)) {
        (Some(name), _) => WaypointEvent::Create(Some(name)),
        (None, Some(value)) => WaypointEvent::Result(value),
        (None, None) => WaypointEvent::Pass,
    };
    // An edge without a place says nothing that can be followed, except for the name of the first thread.
    if line.is_none() && !matches!(event, WaypointEvent::Create(_)) {
        return None;
    }
    Some(Waypoint { thread: text("threadId"), file: text("originfile"), line, event })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_functions_are_understood() {
        assert_eq!(result_of("\\result == 5;"), Some(5));
        assert_eq!(result_of("(\\result == (-3))"), Some(-3));
        assert_eq!(result_of("\\result == 7UL"), Some(7));
        assert_eq!(result_of("x == 5"), None);
    }

    #[test]
    fn a_path_to_the_violation_is_found() {
        let text = r#"<?xml version="1.0"?><graphml><graph>
            <data key="witness-type">violation_witness</data>
            <data key="specification">CHECK( init(main()), LTL(G ! call(reach_error())) )</data>
            <data key="programhash">ab</data><data key="architecture">32bit</data>
            <node id="a"><data key="entry">true</data></node><node id="s"><data key="sink">true</data></node>
            <node id="b"/><node id="c"><data key="violation">true</data></node>
            <edge source="a" target="s"><data key="startline">1</data></edge>
            <edge source="a" target="b"><data key="startline">3</data><data key="threadId">0</data>
              <data key="assumption">\result == 5 &amp;&amp; x &lt; 3;</data></edge>
            <edge source="b" target="c"><data key="startline">4</data></edge></graph></graphml>"#;
        let witness = read(text).expect("a witness");
        let Claim::Violation(points) = &witness.claim else { panic!("a violation") };
        assert_eq!(points.len(), 2);
        assert_eq!((points[0].line, points[0].event.clone()), (Some(3), WaypointEvent::Result(5)));
        assert_eq!((points[1].line, points[1].event.clone()), (Some(4), WaypointEvent::Target));
        assert_eq!(witness.ilp32, Some(true));
    }

    #[test]
    fn what_is_no_witness_is_refused() {
        for text in ["", "a: [", "- entry_type: other\n", "<graphml>", "<a></b>", "<graphml></graphml>", "just words"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn invariants_are_read() {
        let text = "- entry_type: invariant_set\n  metadata:\n    format_version: '2.0'\n    task:\n      \
                    input_file_hashes:\n        a.c: ab\n      specification: G ! call(reach_error())\n      data_model: LP64\n  \
                    content:\n    - invariant:\n        type: loop_invariant\n        location:\n          file_name: a.c\n          \
                    line: 4\n          column: 3\n          function: main\n        value: x <= 5\n        format: c_expression\n";
        let witness = read(text).expect("a witness");
        let Claim::Correctness(invariants) = witness.claim else { panic!("correctness") };
        assert_eq!((invariants[0].line, invariants[0].expression.as_str()), (4, "x <= 5"));
        assert_eq!(witness.hashes, [("a.c".to_owned(), "ab".to_owned())]);
    }
}
