//! `cargo xtask reality`: what concurrent programs do on this computer, the machine can do, too.
//!
//! A random program is compiled with gcc and run many times, with delays of random length between its statements. Every outcome
//! that is seen (the values printed in the end, or that the program is stuck) must be an execution of the machine: asked
//! whether the assertion that excludes the outcome can fail, each engine must find that it can; asked for deadlocks of
//! a program that was stuck, it must find one. A build with ThreadSanitizer runs as well: if it reports a race, each engine must
//! find a race.
//!
//! Memory is sequentially consistent for Heddle, so shared variables are `_Atomic` in the native build unless it looks for
//! races. Outcomes that are never seen say nothing.
//!
//! A disagreement is shrunk and stays in `target/reality`; once understood it belongs into `corpus/`.

mod generate;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::flags::Flags;
use crate::native::{finish, heddle, target};
use crate::shrink_lines::shrink;
use crate::stress::in_release;

/// How the command is called.
pub const USAGE: &str = "cargo xtask reality [--count N] [--seed S] [--runs R] [--engines explore,order,…] [--shrink no] [--print yes] [--smoke]";

const HARNESS: &str = include_str!("reality/harness.h");
const NATIVE_TIME: Duration = Duration::from_secs(20);
/// Seconds that an engine has for one question.
const QUESTION_SECONDS: &str = "10";
const STUCK: &str = "stuck";

/// Something that was seen natively.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Seen {
    /// The program ended with these values, as a C condition.
    Values(String),
    Stuck,
    Race,
}

/// What an engine says of something that was seen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Said {
    Found,
    /// It gave up, or looked at a part only.
    Open(String),
    Denied(String),
}

struct Setup {
    heddle: PathBuf,
    dir: PathBuf,
    runs: u64,
    engines: Vec<String>,
}

/// An engine that denies what was seen.
struct Wrong {
    engine: String,
    seen: Seen,
    answer: String,
}

/// Runs the command.
pub fn run(words: &[&str]) -> Result<(), String> {
    let mut flags = Flags::parse(words).map_err(|error| format!("{error}\nusage: {USAGE}"))?;
    if flags.wants_release() {
        return in_release(&["reality"], words);
    }
    let count = flags.count(50, 4)?;
    let first = flags.number("--seed", 1)?;
    let smoke_runs = if flags.smoke { 100 } else { 400 };
    let runs = flags.number("--runs", smoke_runs)?;
    let engines = flags.text("--engines").unwrap_or_else(|| "explore,order,lazy".to_owned());
    let shrinks = flags.text("--shrink").as_deref() != Some("no") && !flags.smoke;
    let print = flags.text("--print").is_some();
    flags.finish()?;
    if print {
        (first..first + count).for_each(|seed| println!("{}", generate::generate(seed).join("\n")));
        return Ok(());
    }
    let dir = target().join("reality");
    fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    fs::write(dir.join("harness.h"), HARNESS).map_err(|error| format!("harness.h: {error}"))?;
    let setup = Setup { heddle: heddle()?, dir, runs, engines: engines.split(',').map(str::to_owned).collect() };
    let (mut wrong, mut tally) = (0, BTreeMap::<String, u64>::new());
    for seed in first..first + count {
        let lines = generate::generate(seed);
        let Some(seen) = setup.native(&lines, seed) else {
            *tally.entry("programs skipped (gcc or time)".to_owned()).or_default() += 1;
            continue;
        };
        if let Some(found) = setup.examine(&lines, seed, &seen, &mut tally) {
            wrong += 1;
            setup.report(seed, &found, lines, shrinks)?;
        }
    }
    let parts: Vec<String> = tally.iter().map(|(what, count)| format!("{count} {what}")).collect();
    println!("reality: {count} programs from seed {first}: {wrong} disagreements; {}", parts.join(", "));
    if wrong > 0 { Err(format!("{wrong} disagreements; they are in target/reality")) } else { Ok(()) }
}

impl Setup {
    /// All that is seen of a program.
    fn native(&self, lines: &[String], seed: u64) -> Option<BTreeSet<Seen>> {
        let source = self.save(lines, seed)?;
        let plain = self.execute(&source, seed, &["-O1"])?;
        let outcome = |line: &str| match line {
            STUCK => Seen::Stuck,
            values => Seen::Values(values.to_owned()),
        };
        let mut seen: BTreeSet<Seen> = plain.0.lines().map(outcome).collect();
        let races = self.execute(&source, seed, &["-O1", "-g", "-fsanitize=thread", "-DRACES"])?;
        if races.1.contains("ThreadSanitizer: data race") {
            seen.insert(Seen::Race);
        }
        Some(seen)
    }

    fn save(&self, lines: &[String], seed: u64) -> Option<PathBuf> {
        let source = self.dir.join(format!("{seed}.c"));
        fs::write(&source, lines.join("\n") + "\n").ok()?;
        Some(source)
    }

