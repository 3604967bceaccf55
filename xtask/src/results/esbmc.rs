//! `cargo xtask results esbmc`: the context-bounded engines on the programs of [ESBMC Tables 1 and 2], beside the paper's
//! figures; and the limits that they are to keep.
//!
//! A line of a table is one row with one engine: in each [`Setting`], and what the paper says. Lines are found again
//! in the document by their row, bound and engine, so that `--only` leaves the others as they are.

mod bars;
mod rows;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use self::bars::{Bar, Engines};
use self::rows::{Group, Row};
use super::child::{Answer, Heddle, Kind, Limits};
use super::{document, families};
use crate::flags::Flags;

const SECTION: &str = "Context-bounded engines";

/// The paper's engines, with reduction and without.
const CONTEXT_BOUNDED: [&str; 3] = ["lazy", "record", "widen"];

/// Engines to compare with; they consider all contexts.
const OTHERS: [&str; 2] = ["order", "explore"];

/// How the bound counts, and whether equivalent interleavings are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Setting {
    /// C context switches.
    Switches,
    /// C choices between threads, which is what the paper's tables count.
    Choices,
    /// The same without reduction; all interleavings where there is no C.
    Unreduced,
}

impl Setting {
    const ALL: [Setting; 3] = [Setting::Switches, Setting::Choices, Setting::Unreduced];

    fn flags(self, contexts: Option<u32>) -> Vec<String> {
        let bound = if self == Setting::Switches { "--contexts" } else { "--choices" };
        let mut flags: Vec<String> =
            contexts.into_iter().flat_map(|contexts| [bound.to_owned(), contexts.to_string()]).collect();
        flags.extend((self == Setting::Unreduced).then(|| "--no-por".to_owned()));
        flags
    }
}

/// The columns of one setting: the verdict, seconds, megabytes, failing and all interleavings, iterations.
const COLUMNS: usize = 5;

/// The columns that say which line it is.
const KEY: usize = 4;

/// The cells of a line after its key: those of the settings, and the paper's three.
type Cells = Vec<String>;

/// Row, bound and engine, as they are printed.
type Key = [String; 3];

