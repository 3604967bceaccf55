//! `cargo xtask sequential`: random sequential C means the same to the machine as to gcc.
//!
//! The programs use what csmith does not: pointers in all forms, unions and bit-fields as storage, floating-point numbers,
//! variadic functions, variable-length arrays, jumps, the C library and formatted output. Each is compiled without
//! optimisation and executed, and executed by `heddle run` with all sequential properties; output and exit status must be
//! equal.
//!
//! Sanitizers decide which programs count. Where the two differ, and for every careless program, a build with
//! UndefinedBehaviorSanitizer and AddressSanitizer runs too. If it reports something, Heddle must report a violation; otherwise
//! it must report none of a careful program. A program whose output changes with `-O2` depends on what C leaves open and is left out.
//!
//! A difference is shrunk line by line and stays in `target/sequential`; once understood it belongs into `corpus/run/`.

mod generate;
mod program;
mod statements;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::flags::Flags;
use crate::native::{finish, heddle, target};
use crate::shrink_lines::shrink;
use crate::stress::in_release;

/// How the command is called.
pub const USAGE: &str = "cargo xtask sequential [--count N] [--seed S] [--jobs J] [--data-model lp64|ilp32] [--shrink no]\n       [--print yes] [--smoke]";

const COMPILED_TIME: Duration = Duration::from_secs(5);
const MACHINE_TIME: Duration = Duration::from_secs(30);

/// Accesses through other types are part of what is tested; without SSE, ILP32 would compute in 80 bits.
const GCC_FLAGS: &[&str] = &["-w", "-std=gnu11", "-fno-strict-aliasing", "-msse2", "-mfpmath=sse", "-ffp-contract=off"];
/// `overflow` follows gcc, which defines shifts of negative numbers and into the sign; `memory` is about objects, not about
/// the arrays that are parts of them.
const SANITIZERS: &[&str] = &[
    "-fsanitize=undefined,address,float-cast-overflow",
    "-fno-sanitize=shift-base,bounds,object-size",
    "-fno-sanitize-recover=all",
];

/// How one program fared.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Fate {
    Agrees,
    /// Undefined behaviour that both the sanitizers and Heddle report.
    AgreesUndefined,
    Skipped(&'static str),
    Differs(Difference),
}

/// In what way the two differ. Shrinking keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Difference {
    Output,
    /// Heddle reports a violation of this property, the sanitizers nothing.
    FalseAlarm(String),
    /// The sanitizers report undefined behaviour of this property, Heddle nothing.
    Missed {
        expected: &'static str,
    },
    /// Heddle does not run the program at all.
    Refused,
    /// A tool could not be started.
    Tool(String),
}

/// The end of a process and what it printed.
struct Ran {
    status: i32,
    out: Vec<u8>,
    err: String,
}

struct Setup {
    heddle: PathBuf,
    dir: PathBuf,
    data_model: String,
}

/// Runs the command.
pub fn run(words: &[&str]) -> Result<(), String> {
    let mut flags = Flags::parse(words).map_err(|error| format!("{error}\nusage: {USAGE}"))?;
    if flags.wants_release() {
        return in_release(&["sequential"], words);
    }
    let count = flags.count(100, 8)?;
    let first = flags.number("--seed", 1)?;
    let jobs = flags.number("--jobs", 1)?.max(1);
    let data_model = flags.text("--data-model").unwrap_or_else(|| "lp64".to_owned());
    let shrinks = flags.text("--shrink").as_deref() != Some("no") && !flags.smoke;
    let print = flags.text("--print").is_some();
    flags.finish()?;
    if print {
        (first..first + count).for_each(|seed| println!("{}", generate::generate(seed).join("\n")));
        return Ok(());
    }
    let dir = target().join("sequential");
    fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let setup = Setup { heddle: heddle()?, dir, data_model };
    setup.check_tools()?;
    let next = AtomicU64::new(first);
    let fates = Mutex::new(BTreeMap::<String, u64>::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + count {
                        return;
                    }
                    let fate = setup.examine(seed, shrinks);
                    *fates.lock().expect("no thread panics").entry(word(&fate)).or_default() += 1;
                }
            });
        }
    });
    let fates = fates.into_inner().expect("no thread panics");
    let parts: Vec<String> = fates.iter().map(|(fate, count)| format!("{count} {fate}")).collect();
    println!("sequential: {count} programs from seed {first} ({}): {}", setup.data_model, parts.join(", "));
    let differ = fates.get(DIFFER).copied().unwrap_or(0);
    if differ > 0 { Err(format!("{differ} programs differ; they are in target/sequential")) } else { Ok(()) }
}

