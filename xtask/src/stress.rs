//! `cargo xtask stress`: every engine gives the same answer to random concurrent programs (docs/design.md, "Oracles").
//!
//! Plain depth-first execution of all schedules is the judge; [`engines::ROWS`] lists who is measured against it. A
//! program is checked for the default properties, for races, for leaks and for uses of what was never initialised; if something is found, for each of the
//! properties alone, so that engines that come to different violations first are still compared; and what engines list beside
//! the first violation must be found alone, too. Programs with too many
//! schedules for the judge are counted and left out.
//!
//! A disagreement is shrunk and stays in `target/stress`; once understood it belongs into `corpus/`.

pub mod engines;
mod generate;
mod lines;
mod shrink;
mod tree;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;

use heddle_c_front::{Input, Options, compile};
use heddle_engines::Flag;
use heddle_ir::{InputKind, Program, Property, PropertySet};
use heddle_task::{Bounds, Task, Verdict};

use crate::flags::Flags;
use engines::{Answer, ROWS, Row, Strength};
use tree::Source;

/// How the command is called.
pub const USAGE: &str = "cargo xtask stress [--count N] [--seed S] [--engines dfs,explore,…] [--property LIST] [--smoke]\n       \
     [--contexts C]: with engines dfs, lazy, unreduced, record, widen only\n       \
     [--choices N]: with engines unreduced, lazy, record, widen only\n       \
     [--fixed 1]: every input has one value (`--input`), so that `trace` and `explore` execute the same";

struct Setup {
    engines: Vec<&'static Row>,
    /// Sets of properties to check for.
    sets: Vec<PropertySet>,
    /// Bounds on context switches and choices between threads.
    bounds: Bounds,
    /// Whether every input has one value, the same for all engines.
    fixed: bool,
    /// Questions that the judge answered and an engine did not get to the end of.
    undecided: RefCell<BTreeMap<&'static str, u64>>,
}

/// The names of the engines that take a flag; the first is the judge.
fn taking(flag: Flag) -> Vec<&'static str> {
    ROWS.iter().filter(|row| row.flags.contains(&flag)).map(|row| row.name).collect()
}

/// What came of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Fate {
    /// All agree; the answer to the first set of properties.
    Agree(Answer),
    /// The judge gave up.
    TooLarge,
    /// An engine's answer is not the judge's.
    Disagree(Disagreement),
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Disagreement {
    engine: &'static str,
    properties: String,
    judge: Answer,
    other: Answer,
}

/// Runs the command.
pub fn run(words: &[&str]) -> Result<(), String> {
    let mut flags = Flags::parse(words).map_err(|error| format!("{error}\nusage: {USAGE}"))?;
    if flags.wants_release() {
        return in_release(&["stress"], words);
    }
    let count = flags.count(200, 20)?;
    let first = flags.number("--seed", 1)?;
    let mut bound = |name: &str| -> Result<Option<u64>, String> {
        let number = flags.text(name).map(|text| text.parse().map_err(|_| format!("{name} {text}: no number")));
        number.transpose()
    };
    let bounds = Bounds { contexts: bound("--contexts")?, choices: bound("--choices")?, ..Bounds::default() };
    let needed = match (bounds.choices, bounds.contexts) {
        (Some(_), _) => Some(Flag::Choices),
        (None, Some(_)) => Some(Flag::Contexts),
        (None, None) => None,
    };
    let engines = flags.text("--engines").or_else(|| needed.map(|flag| taking(flag).join(",")));
    let setup = Setup {
        engines: chosen(engines)?,
        sets: property_sets(flags.text("--property"))?,
        bounds,
        fixed: flags.number("--fixed", 0)? != 0,
        undecided: RefCell::default(),
    };
    if let Some(flag) = needed
        && let Some(row) = setup.engines.iter().find(|row| !row.flags.contains(&flag))
    {
        return Err(format!("{}: the engine `{}` has no such bound", flag.name(), row.name));
    }
    flags.finish()?;
    let mut tally: BTreeMap<String, u64> = BTreeMap::new();
    let mut disagreements = 0;
    for seed in first..first + count {
        let source = generate::generate(seed);
        match setup.examine(&source) {
            Fate::Agree(answer) => *tally.entry(word(&answer)).or_default() += 1,
            Fate::TooLarge => *tally.entry("too large".to_owned()).or_default() += 1,
            Fate::Disagree(how) => {
                disagreements += 1;
                report(seed, &how, &setup, source)?;
            }
        }
    }
    let parts: Vec<String> = tally.iter().map(|(answer, count)| format!("{count} {answer}")).collect();
    println!(
        "stress: {count} programs from seed {first}: {disagreements} disagreements; the others: {}",
        parts.join(", ")
    );
    for (engine, count) in setup.undecided.borrow().iter() {
        println!("  {engine}: {count} questions left open that {} answered", setup.engines[0].name);
    }
    if disagreements > 0 { Err(format!("{disagreements} disagreements; they are in target/stress")) } else { Ok(()) }
}

