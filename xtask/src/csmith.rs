//! `cargo xtask csmith`: sequential programs mean the same to the machine as to gcc (docs/design.md, "Oracles").
//!
//! csmith writes random programs without undefined behaviour that print a checksum of their globals. Each is compiled
//! with gcc and run, and run with `heddle run`; the outputs must be equal. A program that one of the two does not
//! finish in time is counted and left out. Programs that differ stay in `target/csmith`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::flags::Flags;
use crate::native::{finish, heddle, target};
use crate::stress::in_release;

/// How the command is called.
pub const USAGE: &str = "cargo xtask csmith [--count N] [--seed S] [--jobs J] [--data-model lp64|ilp32] [--smoke]";

/// What csmith is asked for, in turn; its defaults have bit-fields, unions, packed structs, volatiles and jumps.
const VARIANTS: &[&[&str]] = &[
    &[],
    &["--float"],
    &["--no-packed-struct", "--max-struct-fields", "20", "--max-union-fields", "10"],
    // The machine's own instructions are not C.
    &["--float", "--builtins", "--disable-builtin-kinds", "x86"],
    &["--inline-function", "--max-funcs", "4"],
    &["--max-pointer-depth", "4", "--max-array-dim", "2"],
    &["--no-math64", "--max-block-depth", "3", "--max-expr-complexity", "20"],
];

/// Overflow wraps and types may be punned: what csmith relies on.
const GCC_FLAGS: &[&str] = &["-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-msse2", "-mfpmath=sse"];

/// Where csmith's headers are, unless `CSMITH_INCLUDE` says otherwise.
const HEADERS: &str = "/usr/include/csmith";

const GENERATE_TIME: Duration = Duration::from_secs(20);
const COMPILED_TIME: Duration = Duration::from_secs(2);
const MACHINE_TIME: Duration = Duration::from_secs(30);

struct Setup {
    heddle: PathBuf,
    headers: PathBuf,
    dir: PathBuf,
    data_model: String,
}

/// How one program fared.
enum Fate {
    Agrees,
    Skipped(&'static str),
    Differs(String),
}

/// Runs the command.
pub fn run(words: &[&str]) -> Result<(), String> {
    let mut flags = Flags::parse(words).map_err(|error| format!("{error}\nusage: {USAGE}"))?;
    if flags.wants_release() {
        return in_release(&["csmith"], words);
    }
    let count = flags.count(100, 4)?;
    let first = flags.number("--seed", 1)?;
    let jobs = flags.number("--jobs", 1)?.max(1);
    let data_model = flags.text("--data-model").unwrap_or_else(|| "lp64".to_owned());
    flags.finish()?;
    let setup = prepare(data_model)?;
    let next = AtomicU64::new(first);
    let fates = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + count {
                        return;
                    }
                    let fate = setup.compare(seed).unwrap_or_else(|error| Fate::Differs(error.to_string()));
                    if let Fate::Differs(how) = &fate {
                        println!("seed {seed}: {how}\n  {}", setup.reproduce(seed));
                    }
                    fates.lock().expect("no thread panics").push(fate);
                }
            });
        }
    });
    summary(&fates.into_inner().expect("no thread panics"), first)
}

fn summary(fates: &[Fate], first: u64) -> Result<(), String> {
    let skipped = |why: &str| fates.iter().filter(|fate| matches!(fate, Fate::Skipped(w) if *w == why)).count();
    let agree = fates.iter().filter(|fate| matches!(fate, Fate::Agrees)).count();
    let differ = fates.iter().filter(|fate| matches!(fate, Fate::Differs(_))).count();
    println!(
        "csmith: {} programs from seed {first}: {agree} agree, {differ} differ, skipped: {} by csmith, {} by gcc, \
         {} too slow compiled, {} too slow in the machine",
        fates.len(),
        skipped(NOT_GENERATED),
        skipped(NOT_COMPILED),
        skipped(SLOW_COMPILED),
        skipped(SLOW_IN_MACHINE),
    );
    if differ > 0 { Err(format!("{differ} programs differ; they are in target/csmith")) } else { Ok(()) }
}

