//! `cargo xtask stress bounds`: `SAFE WITHIN B` means that no execution within B violates anything.
//!
//! Random programs with loops that depend on other threads are checked with bounds. The judge executes every schedule step by step,
//! restricted to the bound: for `--unwind` it is given a program without loops (see [`program`]), for `--max-steps` and
//! `--contexts` it counts. A second judge has no bounds. Then
//!
//! - whoever answers `SAFE` or `SAFE WITHIN` must not have missed what the restricted judge found;
//! - whoever answers `SAFE` must not have missed what the unrestricted judge found;
//! - whoever answers `UNSAFE` must not contradict an unrestricted judge that came to its end.
//!
//! An engine may look at more than the bound demands, since loops that constants decide are unwound completely.

mod program;

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use heddle_engines::Flag;
use heddle_ir::{Property, PropertySet};
use heddle_task::{Bounds, Task};

use crate::flags::Flags;
use crate::stress::engines::{Answer, ROWS, Row, Strength};
use crate::stress::{chosen, directory, in_release, load, word};
use program::{Looping, generate};

/// How the command is called.
pub const USAGE: &str = "cargo xtask stress bounds [--count N] [--seed S] [--engines order,lazy,…] [--smoke]";

/// What a bound is on, and the values that are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bound {
    Unwind(u64),
    Steps(u64),
    Contexts(u64),
}

const BOUNDS: [Bound; 8] = [
    Bound::Unwind(1),
    Bound::Unwind(2),
    Bound::Unwind(3),
    Bound::Steps(6),
    Bound::Steps(12),
    Bound::Contexts(1),
    Bound::Contexts(2),
    Bound::Contexts(4),
];

impl Bound {
    fn bounds(self) -> Bounds {
        match self {
            Bound::Unwind(rounds) => Bounds { unwind: Some(rounds), ..Bounds::default() },
            Bound::Steps(steps) => Bounds { steps: Some(steps), ..Bounds::default() },
            Bound::Contexts(switches) => Bounds { contexts: Some(switches), ..Bounds::default() },
        }
    }

    /// Whether an engine keeps to this bound, or has another idea of it.
    fn applies_to(self, row: &Row) -> bool {
        match self {
            Bound::Unwind(_) => row.flags.contains(&Flag::Unwind),
            Bound::Steps(_) => row.strength != Strength::Finds,
            Bound::Contexts(_) => row.flags.contains(&Flag::Contexts),
        }
    }

    /// The name that verdicts have for it.
    fn name(self) -> &'static str {
        match self {
            Bound::Unwind(_) => "unwind=",
            Bound::Steps(_) => "steps=",
            Bound::Contexts(_) => "contexts=",
        }
    }
}

struct Wrong {
    engine: &'static str,
    bound: Bound,
    property: Property,
    why: &'static str,
    answer: Answer,
}

struct Setup {
    engines: Vec<&'static Row>,
    tally: BTreeMap<String, u64>,
}

/// Runs the command.
pub fn run(words: &[&str]) -> Result<(), String> {
    let mut flags = Flags::parse(words).map_err(|error| format!("{error}\nusage: {USAGE}"))?;
    if flags.wants_release() {
        return in_release(&["stress", "bounds"], words);
    }
    let count = flags.count(200, 16)?;
    let first = flags.number("--seed", 1)?;
    let engines = chosen(flags.text("--engines"))?;
    flags.finish()?;
    let mut setup = Setup { engines, tally: BTreeMap::new() };
    let mut wrong = 0;
    for seed in first..first + count {
        let program = generate(seed);
        let bound = BOUNDS[(seed % BOUNDS.len() as u64) as usize];
        for property in [Property::Assert, Property::Race] {
            if let Some(found) = setup.examine(&program, bound, property) {
                wrong += 1;
                setup.report(seed, &found, program.clone())?;
                break;
            }
        }
    }
    println!("bounds: {count} programs from seed {first}: {wrong} disagreements");
    for (what, count) in &setup.tally {
        println!("  {count} {what}");
    }
    if wrong > 0 { Err(format!("{wrong} disagreements; they are in target/stress")) } else { Ok(()) }
}