const DIFFER: &str = "differ";

fn word(fate: &Fate) -> String {
    match fate {
        Fate::Agrees => "agree".to_owned(),
        Fate::AgreesUndefined => "agree on undefined behaviour".to_owned(),
        Fate::Skipped(why) => format!("skipped ({why})"),
        Fate::Differs(_) => DIFFER.to_owned(),
    }
}

impl Setup {
    /// gcc has headers and libraries for the data model.
    fn check_tools(&self) -> Result<(), String> {
        let source = self.dir.join("probe.c");
        fs::write(&source, "#include <stdio.h>\nint main(void) { return 0; }\n").map_err(|error| error.to_string())?;
        match self.compile(&source, &["-O0"]) {
            Some(_) => Ok(()),
            None => {
                Err("gcc cannot compile for this data model; on Debian: apt-get install gcc gcc-multilib".to_owned())
            }
        }
    }

    /// Compares the program of a seed; reports, shrinks and keeps it if there is a difference.
    fn examine(&self, seed: u64, shrinks: bool) -> Fate {
        let lines = generate::generate(seed);
        let careless = generate::is_careless(seed);
        let fate = self.compare(&lines, careless, &format!("{seed}"));
        let Fate::Differs(how) = &fate else { return fate };
        let path = self.dir.join(format!("{seed}.{}.c", self.data_model));
        let keep = |lines: &[String]| fs::write(&path, lines.join("\n") + "\n");
        if let Err(error) = keep(&lines) {
            eprintln!("{}: {error}", path.display());
        }
        println!("seed {seed}: {how:?}\n  {}", path.display());
        if shrinks {
            let same = |candidate: &[String]| {
                let now = self.compare(candidate, careless, &format!("{seed}.small"));
                matches!(now, Fate::Differs(now) if now == *how)
            };
            let small = shrink(lines, same);
            let _ = keep(&small);
            println!("  shrunk to {} lines", small.len());
        }
        fate
    }

    fn compare(&self, lines: &[String], careless: bool, name: &str) -> Fate {
        let source = self.dir.join(format!("{name}.{}.tmp.c", self.data_model));
        let fate = fs::write(&source, lines.join("\n") + "\n").map_err(|error| Difference::Tool(error.to_string()));
        let fate = fate.map_or_else(Fate::Differs, |()| self.compare_file(&source, careless));
        let _ = fs::remove_file(&source);
        fate
    }

    fn compare_file(&self, source: &Path, careless: bool) -> Fate {
        let Some(plain) = self.compile(source, &["-O0"]) else { return Fate::Skipped("gcc refuses it") };
        let Some(expected) = self.execute(Command::new(&plain), &plain, COMPILED_TIME) else {
            return Fate::Skipped("slow compiled");
        };
        let Some(found) = self.machine(source) else { return Fate::Skipped("slow in the machine") };
        let same = found.out == expected.out && found.status == expected.status;
        if same && !careless {
            return Fate::Agrees;
        }
        let reported = violation(&found.err);
        if reported.is_none() && found.status == 2 {
            return Fate::Differs(Difference::Refused);
        }
        match (self.sanitized(source), reported) {
            (None, _) => Fate::Skipped("slow with sanitizers"),
            // gcc leaves out operations whose result it knows, so something else may be reported first, or nothing.
            (Some(Some(_)), Some(_)) => Fate::AgreesUndefined,
            (Some(Some(expected)), None) => Fate::Differs(Difference::Missed { expected }),
            (Some(None), Some(_)) if careless => Fate::Skipped("gcc folds it"),
            (Some(None), Some(property)) => Fate::Differs(Difference::FalseAlarm(property)),
            (Some(None), None) if same => Fate::Agrees,
            (Some(None), None) if self.is_unspecified(source, &expected) => Fate::Skipped("changes with -O2"),
            (Some(None), None) => Fate::Differs(Difference::Output),
        }
    }

