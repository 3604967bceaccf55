//! The hard families: programs of `corpus/families/` with a size `N`, and how the engines on event graphs grow with it.
//!
//! A program opens with comments: what it is, and lines such as
//!
//! ```text
//! // expect: SAFE for N in 5..12
//! // expect: UNSAFE deadlock for N in 2,3,10..50/10 with -DWRONG --unwind {N}
//! ```
//!
//! which name the verdict, the properties (`assert`, if there are none), the sizes (each given as `-DN=size`) and further
//! flags of `heddle check`, where `{N}` is the size.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use super::child::{Answer, Heddle, Kind, Limits};
use super::{ENGINES, document};
use crate::flags::Flags;

const SECTION: &str = "Hard families";

const FOLDER: &str = "corpus/families";

const SUMMARY: &str = "### Largest N that was answered";

/// A program that grows.
pub struct Family {
    name: String,
    path: PathBuf,
    about: String,
    variants: Vec<Variant>,
}

/// A family with some flags, and the verdict that all its sizes must get.
struct Variant {
    expected: Kind,
    /// As `--property` takes them.
    properties: String,
    sizes: Vec<u64>,
    flags: Vec<String>,
}

impl Variant {
    /// The flags of `heddle check` for one size.
    fn arguments(&self, size: u64) -> Vec<String> {
        let mut args = vec![format!("-DN={size}")];
        args.extend(self.flags.iter().map(|flag| flag.replace("{N}", &size.to_string())));
        args
    }

    fn title(&self) -> String {
        let verdict = if self.expected == Kind::Safe { "SAFE" } else { "UNSAFE" };
        if self.flags.is_empty() { verdict.to_owned() } else { format!("{verdict}, `{}`", self.flags.join(" ")) }
    }
}

/// All programs of a folder, by name.
fn all(folder: &str) -> Result<Vec<Family>, String> {
    let folder = super::root().join(folder);
    let listing = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = listing.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    paths.into_iter().map(Family::read).collect()
}

impl Family {
    fn read(path: PathBuf) -> Result<Self, String> {
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let comments: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("// ")).collect();
        let (expectations, about): (Vec<&str>, Vec<&str>) =
            comments.into_iter().partition(|line| line.starts_with("expect:"));
        let variants = expectations
            .iter()
            .map(|line| variant(&line["expect:".len()..]).ok_or_else(|| format!("{name}: cannot read `// {line}`")));
        let variants = variants.collect::<Result<Vec<_>, _>>()?;
        if variants.is_empty() {
            return Err(format!("{name}: no line `// expect: …`"));
        }
        Ok(Family { name, path, about: about.join(" "), variants })
    }
}

/// `SAFE for N in 5..12 with -DWRONG`, or `SAFE assert,deadlock for …`.
fn variant(text: &str) -> Option<Variant> {
    let (verdict, rest) = text.split_once(" for N in ")?;
    let (sizes, flags) = rest.split_once(" with ").unwrap_or((rest, ""));
    let (verdict, properties) = verdict.trim().split_once(' ').unwrap_or((verdict.trim(), "assert"));
    let expected = match verdict {
        "SAFE" => Kind::Safe,
        "UNSAFE" => Kind::Unsafe,
        _ => return None,
    };
    let sizes = sizes.trim().split(',').map(range).collect::<Option<Vec<_>>>()?.concat();
    let flags = flags.split_whitespace().map(str::to_owned).collect();
    Some(Variant { expected, properties: properties.to_owned(), sizes, flags })
}

/// `7`, `5..12` or `10..50/10`.
fn range(text: &str) -> Option<Vec<u64>> {
    let Some((from, to)) = text.split_once("..") else { return Some(vec![text.parse().ok()?]) };
    let (to, step) = to.split_once('/').unwrap_or((to, "1"));
    let step: usize = step.parse().ok().filter(|&step| step > 0)?;
    let sizes: Vec<u64> = (from.parse().ok()?..=to.parse().ok()?).step_by(step).collect();
    (!sizes.is_empty()).then_some(sizes)
}