/// Executing every schedule is nothing for a build without optimisation.
pub fn in_release(command: &[&str], words: &[&str]) -> Result<(), String> {
    let status = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--release", "--package", "xtask", "--"])
        .args(command)
        .args(words)
        .status()
        .map_err(|error| format!("cargo run: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{} failed", command.join(" "))) }
}

/// The engines of a list of names; all of them if there is none.
pub fn chosen(names: Option<String>) -> Result<Vec<&'static Row>, String> {
    let Some(names) = names else { return Ok(ROWS.iter().collect()) };
    let known = || ROWS.iter().map(|row| row.name).collect::<Vec<_>>().join(",");
    let find = |name: &str| {
        let row = ROWS.iter().find(|row| row.name == name);
        row.ok_or_else(|| format!("unknown engine `{name}`; there are {}", known()))
    };
    names.split(',').map(find).collect()
}

fn property_sets(list: Option<String>) -> Result<Vec<PropertySet>, String> {
    match list {
        Some(list) => Ok(vec![list.parse()?]),
        None => Ok(vec![
            PropertySet::default(),
            PropertySet::EMPTY.with(Property::Race),
            PropertySet::EMPTY.with(Property::Leak),
            PropertySet::EMPTY.with(Property::Uninit),
        ]),
    }
}

impl Setup {
    fn examine(&self, source: &Source) -> Fate {
        let mut first = None;
        for &properties in &self.sets {
            match self.examine_for(source, properties) {
                Fate::Agree(answer) => first.get_or_insert(answer),
                other @ (Fate::TooLarge | Fate::Disagree(_)) => return other,
            };
        }
        Fate::Agree(first.expect("there is a set of properties"))
    }

    /// Asks for a set of properties, and for each alone if something is found.
    fn examine_for(&self, source: &Source, properties: PropertySet) -> Fate {
        let mut listed = Vec::new();
        let answer = match self.agreed(source, properties, &mut listed) {
            Fate::Agree(answer @ Answer::Unsafe(_)) => answer,
            other => return other,
        };
        for property in properties.iter() {
            let judge = match self.agreed(source, PropertySet::EMPTY.with(property), &mut Vec::new()) {
                Fate::Agree(judge) => judge,
                // Alone a property may need more schedules than the judge has time for.
                Fate::TooLarge => continue,
                disagree @ Fate::Disagree(_) => return disagree,
            };
            // What is listed beside the first violation is there, too.
            if let Some(&(engine, _)) = listed.iter().find(|(_, of)| *of == property && judge == Answer::Safe) {
                let (properties, other) = (properties.to_string(), Answer::Unsafe(property));
                return Fate::Disagree(Disagreement { engine, properties, judge, other });
            }
        }
        Fate::Agree(answer)
    }

    /// Asks all engines for one set of properties. `listed` gets all that they say is violated.
    fn agreed(&self, source: &Source, properties: PropertySet, listed: &mut Vec<(&'static str, Property)>) -> Fate {
        let disagree = |engine: &'static str, judge: Answer, other: Answer| {
            Fate::Disagree(Disagreement { engine, properties: properties.to_string(), judge, other })
        };
        let program = match load(&source.text(), properties) {
            Ok(program) => program,
            Err(why) => return disagree("compiler", Answer::Safe, Answer::Unknown(why)),
        };
        let mut task = Task::new(&program, properties).with_bounds(self.bounds.clone());
        if self.fixed {
            task.domains = one_value_each(&program);
        }
        let mut judge = None;
        for row in &self.engines {
            let answer = match catch_unwind(AssertUnwindSafe(|| row.check(&task))) {
                Ok(verdict) => {
                    if let Verdict::Unsafe(found) = &verdict {
                        let all = std::iter::once(&**found).chain(&found.others);
                        listed.extend(all.map(|one| (row.name, one.violation.property)));
                    }
                    Answer::from(verdict)
                }
                Err(_) => Answer::Unknown("crash".to_owned()),
            };
            match &judge {
                None if answer == Answer::TooLarge => return Fate::TooLarge,
                None => judge = Some(answer),
                Some(judge) if fits(row.strength, judge, &answer, self.bounds.contexts) => {
                    let open = match &answer {
                        Answer::TooLarge | Answer::Unknown(_) => *judge != answer,
                        Answer::Within(_) => matches!(judge, Answer::Unsafe(_)),
                        Answer::Safe | Answer::Unsafe(_) => false,
                    };
                    if open {
                        *self.undecided.borrow_mut().entry(row.name).or_default() += 1;
                    }
                }
                Some(judge) => return disagree(row.name, judge.clone(), answer),
            }
        }
        Fate::Agree(judge.expect("there is an engine"))
    }
}

