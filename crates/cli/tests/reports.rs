//! Reports in files: each format is read back by a parser that is not ours, for violations of several properties, for
//! proofs and for undecided checks.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

/// Programs of the corpus with one violation of each kind, one that is safe and one that is undecided.
const PROGRAMS: [(&str, &[&str]); 6] = [
    ("examples/counter.c", &[]),
    ("corpus/papers/ESBMC/fig7_deadlock_by_locks.c", &[]),
    ("corpus/families/peterson.c", &["-DN=2"]),
    ("examples/counter.c", &["--property", "race"]),
    ("examples/counter.c", &["--property", "leak"]),
    ("corpus/bounded/recursion_symbolic_depth.c", &["--engine", "order", "--unwind", "3"]),
];

struct Reports {
    folder: PathBuf,
    verdict: String,
}

impl Reports {
    fn new(number: usize) -> Self {
        let (program, flags) = PROGRAMS[number];
        // Tests run side by side in one process: each run has a folder of its own.
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("heddle-reports-{}-{run}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a writable temporary directory");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let file = |name: &str| folder.join(name).into_os_string();
        let output = Command::new(env!("CARGO_BIN_EXE_heddle"))
            .current_dir(root)
            .args(["check", program])
            .args(flags)
            .args(["--report".into(), file("r.html"), "--sarif".into(), file("r.sarif")])
            .args(["--junit".into(), file("r.xml"), "--witness".into(), file("r.graphml")])
            .output()
            .expect("the binary runs");
        let text = String::from_utf8(output.stdout).expect("output is UTF-8");
        let verdict = text.lines().last().unwrap_or_default().to_owned();
        Reports { folder, verdict }
    }

    fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.folder.join(name)).ok()
    }
}

impl Drop for Reports {
    fn drop(&mut self) {
        // Whatever is left is in the temporary directory.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The names of all elements of an XML document, which must be well-formed.
fn elements(text: &str) -> Vec<String> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let mut names = Vec::new();
    loop {
        match reader.read_event().expect("well-formed XML") {
            Event::Start(tag) | Event::Empty(tag) => {
                names.push(AsRef::<str>::as_ref(&tag.name()).to_owned());
            }
            Event::Eof => return names,
            _ => {}
        }
    }
}

#[test]
fn sarif_logs_are_read_by_others() {
    for number in 0..PROGRAMS.len() {
        let reports = Reports::new(number);
        let text = reports.read("r.sarif").expect("a log");
        let log: serde_sarif::sarif::Sarif = serde_json::from_str(&text).expect("SARIF 2.1.0");
        let results = log.runs[0].results.clone().unwrap_or_default();
        assert_eq!(!results.is_empty(), reports.verdict.starts_with("UNSAFE"), "{}", reports.verdict);
        for result in results {
            let flows = &result.code_flows.expect("a code flow")[0].thread_flows;
            let mut orders: Vec<i64> = flows
                .iter()
                .flat_map(|flow| &flow.locations)
                .map(|location| location.execution_order.expect("an order"))
                .collect();
            orders.sort_unstable();
            assert_eq!(orders, (1..=orders.len() as i64).collect::<Vec<_>>(), "steps are numbered without gaps");
        }
    }
}

#[test]
fn junit_has_one_case_and_says_how_it_ended() {
    for number in 0..PROGRAMS.len() {
        let reports = Reports::new(number);
        let names = elements(&reports.read("r.xml").expect("a report"));
        assert_eq!(names.iter().filter(|name| *name == "testcase").count(), 1);
        assert_eq!(names.contains(&"failure".to_owned()), reports.verdict.starts_with("UNSAFE"), "{}", reports.verdict);
        assert_eq!(names.contains(&"error".to_owned()), reports.verdict.starts_with("UNKNOWN"), "{}", reports.verdict);
    }
}

#[test]
fn html_carries_its_data() {
    for number in 0..PROGRAMS.len() {
        let reports = Reports::new(number);
        let text = reports.read("r.html").expect("a page");
        assert!(!text.contains("http://") && !text.contains("https://"), "a page needs no network");
        let begin = text.find("id=\"data\">").expect("data") + "id=\"data\">".len();
        let end = begin + text[begin..].find("</script>").expect("the end of the data");
        let data: Value = serde_json::from_str(&text[begin..end]).expect("JSON");
        assert_eq!(data["headline"], reports.verdict.as_str());
        let steps = data["steps"].as_array().expect("steps");
        assert_eq!(!steps.is_empty(), reports.verdict.starts_with("UNSAFE"));
        for step in steps {
            if let Some(file) = step["file"].as_u64() {
                let lines = data["files"][file as usize]["lines"].as_array().expect("lines");
                let line = step["line"].as_u64().expect("a line") as usize;
                assert!(line >= 1 && line <= lines.len(), "a step's line is in its file");
            }
        }
    }
}

#[test]
fn witnesses_lead_from_the_entry_to_the_violation() {
    let reports = Reports::new(0);
    let text = reports.read("r.graphml").expect("a witness");
    let names = elements(&text);
    let count = |name: &str| names.iter().filter(|n| *n == name).count();
    assert_eq!(count("node"), count("edge") + 1, "a path");
    assert!(text.contains("<data key=\"entry\">true</data>") && text.contains("<data key=\"violation\">true</data>"));
    assert!(text.contains("<data key=\"createThread\">2</data>"), "{text}");
    // Deadlocks have no property in the exchange format.
    assert!(Reports::new(1).read("r.graphml").is_none());
}