/// What the judge says: it executes every schedule and looks at nothing else.
fn judge(text: &str, property: Property, bounds: Bounds) -> Answer {
    let properties = PropertySet::EMPTY.with(property);
    match load(text, properties) {
        Ok(program) => Answer::from(ROWS[0].check(&Task::new(&program, properties).with_bounds(bounds))),
        Err(why) => Answer::Unknown(why),
    }
}

impl Setup {
    fn examine(&mut self, program: &Looping, bound: Bound, property: Property) -> Option<Wrong> {
        let text = program.text(None);
        let restricted = match bound {
            Bound::Unwind(rounds) => judge(&program.text(Some(rounds)), property, Bounds::default()),
            Bound::Steps(_) | Bound::Contexts(_) => judge(&text, property, bound.bounds()),
        };
        let unrestricted = judge(&text, property, Bounds::default());
        let wrong = |engine, why, answer| Some(Wrong { engine, bound, property, why, answer });
        let properties = PropertySet::EMPTY.with(property);
        let loaded = match load(&text, properties) {
            Ok(loaded) => loaded,
            Err(why) => return wrong("compiler", "refused", Answer::Unknown(why)),
        };
        *self.tally.entry(format!("questions with a judge that says {}", kind(&restricted))).or_default() += 1;
        let task = Task::new(&loaded, properties).with_bounds(bound.bounds());
        for row in self.engines.clone() {
            if !bound.applies_to(row) {
                continue;
            }
            let answer = match catch_unwind(AssertUnwindSafe(|| row.check(&task))) {
                Ok(verdict) => Answer::from(verdict),
                Err(_) => return wrong(row.name, "crash", Answer::Unknown("crash".to_owned())),
            };
            let found = matches!(restricted, Answer::Unsafe(_));
            match &answer {
                Answer::Safe if matches!(unrestricted, Answer::Unsafe(_)) => {
                    return wrong(row.name, "there is a violation", answer);
                }
                Answer::Safe if found => return wrong(row.name, "there is a violation within the bound", answer),
                // Its time was over before it came to what was asked for.
                Answer::Within(bounds) if found && !bounds.contains(bound.name()) => self.open(row, "safe within less"),
                Answer::Within(_) if found => return wrong(row.name, "there is a violation within the bound", answer),
                Answer::Unsafe(_) if unrestricted == Answer::Safe => {
                    return wrong(row.name, "there is no violation", answer);
                }
                Answer::Unknown(why) if why.starts_with("unconfirmed") => {
                    return wrong(row.name, "unconfirmed", answer);
                }
                Answer::Unknown(why) => self.open(row, why),
                Answer::TooLarge => self.open(row, "too large"),
                Answer::Safe | Answer::Within(_) | Answer::Unsafe(_) => {}
            }
        }
        None
    }

    fn open(&mut self, row: &Row, why: &str) {
        *self.tally.entry(format!("questions that {} left open ({why})", row.name)).or_default() += 1;
    }

    fn report(&mut self, seed: u64, found: &Wrong, program: Looping) -> Result<(), String> {
        let Wrong { engine, bound, property, why, answer } = found;
        println!("seed {seed}: {bound:?}, `{property}`: {engine} says {}, but: {why}", word(answer));
        let engines = self.engines.iter().copied().filter(|row| row.name == *engine).collect();
        let mut alone = Setup { engines, tally: BTreeMap::new() };
        let mut same = |candidate: &Looping| {
            let now = alone.examine(candidate, *bound, *property);
            now.is_some_and(|now| now.why == *why && now.engine == *engine)
        };
        let mut small = program;
        while let Some(next) = small.smaller().into_iter().find(&mut same) {
            small = next;
        }
        let path = directory()?.join(format!("bounds-{seed}.c"));
        fs::write(&path, small.text(None)).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("  shrunk: {}\n{}", path.display(), small.text(None));
        Ok(())
    }
}

fn kind(answer: &Answer) -> &'static str {
    match answer {
        Answer::Safe => "safe",
        Answer::Within(_) => "safe within",
        Answer::Unsafe(_) => "unsafe",
        Answer::Unknown(_) => "unknown",
        Answer::TooLarge => "too large",
    }
}