/// Measures, and writes the section.
pub fn run(mut flags: Flags) -> Result<(), String> {
    let seconds = flags.number("--seconds", 60)?;
    let only = flags.text("--only");
    flags.finish()?;
    let rows = rows::rows();
    let chosen: Vec<&Row> = rows.iter().filter(|row| only.as_ref().is_none_or(|name| is_named(row, name))).collect();
    if chosen.is_empty() {
        return Err(format!("no row `{}`", only.unwrap_or_default()));
    }
    let heddle = Heddle::build(Limits::clock(seconds))?;
    let mut lines = lines_of(&document::read_section(SECTION).unwrap_or_default());
    let mut problems = Vec::new();
    for engine in CONTEXT_BOUNDED.into_iter().chain(OTHERS) {
        if !heddle.knows(engine)? {
            eprintln!("there is no engine `{engine}` yet");
            lines.retain(|[_, _, of], _| of != engine);
            continue;
        }
        for row in &chosen {
            lines.insert(key(row, engine), measure(row, engine, &heddle, &mut problems)?);
            // By and by, so that a run that is stopped leaves what it has.
            document::write_section(SECTION, &body(seconds, &rows, &lines))?;
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// By its whole name, or by the part before the parameters.
fn is_named(row: &Row, name: &str) -> bool {
    row.name == name || row.name.split(' ').next() == Some(name)
}

fn key(row: &Row, engine: &str) -> Key {
    [row.name.to_owned(), contexts(row), engine.to_owned()]
}

fn contexts(row: &Row) -> String {
    row.contexts.map_or("∞".to_owned(), |contexts| contexts.to_string())
}

fn measure(row: &Row, engine: &str, heddle: &Heddle, problems: &mut Vec<String>) -> Result<Cells, String> {
    let mut cells = Vec::new();
    for setting in Setting::ALL {
        let idle = match setting {
            Setting::Switches => false,
            Setting::Choices => row.contexts.is_none() || !CONTEXT_BOUNDED.contains(&engine),
            Setting::Unreduced => !CONTEXT_BOUNDED.contains(&engine),
        };
        if idle {
            cells.extend(vec![String::new(); COLUMNS]);
            continue;
        }
        let answer = as_asked(row, heddle.check(row.properties, arguments(row, engine, setting))?);
        let name = format!("{} C={} {engine} {setting:?}", row.name, contexts(row));
        eprintln!("{name}: {:?} {:.2} s {}", answer.kind, answer.cpu, answer.why);
        if !beyond_choices(&answer) && !needs_inputs(&answer) {
            problems.extend(families::contradiction(row.expected, &answer).map(|problem| format!("{name}: {problem}")));
        }
        cells.extend(cells_of(row, &answer));
    }
    let paper = row.paper.map_or([""; 3], |paper| paper.of(engine));
    cells.extend(paper.map(str::to_owned));
    Ok(cells)
}

/// Whether choices were bounded and that cut something off: our programs may need more of them than the paper's.
fn beyond_choices(answer: &Answer) -> bool {
    answer.kind == Kind::Within && answer.bounds.contains_key("choices")
}

/// Whether `explore` was asked about a program with inputs, whose values it would have to be told.
fn needs_inputs(answer: &Answer) -> bool {
    answer.kind == Kind::Unknown && answer.why.starts_with("inputs")
}

fn arguments(row: &Row, engine: &str, setting: Setting) -> Vec<String> {
    let program = super::root().join("corpus/families").join(row.program);
    let mut args = vec![program.display().to_string(), "--engine".to_owned(), engine.to_owned()];
    let flags = row.flags.split_once(" --unwind").map_or(row.flags, |(others, _)| others);
    // `explore` bounds no rounds of loops.
    args.extend(if engine == "explore" { flags } else { row.flags }.split(' ').map(str::to_owned));
    // The paper's figures are those of the first violation.
    args.push("--stop-at-first".to_owned());
    if CONTEXT_BOUNDED.contains(&engine) {
        args.extend(setting.flags(row.contexts));
    }
    args
}

/// An engine whose time is up may say what it has shown within a smaller bound: that is not the answer to the row.
fn as_asked(row: &Row, answer: Answer) -> Answer {
    let bound = |name: &str| answer.bounds.get(name).copied();
    let fewer_contexts = bound("contexts").filter(|&shown| row.contexts.is_none_or(|asked| shown < f64::from(asked)));
    let fewer_rounds = bound("unwind").filter(|_| !row.flags.contains("--unwind"));
    let why = match (fewer_contexts, fewer_rounds) {
        (Some(contexts), _) => format!("time, safe within C={contexts:.0}"),
        (None, Some(rounds)) => format!("time, safe within unwind={rounds:.0}"),
        (None, None) => return answer,
    };
    Answer { kind: Kind::Limit, why, ..answer }
}

fn cells_of(row: &Row, answer: &Answer) -> [String; COLUMNS] {
    let figure = |name| answer.figure(name).map(|value| format!("{value:.0}"));
    let verdict = match answer.kind {
        Kind::Safe if row.expected == Kind::Safe => "SAFE",
        Kind::Within if row.expected == Kind::Safe || beyond_choices(answer) => "SAFE WITHIN",
        Kind::Unsafe if row.expected == Kind::Unsafe => "UNSAFE",
        Kind::Safe | Kind::Within | Kind::Unsafe => "**wrong**",
        Kind::Limit => &answer.why,
        Kind::Unknown if needs_inputs(answer) => "inputs",
        Kind::Unknown => "**unknown**",
        Kind::Crash => "**crash**",
    };
    let decided = matches!(answer.kind, Kind::Safe | Kind::Within | Kind::Unsafe);
    let time = format!("{}{:.2}", if decided { "" } else { "> " }, answer.cpu);
    let memory = figure("memory.peak_mb").or_else(|| figure("memory")).unwrap_or_default();
    let failing = figure("interleavings.failing").map_or(String::new(), |failing| format!("{failing}/"));
    let interleavings = figure("interleavings").map_or(String::new(), |all| format!("{failing}{all}"));
    [verdict.to_owned(), time, memory, interleavings, figure("iterations").unwrap_or_default()]
}

/// The lines of all tables as they are.
fn lines_of(body: &str) -> BTreeMap<Key, Cells> {
    let columns = KEY + Setting::ALL.len() * COLUMNS + 3;
    let cells = |line: &str| -> Option<Vec<String>> {
        let inner = line.strip_prefix("| ")?.strip_suffix('|')?;
        Some(inner.split('|').map(|cell| cell.trim().to_owned()).collect())
    };
    let lines = body.lines().filter_map(cells).filter(|cells| cells.len() == columns);
    lines
        .map(|mut cells| (cells.split_off(KEY), cells))
        .filter_map(|(cells, key)| Some((key_of(&key)?, cells)))
        .collect()
}

/// The program, its threads, the bound and the engine; the head of a table is none.
fn key_of(cells: &[String]) -> Option<Key> {
    let [row, _, contexts, engine] = cells else { return None };
    let known = CONTEXT_BOUNDED.into_iter().chain(OTHERS).any(|known| known == engine);
    known.then(|| [row.clone(), contexts.clone(), engine.clone()])
}

fn body(seconds: u64, rows: &[Row], lines: &BTreeMap<Key, Cells>) -> String {
    let mut body = opening(seconds) + "\n";
    for group in Group::ALL {
        let _ = write!(body, "\n### {}\n\n{HEAD}", group.title());
        for row in rows.iter().filter(|row| row.group == group) {
            for engine in CONTEXT_BOUNDED.into_iter().chain(OTHERS) {
                let Some(cells) = lines.get(&key(row, engine)) else { continue };
                let (name, threads, contexts) = (row.name, row.threads, contexts(row));
                let _ = writeln!(body, "| {name} | {threads} | {contexts} | {engine} | {} |", cells.join(" | "));
            }
        }
    }
    let _ = write!(body, "\n### Bars\n\n{}", bars_table(&bars::bars(), lines));
    body
}

const HEAD: &str = "\
| program | threads | C | engine | C switches: verdict | s | MB | failing/interleavings | iterations | C choices: verdict | s | MB \
| failing/interleavings | iterations | without reduction: verdict | s | MB | failing/interleavings | iterations | paper: s \
| failing/interleavings | iterations |
|---|--:|--:|---|---|--:|--:|--:|--:|---|--:|--:|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|
";

fn opening(seconds: u64) -> String {
    format!(
        "`cargo xtask results esbmc --seconds {seconds}`: the programs of Tables 1 and 2 of [ESBMC], written anew in \
         `corpus/families/` and `corpus/families/contexts/`, with the paper's numbers of threads and bounds C \
         (∞: none), by the paper's engines; and by two engines that always consider all contexts. {} \
         The paper says that C bounds context switches, which is `--contexts C`, but its numbers of interleavings are those of choices between \
         threads at C points, changes or not: `--choices C` ([ADR 9](adr/0009-the-reachability-tree-is-a-graph-of-worlds.md)). Without reduction \
         (`--no-por`) the tree is that of choices, where there is a C. Violations may need more choices in our programs than in the paper's \
         (twostage needs 6): then the answer is SAFE WITHIN. \
         s are CPU seconds, with {seconds} seconds by the clock as the limit; MB are the most memory held. The paper's seconds \
         are those of its own machine (TO: out of time, MO: out of memory), and its programs are others of the same \
         kind, so that numbers of interleavings are alike at best. aget, bzip2smp and the three programs exStb, whole \
         applications, are left out.",
        super::machine()
    )
}

/// What each limit asks for, and the best that was measured.
fn bars_table(bars: &[Bar], lines: &BTreeMap<Key, Cells>) -> String {
    let mut table =
        "| program | C | engine | reduction | limit s | measured s | met |\n|---|--:|---|---|--:|--:|---|\n".to_owned();
    for bar in bars {
        let engines: Vec<&str> = match bar.engines {
            Engines::One(engine) => vec![engine],
            Engines::Each => CONTEXT_BOUNDED.to_vec(),
            Engines::Some => CONTEXT_BOUNDED.into_iter().chain(OTHERS).collect(),
        };
        let times: Vec<Option<f64>> = engines.iter().map(|engine| time(bar, engine, lines)).collect();
        let asked = match bar.engines {
            Engines::One(engine) => engine,
            Engines::Each => "each",
            Engines::Some => "any",
        };
        let measured: Vec<String> = engines
            .iter()
            .zip(&times)
            .filter_map(|(engine, time)| time.map(|time| format!("{engine} {time:.2}")))
            .collect();
        let met = match bar.is_met(&times) {
            true => "yes",
            false if engines.iter().all(|engine| lines.contains_key(&bar_key(bar, engine))) => "no",
            false => "not measured",
        };
        let _ = writeln!(
            table,
            "| {} | {} | {asked} | {} | {} | {} | {met} |",
            bar.row,
            bar.contexts,
            if bar.reduced { "with" } else { "without" },
            bar.seconds,
            measured.join(", "),
        );
    }
    table
}

fn bar_key(bar: &Bar, engine: &str) -> Key {
    [bar.row, bar.contexts, engine].map(str::to_owned)
}

/// The seconds that an engine took for the row of a limit, if it answered.
fn time(bar: &Bar, engine: &str, lines: &BTreeMap<Key, Cells>) -> Option<f64> {
    let cells = lines.get(&bar_key(bar, engine))?;
    let setting = if bar.reduced { Setting::Switches } else { Setting::Unreduced };
    let verdict = setting as usize * COLUMNS;
    let answered = ["SAFE", "SAFE WITHIN", "UNSAFE"].contains(&cells[verdict].as_str());
    answered.then(|| cells[verdict + 1].parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_its_program_and_its_place() {
        let rows = rows::rows();
        let count = |group| rows.iter().filter(|row| row.group == group).count();
        assert_eq!(Group::ALL.map(count), [18, 16, 30]);
        for row in &rows {
            let program = super::super::root().join("corpus/families").join(row.program);
            assert!(program.is_file(), "{}: no {}", row.name, row.program);
            assert_eq!(row.paper.is_some(), row.group != Group::Others, "{}", row.name);
        }
        let keys: std::collections::BTreeSet<Key> = rows.iter().map(|row| key(row, "lazy")).collect();
        assert_eq!(keys.len(), rows.len());
    }

    #[test]
    fn every_bar_has_its_row() {
        let keys: Vec<Key> = rows::rows().iter().map(|row| key(row, "")).collect();
        for bar in bars::bars() {
            assert!(keys.contains(&[bar.row.to_owned(), bar.contexts.to_owned(), String::new()]), "{}", bar.row);
        }
    }

    #[test]
    fn flags_are_those_of_the_engine() {
        let rows = rows::rows();
        let row = rows.iter().find(|row| row.name == "sync02_ok").expect("it is a row");
        let tail = |engine, setting| arguments(row, engine, setting)[3..].join(" ");
        assert_eq!(tail("lazy", Setting::Switches), "-DN=20 --unwind 2 --stop-at-first --contexts 21");
        assert_eq!(tail("lazy", Setting::Choices), "-DN=20 --unwind 2 --stop-at-first --choices 21");
        assert_eq!(tail("lazy", Setting::Unreduced), "-DN=20 --unwind 2 --stop-at-first --choices 21 --no-por");
        assert_eq!(tail("order", Setting::Switches), "-DN=20 --unwind 2 --stop-at-first");
        assert_eq!(tail("explore", Setting::Switches), "-DN=20 --stop-at-first");
        assert_eq!(Setting::Unreduced.flags(None), ["--no-por"]);
    }

    #[test]
    fn lines_are_found_again() {
        let rows = rows::rows();
        let measured = [
            ["UNSAFE", "0.10", "9", "1/7", ""],
            ["UNSAFE", "0.20", "9", "1/9", ""],
            ["UNSAFE", "0.30", "9", "1/29", ""],
        ];
        let cells: Cells = measured.into_iter().flatten().chain(["<1", "1/8124", ""]).map(str::to_owned).collect();
        let lines = BTreeMap::from([(["reorder_6_bad (5,1)", "9", "lazy"].map(str::to_owned), cells)]);
        let text = body(60, &rows, &lines);
        assert_eq!(lines_of(&text), lines);
        assert!(text.contains("| reorder_6_bad (5,1) | 9 | lazy | with | 0.2 | lazy 0.10 | yes |"), "{text}");
        let slow = "| reorder_6_bad (5,1) | 9 | lazy | with | 0.2 |  | no |";
        let stopped = lines.clone().into_iter().map(|(key, cells)| {
            (key, cells.into_iter().map(|cell| if cell == "UNSAFE" { "time".to_owned() } else { cell }).collect())
        });
        assert!(body(60, &rows, &stopped.collect()).lines().any(|line| line == slow));
        assert!(text.contains("| wronglock_7_bad (1,6) | 8 | lazy | with | 2 |  | not measured |"), "{text}");
    }

    #[test]
    fn a_smaller_bound_is_no_answer() {
        let rows = rows::rows();
        let within_bound = |name: &str, bound: f64| Answer {
            kind: Kind::Within,
            why: String::new(),
            cpu: 1.0,
            bounds: BTreeMap::from([(name.to_owned(), bound)]),
            statistics: BTreeMap::new(),
        };
        let within = |contexts| within_bound("contexts", contexts);
        let named = |name| rows.iter().find(|row| row.name == name).expect("it is a row");
        let (bounded, unbounded) = (named("stack_ok"), named("circular_buffer_ok"));
        assert_eq!(cells_of(bounded, &as_asked(bounded, within(12.0)))[..2], ["SAFE WITHIN", "1.00"]);
        assert_eq!(cells_of(bounded, &as_asked(bounded, within(11.0)))[..2], ["time, safe within C=11", "> 1.00"]);
        let rounds = |row| cells_of(row, &as_asked(row, within_bound("unwind", 2.0)))[0].clone();
        assert_eq!([bounded, named("sync02_ok")].map(rounds), ["time, safe within unwind=2", "SAFE WITHIN"]);
        assert_eq!(cells_of(unbounded, &as_asked(unbounded, within(99.0)))[..2], ["time, safe within C=99", "> 1.00"]);
    }

    #[test]
    fn figures_become_cells() {
        let rows = rows::rows();
        let statistics = [("interleavings", 29.0), ("interleavings.failing", 1.0), ("memory.peak_mb", 12.0)];
        let statistics = statistics.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        let mut answer =
            Answer { kind: Kind::Unsafe, why: String::new(), cpu: 0.5, bounds: BTreeMap::new(), statistics };
        assert_eq!(cells_of(&rows[0], &answer), ["UNSAFE", "0.50", "12", "1/29", ""]);
        answer.kind = Kind::Safe;
        assert_eq!(cells_of(&rows[0], &answer)[0], "**wrong**");
        (answer.kind, answer.why) = (Kind::Limit, "time".to_owned());
        assert_eq!(cells_of(&rows[0], &answer)[..2], ["time", "> 0.50"]);
    }
}