    /// Compiles and runs the program; what it printed on both streams.
    fn execute(&self, source: &Path, seed: u64, flags: &[&str]) -> Option<(String, String)> {
        let (binary, out, err) =
            (source.with_extension("exe"), source.with_extension("out"), source.with_extension("err"));
        let mut gcc = Command::new("gcc");
        gcc.args(["-w", "-std=gnu11", "-pthread", "-include"]).arg(self.dir.join("harness.h")).args(flags);
        gcc.arg(source).arg("-o").arg(&binary);
        let compiled = finish(&mut gcc, &out, &err, NATIVE_TIME).ok()?;
        let mut program = Command::new(&binary);
        // Runs with ThreadSanitizer take longer, and end with the first report.
        let runs = if flags.contains(&"-DRACES") { self.runs / 10 } else { self.runs };
        program.arg(runs.to_string()).arg(seed.to_string());
        program.env("TSAN_OPTIONS", "symbolize=0:halt_on_error=1:exitcode=1");
        let status = if compiled == Some(0) { finish(&mut program, &out, &err, NATIVE_TIME).ok()? } else { None };
        let text = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
        let printed = (text(&out), text(&err));
        for file in [&binary, &out, &err] {
            let _ = fs::remove_file(file);
        }
        status.map(|_| printed)
    }

    /// Asks all engines for all that was seen; the first that denies something.
    fn examine(
        &self,
        lines: &[String],
        seed: u64,
        seen: &BTreeSet<Seen>,
        tally: &mut BTreeMap<String, u64>,
    ) -> Option<Wrong> {
        let source = self.save(lines, seed)?;
        let mut wrong = None;
        for what in seen {
            let kind = match what {
                Seen::Values(_) => "outcomes",
                Seen::Stuck => "deadlocks",
                Seen::Race => "races",
            };
            *tally.entry(format!("{kind} seen")).or_default() += 1;
            for engine in &self.engines {
                match self.ask(&source, engine, what) {
                    Said::Found => {}
                    Said::Open(why) => *tally.entry(format!("{engine}: {why}")).or_default() += 1,
                    Said::Denied(answer) => {
                        let found = Wrong { engine: engine.clone(), seen: what.clone(), answer };
                        wrong.get_or_insert(found);
                    }
                }
            }
        }
        let _ = fs::remove_file(source);
        wrong
    }

    /// Asks an engine whether the machine can do what was seen.
    fn ask(&self, source: &Path, engine: &str, seen: &Seen) -> Said {
        let property = match seen {
            Seen::Values(_) => "assert",
            Seen::Stuck => "deadlock",
            Seen::Race => "race",
        };
        let mut heddle = Command::new(&self.heddle);
        heddle.args(["check", "--no-warnings", "--stop-at-first", "--engine", engine, "--property", property]);
        heddle.args(["--time-limit", QUESTION_SECONDS]).arg(source);
        if let Seen::Values(condition) = seen {
            heddle.arg(format!("-DOUTCOME={condition}"));
        }
        let Ok(output) = heddle.output() else { return Said::Denied("heddle does not start".to_owned()) };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let last = text.lines().last().unwrap_or("").to_owned();
        if last.starts_with("UNSAFE") {
            Said::Found
        } else if last.starts_with("UNKNOWN unconfirmed") || !(last.starts_with("UNKNOWN") || last.starts_with("SAFE"))
        {
            Said::Denied(last + &String::from_utf8_lossy(&output.stderr))
        } else if last.starts_with("SAFE WITHIN") && !last.contains("spurious") || last.starts_with("UNKNOWN") {
            Said::Open(last.split(':').next().unwrap_or(&last).to_owned())
        } else {
            Said::Denied(last)
        }
    }

    /// Shrinks and keeps a disagreement: natively the same is seen, and the engine denies it.
    fn report(&self, seed: u64, wrong: &Wrong, lines: Vec<String>, shrinks: bool) -> Result<(), String> {
        println!("seed {seed}: seen {:?}, {} says {}", wrong.seen, wrong.engine, wrong.answer);
        let same = |candidate: &[String]| {
            let Some(seen) = self.native(candidate, seed) else { return false };
            let Some(source) = self.save(candidate, seed) else { return false };
            let kind = std::mem::discriminant(&wrong.seen);
            seen.iter()
                .filter(|what| std::mem::discriminant(*what) == kind)
                .any(|what| matches!(self.ask(&source, &wrong.engine, what), Said::Denied(_)))
        };
        let small = if shrinks { shrink(lines, same) } else { lines };
        let path = self.dir.join(format!("{seed}.{}.c", wrong.engine));
        fs::write(&path, small.join("\n") + "\n").map_err(|error| format!("{}: {error}", path.display()))?;
        println!("  kept: {}", path.display());
        Ok(())
    }
}