/// Measures, and writes the section.
pub fn run(mut flags: Flags) -> Result<(), String> {
    let seconds = flags.number("--seconds", 10)?;
    let only = flags.text("--family");
    flags.finish()?;
    let heddle = Heddle::build(Limits::cpu(seconds))?;
    let mut families = all(FOLDER)?;
    families.retain(|family| only.as_ref().is_none_or(|name| *name == family.name));
    if families.is_empty() {
        return Err(format!("no family `{}`", only.unwrap_or_default()));
    }
    let mut body = match &only {
        Some(_) => document::read_section(SECTION).unwrap_or_default(),
        None => document::replaced(&opening(seconds), SUMMARY, ""),
    };
    let mut problems = Vec::new();
    for family in &families {
        let mut tables = format!("{}\n", family.about);
        let mut rows = summary_of_others(&body, &family.name);
        for variant in &family.variants {
            let measured = measure(family, variant, &heddle, &mut problems)?;
            let _ = write!(tables, "\n{}:\n\n{}", variant.title(), measured.table);
            let largest = measured.largest.map(|size| size.map_or("–".to_owned(), |size| size.to_string()));
            rows.push(format!("| {} | {} | {} |", family.name, variant.title(), largest.join(" | ")));
        }
        body = document::replaced(&body, SUMMARY, &summary(rows));
        body = document::replaced(&body, &format!("### {}", family.name), &tables);
        // By and by, so that a run that is stopped leaves what it has.
        document::write_section(SECTION, &body)?;
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// The rows of the summary as it is, without those of one family.
fn summary_of_others(body: &str, name: &str) -> Vec<String> {
    let rows = document::body(body, SUMMARY).unwrap_or_default().lines().skip(2);
    rows.filter(|row| !row.starts_with(&format!("| {name} |"))).map(str::to_owned).collect()
}

fn summary(mut rows: Vec<String>) -> String {
    // Stable: a family's variants stay in their order.
    rows.sort_by(|a, b| a.split('|').nth(1).cmp(&b.split('|').nth(1)));
    let columns = ENGINES.join(" | ");
    format!("| family | verdict | {columns} |\n|---|---|{}\n{}\n", "--:|".repeat(ENGINES.len()), rows.join("\n"))
}

fn opening(seconds: u64) -> String {
    format!(
        "`cargo xtask results bounded --seconds {seconds}`: the programs of `corpus/families/`, each with growing `N`. {} \
         s are CPU seconds, with {seconds} as the limit (and three times as much by the clock); an engine's first failure to \
         answer in time ends its column. MB are the most memory held, events the nodes of the event graph, conflicts those \
         of the SAT search.",
        super::machine()
    )
}

/// How the engines did on a variant.
struct Measured {
    table: String,
    /// The largest size that each engine answered.
    largest: [Option<u64>; ENGINES.len()],
}

fn measure(
    family: &Family,
    variant: &Variant,
    heddle: &Heddle,
    problems: &mut Vec<String>,
) -> Result<Measured, String> {
    let engines = ENGINES.map(|engine| format!(" {engine} s | MB | conflicts |")).concat();
    let mut table = format!("| N | events |{engines}\n|--:|--:|{}\n", "--:|".repeat(3 * ENGINES.len()));
    let mut growing = [true; ENGINES.len()];
    let mut largest = [None; ENGINES.len()];
    for &size in &variant.sizes {
        if !growing.contains(&true) {
            break;
        }
        let mut row = String::new();
        let mut events = None;
        for (index, engine) in ENGINES.iter().enumerate() {
            if !growing[index] {
                row += " | | |";
                continue;
            }
            let answer = ask(family, variant, size, engine, heddle)?;
            let name = format!("{} {} N={size} {engine}", family.name, variant.title());
            eprintln!("{name}: {:?} {:.2} s {}", answer.kind, answer.cpu, answer.why);
            problems.extend(contradiction(variant.expected, &answer).map(|problem| format!("{name}: {problem}")));
            growing[index] = answer.kind == variant.expected;
            if growing[index] {
                largest[index] = Some(size);
            }
            events = events.or(answer.figure("nodes"));
            row += &cells(variant.expected, &answer);
        }
        let events = events.map_or(String::new(), |events| events.to_string());
        let _ = writeln!(table, "| {size} | {events} |{row}");
    }
    Ok(Measured { table, largest })
}

fn ask(family: &Family, variant: &Variant, size: u64, engine: &str, heddle: &Heddle) -> Result<Answer, String> {
    let mut args = vec![family.path.display().to_string(), "--engine".to_owned(), engine.to_owned()];
    args.extend(variant.arguments(size));
    heddle.check(&variant.properties, args)
}

/// What must never happen, whatever the limits.
pub fn contradiction(expected: Kind, answer: &Answer) -> Option<String> {
    match answer.kind {
        Kind::Safe | Kind::Unsafe if answer.kind != expected => Some(format!("the wrong verdict {:?}", answer.kind)),
        // A bound hides a violation, but `--unwind` of the families is meant to be enough.
        Kind::Within if expected == Kind::Unsafe => Some("no violation within the bound".to_owned()),
        Kind::Crash | Kind::Unknown => Some(answer.why.clone()),
        _ if answer.unconfirmed() => Some("an unconfirmed candidate".to_owned()),
        Kind::Safe | Kind::Unsafe | Kind::Within | Kind::Limit => None,
    }
}

fn cells(expected: Kind, answer: &Answer) -> String {
    let time = match answer.kind {
        kind if kind == expected => format!("{:.2}", answer.cpu),
        Kind::Limit if answer.why == "time" => format!("> {:.1}", answer.cpu),
        Kind::Limit => answer.why.clone(),
        Kind::Within => "within".to_owned(),
        Kind::Safe | Kind::Unsafe => "**wrong**".to_owned(),
        Kind::Unknown => "**unknown**".to_owned(),
        Kind::Crash => "**crash**".to_owned(),
    };
    let figure = |name| answer.figure(name).map_or(String::new(), |value| format!("{value:.0}"));
    format!(" {time} | {} | {} |", figure("memory.peak_mb"), figure("sat.conflicts"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::Parser;
    use heddle::{Options, program};
    use heddle_base::Budget;
    use heddle_cli::args::{Cli, Command};
    use heddle_cli::{check, input};

    use super::*;

    #[test]
    fn expectations_are_read() {
        let read = variant(" UNSAFE for N in 2,3,10..30/10 with -DWRONG --unwind {N}").expect("it is well-formed");
        assert_eq!((read.expected, read.properties.as_str()), (Kind::Unsafe, "assert"));
        assert_eq!(read.sizes, [2, 3, 10, 20, 30]);
        assert_eq!(read.arguments(3), ["-DN=3", "-DWRONG", "--unwind", "3"]);
        let read = variant(" SAFE assert,deadlock for N in 2..4").expect("it is well-formed");
        assert_eq!((read.expected, read.properties.as_str()), (Kind::Safe, "assert,deadlock"));
        for bad in ["SAFE", "SAFE for N in", "SAFE for N in 3..1", "MAYBE for N in 1", "SAFE for N in 1..5/0"] {
            assert!(variant(bad).is_none(), "{bad}");
        }
    }

    /// The last line of `heddle check` and the clauses that the engine starts with, in this process.
    fn checked(family: &Family, variant: &Variant, engine: &str) -> Result<(String, Option<f64>), String> {
        let mut words = ["heddle", "check", "-w", "--property", &variant.properties, "--engine", engine]
            .map(str::to_owned)
            .to_vec();
        words.push(family.path.display().to_string());
        words.extend(variant.arguments(variant.sizes[0]));
        let cli = Cli::try_parse_from(words).map_err(|error| error.to_string())?;
        let Command::Check(args) = cli.command else { return Err("not a check".to_owned()) };
        let program = input::load(&args.input, None).ok_or("it does not compile")?;
        // Far more than needed, also on a busy machine.
        let budget = Budget::unlimited().with_time(Duration::from_secs(120));
        let options = Options { budget, ..check::options(&args) };
        let answer = program::check(&program, &options, &|_| {}).map_err(|error| error.to_string())?;
        Ok((heddle_report::headline(&answer.verdict), answer.statistics.get("formula.clauses").copied()))
    }

    /// What is wrong with an answer.
    fn disagreement(variant: &Variant, found: &str) -> Option<String> {
        let bounded = variant.flags.iter().any(|flag| flag == "--unwind");
        let right = match variant.expected {
            Kind::Safe => found == "SAFE" || (bounded && found.starts_with("SAFE WITHIN unwind=")),
            _ => found.starts_with(&format!("UNSAFE {}", variant.properties)),
        };
        (!right).then(|| found.to_owned())
    }

    /// Programs that all engines decide, those that enumerate interleavings too.
    #[test]
    fn every_family_of_contexts_gets_its_verdict_at_its_smallest() {
        let families = all("corpus/families/contexts").expect("readable families");
        assert_eq!(families.len(), 16);
        let mut failures = Vec::new();
        for (family, variant) in families.iter().flat_map(|family| family.variants.iter().map(move |v| (family, v))) {
            let name = format!("{} {}", family.name, variant.title());
            for engine in ["explore", "order", "lazy", "record", "widen"] {
                let (found, _) = checked(family, variant, engine).unwrap_or_else(|why| panic!("{name}: {why}"));
                failures.extend(disagreement(variant, &found).map(|found| format!("{name} by {engine}: {found}")));
            }
        }
        assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    }

    #[test]
    fn every_family_gets_its_verdict_at_its_smallest() {
        let families = all(FOLDER).expect("readable families");
        assert!(families.len() >= 14);
        let mut failures = Vec::new();
        for (family, variant) in families.iter().flat_map(|family| family.variants.iter().map(move |v| (family, v))) {
            let name = format!("{} {}", family.name, variant.title());
            let mut clauses = Vec::new();
            for engine in ENGINES {
                let (found, start) = checked(family, variant, engine).unwrap_or_else(|why| panic!("{name}: {why}"));
                clauses.push(start);
                failures.extend(disagreement(variant, &found).map(|found| format!("{name} by {engine}: {found}")));
            }
            // `order` and `refine` start alike, `clock` with more.
            if clauses[0].is_none() || clauses[0] != clauses[1] || clauses[1] >= clauses[2] {
                failures.push(format!("{name}: {clauses:?} clauses"));
            }
        }
        assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    }
}