    fn compile(&self, source: &Path, flags: &[&str]) -> Option<PathBuf> {
        let binary = source.with_extension("exe");
        let mut gcc = Command::new("gcc");
        gcc.args(GCC_FLAGS).args(["-Werror=implicit-function-declaration", "-Werror=int-conversion"]).args(flags);
        if self.data_model == "ilp32" {
            gcc.arg("-m32");
        }
        gcc.arg(source).arg("-o").arg(&binary).arg("-lm");
        let (out, err) = (source.with_extension("gcc.out"), source.with_extension("gcc.err"));
        let status = finish(&mut gcc, &out, &err, Duration::from_secs(60)).ok()?;
        let _ = (fs::remove_file(out), fs::remove_file(err));
        (status == Some(0)).then_some(binary)
    }

    /// Runs a command and removes the binary behind it; none if it took too long.
    fn execute(&self, mut command: Command, binary: &Path, time: Duration) -> Option<Ran> {
        let (out, err) = (binary.with_extension("out"), binary.with_extension("err"));
        let status = finish(&mut command, &out, &err, time).ok();
        let ran = status.flatten().map(|status| Ran {
            status,
            out: fs::read(&out).unwrap_or_default(),
            err: String::from_utf8_lossy(&fs::read(&err).unwrap_or_default()).into_owned(),
        });
        let _ = (fs::remove_file(out), fs::remove_file(err));
        if binary.extension().is_some_and(|extension| extension == "exe") {
            let _ = fs::remove_file(binary);
        }
        ran
    }

    fn machine(&self, source: &Path) -> Option<Ran> {
        let mut heddle = Command::new(&self.heddle);
        heddle.args(["run", "--no-warnings", "--exit-status", "--data-model", &self.data_model]);
        heddle.args(["--property", "assert,memory,division,overflow,leak,uninit"]).arg(source);
        self.execute(heddle, &source.with_extension("heddle"), MACHINE_TIME)
    }

    /// The property that the sanitizers see violated, none if there is none; nothing if it took too long.
    fn sanitized(&self, source: &Path) -> Option<Option<&'static str>> {
        let binary = self.compile(source, &[&["-O0", "-g"], SANITIZERS].concat())?;
        let mut command = Command::new(&binary);
        // Whatever the environment says.
        command.env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1").env("UBSAN_OPTIONS", "");
        let ran = self.execute(command, &binary, COMPILED_TIME)?;
        Some(sanitizer_report(&ran.err))
    }

    fn is_unspecified(&self, source: &Path, expected: &Ran) -> bool {
        let Some(optimised) = self.compile(source, &["-O2"]) else { return true };
        let again = self.execute(Command::new(&optimised), &optimised, COMPILED_TIME);
        again.is_none_or(|again| again.out != expected.out || again.status != expected.status)
    }
}

/// The property of the violation that Heddle reports.
fn violation(text: &str) -> Option<String> {
    Some(text.split_once("violation of `")?.1.split_once('`')?.0.to_owned())
}

/// A report of the sanitizers that has no property of ours.
const UNKNOWN: &str = "unknown";

/// The property that a report of the sanitizers means.
fn sanitizer_report(text: &str) -> Option<&'static str> {
    if let Some((_, report)) = text.split_once("runtime error: ") {
        let report = report.lines().next().unwrap_or("");
        return Some(match report {
            _ if report.contains("division by zero") => "division",
            _ if report.contains("overflow")
                || report.contains("shift")
                || report.contains("cannot be represented") =>
            {
                "overflow"
            }
            _ if report.contains("out of bounds")
                || report.contains("null pointer")
                || report.contains("insufficient space") =>
            {
                "memory"
            }
            _ => UNKNOWN,
        });
    }
    if text.contains("LeakSanitizer") {
        return Some("leak");
    }
    text.contains("AddressSanitizer").then_some("memory")
}

#[cfg(test)]
mod tests {
    use super::{sanitizer_report, violation};

    #[test]
    fn reports_have_properties() {
        assert_eq!(sanitizer_report(""), None);
        let shift = "a.c:3:5: runtime error: shift exponent 40 is too large for 32-bit type 'int'\n";
        assert_eq!(sanitizer_report(shift), Some("overflow"));
        assert_eq!(sanitizer_report("a.c:1:2: runtime error: division by zero"), Some("division"));
        assert_eq!(sanitizer_report("==1==ERROR: AddressSanitizer: heap-use-after-free"), Some("memory"));
        assert_eq!(sanitizer_report("==1==ERROR: LeakSanitizer: detected memory leaks"), Some("leak"));
        assert_eq!(violation("violation of `memory`: read").as_deref(), Some("memory"));
    }
}