const NOT_GENERATED: &str = "not generated";
const NOT_COMPILED: &str = "not compiled";
const SLOW_COMPILED: &str = "slow compiled";
const SLOW_IN_MACHINE: &str = "slow in the machine";

fn prepare(data_model: String) -> Result<Setup, String> {
    let missing = |tool: &str| Command::new(tool).arg("--version").output().is_err();
    if missing("csmith") {
        return Err("csmith is not installed; on Debian: apt-get install csmith libcsmith-dev".to_owned());
    }
    if missing("gcc") {
        return Err("gcc is not installed; on Debian: apt-get install gcc".to_owned());
    }
    let headers = std::env::var_os("CSMITH_INCLUDE").map_or_else(|| PathBuf::from(HEADERS), PathBuf::from);
    if !headers.join("csmith.h").exists() {
        return Err(format!(
            "csmith.h is not in {}; on Debian: apt-get install libcsmith-dev, or set CSMITH_INCLUDE",
            headers.display()
        ));
    }
    let dir = target().join("csmith");
    fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    Ok(Setup { heddle: heddle()?, headers, dir, data_model })
}

impl Setup {
    fn compare(&self, seed: u64) -> io::Result<Fate> {
        let file = |extension: &str| self.dir.join(format!("{seed}.{extension}"));
        let (source, binary) = (file("c"), file("exe"));
        let mut generate = Command::new("csmith");
        generate.arg("--seed").arg(seed.to_string()).args(VARIANTS[(seed % VARIANTS.len() as u64) as usize]);
        let generated = finish(&mut generate, &source, &file("err"), GENERATE_TIME)?;
        if generated != Some(0) {
            return Ok(Fate::Skipped(NOT_GENERATED));
        }
        let mut gcc = Command::new("gcc");
        gcc.args(GCC_FLAGS).arg("-I").arg(&self.headers).arg(&source).arg("-o").arg(&binary).arg("-lm");
        if self.data_model == "ilp32" {
            gcc.arg("-m32");
        }
        let compiled = finish(&mut gcc, &file("out"), &file("err"), Duration::MAX)?;
        if compiled != Some(0) {
            return Ok(Fate::Skipped(NOT_COMPILED));
        }
        let expected = finish(&mut Command::new(&binary), &file("expected"), &file("err"), COMPILED_TIME)?;
        let expected_text = fs::read_to_string(file("expected"))?;
        fs::remove_file(&binary)?;
        if expected.is_none() {
            return Ok(self.tidied(seed, Fate::Skipped(SLOW_COMPILED)));
        }
        let status = finish(&mut self.machine(&source), &file("out"), &file("err"), MACHINE_TIME)?;
        let text = fs::read_to_string(file("out"))?;
        let fate = match status {
            None | Some(3) => Fate::Skipped(SLOW_IN_MACHINE),
            Some(_) if text == expected_text && status == expected => Fate::Agrees,
            Some(status) => Fate::Differs(format!(
                "gcc: {}, heddle (exit code {status}): {}",
                expected_text.trim_end(),
                text.trim_end()
            )),
        };
        Ok(self.tidied(seed, fate))
    }

    /// Removes the files of a program that shows nothing.
    fn tidied(&self, seed: u64, fate: Fate) -> Fate {
        if !matches!(fate, Fate::Differs(_)) {
            for extension in ["c", "out", "err", "expected"] {
                // One that is not there is as good.
                let _ = fs::remove_file(self.dir.join(format!("{seed}.{extension}")));
            }
        }
        fate
    }

    fn machine(&self, source: &Path) -> Command {
        let mut heddle = Command::new(&self.heddle);
        heddle.args(["run", "--no-warnings", "--exit-status", "--data-model", &self.data_model, "-I"]);
        heddle.arg(&self.headers).arg(source);
        heddle
    }

    fn reproduce(&self, seed: u64) -> String {
        let source = self.dir.join(format!("{seed}.c"));
        let words: Vec<String> = self.machine(&source).get_args().map(|word| word.to_string_lossy().into()).collect();
        format!("{} {}", self.heddle.display(), words.join(" "))
    }
}
