//! Violation witnesses as verification tools exchange them: GraphML (format 1.0) and YAML (format 2.0, with the thread
//! identifiers of 2.2 where a program has threads).
//!
//! Both are made from one list of waypoints: the visible steps of the user's code in the order they happened, with
//! consecutive steps of one thread on one line merged.

mod graphml;
mod read;
mod yaml;

use std::time::{SystemTime, UNIX_EPOCH};

use heddle_task::{Action, Place, Trace, TraceEnd};
use sha2::{Digest, Sha256};

use crate::describe::{Weight, weight};

pub use graphml::graphml;
pub use read::read;
pub use yaml::{correctness, yaml};

/// What a witness says about the task it belongs to.
#[derive(Clone, Debug)]
pub struct WitnessTask {
    /// The program's files: names as given, and contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// The property, as in a property file.
    pub specification: String,
    /// Whether pointers have 32 bits.
    pub ilp32: bool,
}

impl WitnessTask {
    /// The hash of each file, in hexadecimal.
    pub fn hashes(&self) -> Vec<(&str, String)> {
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        self.files.iter().map(|(name, text)| (name.as_str(), hex(&Sha256::digest(text)))).collect()
    }
}

/// The property file's text for one of our properties; none where the exchange format has no property for it.
pub fn specification(property: &str) -> Option<&'static str> {
    match property {
        "assert" => Some("CHECK( init(main()), LTL(G ! call(reach_error())) )"),
        "race" => Some("CHECK( init(main()), LTL(G ! data-race) )"),
        "memory" => Some("CHECK( init(main()), LTL(G valid-deref) )"),
        "overflow" => Some("CHECK( init(main()), LTL(G ! overflow) )"),
        "leak" => Some("CHECK( init(main()), LTL(G valid-memtrack) )"),
        _ => None,
    }
}

/// A step that a witness names.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Waypoint<'a> {
    thread: usize,
    place: &'a Place,
    function: &'a str,
    kind: Kind<'a>,
}

/// What happens at a waypoint.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind<'a> {
    /// The step is executed.
    Step,
    /// A thread starts.
    Create { thread: usize, function: &'a str },
    /// A function that returns an input gives this value.
    Input { value: &'a str },
    /// The violation.
    Target,
}

/// The waypoints of a trace; the last one is the violation.
fn waypoints(trace: &Trace) -> Vec<Waypoint<'_>> {
    let TraceEnd::Violation { thread, function, place, .. } = &trace.end else { return Vec::new() };
    let mut points: Vec<Waypoint<'_>> = Vec::new();
    for step in trace.steps.iter().filter(|step| weight(step) >= Weight::Shown) {
        // What happens inside of a library model alone has no place in the program.
        let Some(place) = step.caller.as_ref().or((!step.model).then_some(&step.place)) else { continue };
        if place.line == 0 {
            continue;
        }
        let kind = match &step.action {
            Action::Spawn { thread } => {
                Kind::Create { thread: *thread, function: trace.threads.get(*thread).map_or("", |t| &t.function) }
            }
            Action::Input { value, .. } => Kind::Input { value },
            _ => Kind::Step,
        };
        let point = Waypoint { thread: step.thread, place, function: &step.function, kind };
        let again = |last: &Waypoint<'_>| {
            last.kind == Kind::Step
                && point.kind == Kind::Step
                && last.thread == point.thread
                && last.place.line == place.line
        };
        if !points.last().is_some_and(again) {
            points.push(point);
        }
    }
    points.push(Waypoint { thread: *thread, place, function, kind: Kind::Target });
    points
}

/// Seconds since 1970 as `2024-02-29T12:00:00Z`.
fn timestamp(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (mut year, mut left) = (1970, days);
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if left < length {
            break;
        }
        left -= length;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    let (hours, minutes) = (rest / 3600, rest / 60 % 60);
    format!("{year:04}-{month:02}-{:02}T{hours:02}:{minutes:02}:{:02}Z", left + 1, rest % 60)
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// A version-4-shaped identifier that depends on what it is for alone: the same witness has the same one.
fn uuid(seed: &str) -> String {
    let digest = Sha256::digest(seed.as_bytes());
    let hex: String = digest[..16]
        .iter()
        .enumerate()
        .map(|(i, byte)| match i {
            6 => format!("{:02x}", byte & 0x0f | 0x40),
            8 => format!("{:02x}", byte & 0x3f | 0x80),
            _ => format!("{byte:02x}"),
        })
        .collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn days_become_dates() {
        let at = |seconds| timestamp(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_709_208_000), "2024-02-29T12:00:00Z");
        assert_eq!(at(1_735_689_599), "2024-12-31T23:59:59Z");
    }

    #[test]
    fn identifiers_have_their_form() {
        let id = uuid("a");
        assert_eq!(id.len(), 36);
        assert_eq!(id.as_bytes()[14], b'4');
        assert!(matches!(id.as_bytes()[19], b'8' | b'9' | b'a' | b'b'));
        assert_eq!(id, uuid("a"));
        assert_ne!(id, uuid("b"));
    }
}