/// An input vector: small numbers, one for each input of the program.
fn one_value_each(program: &Program) -> Vec<(String, Vec<i128>)> {
    let inputs = program.inputs.iter().filter(|input| input.kind != InputKind::Uninit && !input.ty.is_float());
    inputs.enumerate().map(|(k, input)| (input.name.clone(), vec![k as i128 % 2])).collect()
}

/// Whether an engine may answer so, if this bound on context switches was asked for.
fn fits(strength: Strength, judge: &Answer, answer: &Answer, asked: Option<u64>) -> bool {
    match (judge, answer) {
        (Answer::Unsafe(_), Answer::Unsafe(_)) => true,
        // That one more spurious wake-up leads nowhere new shows sooner where fewer schedules are executed.
        (Answer::Safe | Answer::Within(_), Answer::Safe | Answer::Within(_)) => true,
        (_, Answer::TooLarge) => strength != Strength::Complete,
        // Its time was over before it came to the right number of rounds or switches.
        (Answer::Unsafe(_), Answer::Within(bounds)) if is_deepened(bounds, asked) => strength == Strength::Symbolic,
        // It looks at all inputs and all wake-ups, and may well find what the judge did not look at; the machine has
        // confirmed it.
        (Answer::Within(_) | Answer::Unknown(_), Answer::Unsafe(_) | Answer::Safe | Answer::Within(_)) => {
            strength == Strength::Symbolic
        }
        (_, Answer::Unknown(why)) if strength == Strength::Symbolic => {
            why == "unsupported" || why == "undefined" || why == "inputs"
        }
        _ => judge == answer,
    }
}

/// Whether the engine has chosen a bound itself, and would have gone on to larger ones.
fn is_deepened(bounds: &str, asked: Option<u64>) -> bool {
    bounds.starts_with("unwind=") || asked.is_none() && bounds.starts_with("contexts=")
}

/// Compiles a preprocessed program for a set of properties.
pub fn load(text: &str, properties: PropertySet) -> Result<Program, String> {
    let input = Input { name: "program.i".to_owned(), text: text.to_owned(), original: None };
    let options = Options { properties, main_args: Some(Vec::new()), ..Options::default() };
    let compiled = compile(vec![input], options);
    let Some(mut program) = compiled.program else {
        let messages: Vec<String> = compiled.diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect();
        return Err(messages.join("; "));
    };
    heddle_ir::passes::standard(&mut program);
    Ok(program)
}

/// An answer in words.
pub fn word(answer: &Answer) -> String {
    match answer {
        Answer::Safe => "safe".to_owned(),
        Answer::Within(bounds) => format!("safe within {bounds}"),
        Answer::Unsafe(property) => format!("unsafe ({property})"),
        Answer::Unknown(why) => format!("unknown ({why})"),
        Answer::TooLarge => "too large".to_owned(),
    }
}

/// Shrinks and saves a disagreement.
fn report(seed: u64, how: &Disagreement, setup: &Setup, source: Source) -> Result<(), String> {
    println!(
        "seed {seed}: {} says {}, {} says {} (--property {})",
        setup.engines[0].name,
        word(&how.judge),
        how.engine,
        word(&how.other),
        how.properties
    );
    let dir = directory()?;
    let properties: PropertySet = how.properties.parse()?;
    let same = |candidate: &Source| {
        let fate = setup.examine_for(candidate, properties);
        matches!(&fate, Fate::Disagree(now) if now.engine == how.engine && kind(&now.other) == kind(&how.other)
            && kind(&now.judge) == kind(&how.judge))
    };
    save(&dir.join(format!("{seed}.full.c")), &source)?;
    let small = shrink::shrink(source, &mut |candidate| same(candidate));
    let path = dir.join(format!("{seed}.c"));
    save(&path, &small)?;
    println!("  shrunk: {}\n{}", path.display(), small.text());
    Ok(())
}

fn kind(answer: &Answer) -> std::mem::Discriminant<Answer> {
    std::mem::discriminant(answer)
}

/// Where disagreements are kept.
pub fn directory() -> Result<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let dir = target.join("stress");
    fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    Ok(dir)
}

fn save(path: &Path, source: &Source) -> Result<(), String> {
    fs::write(path, source.text()).map_err(|error| format!("{}: {error}", path.display()))
}
