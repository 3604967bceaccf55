//! One run of `heddle check` as a child: its answer, CPU time and memory.
//!
//! Needs bash, whose `time` and `ulimit` are the portable way to CPU seconds of a child without unsafe code.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What came of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Proved.
    Safe,
    /// No violation within a bound.
    Within,
    /// A violation, confirmed.
    Unsafe,
    /// Undecided, for a reason that is no limit.
    Unknown,
    /// A limit was reached first.
    Limit,
    /// It ended as it must not: by a signal, or without an answer.
    Crash,
}

/// A run and its figures.
#[derive(Clone, Debug)]
pub struct Answer {
    pub kind: Kind,
    /// The reason of an undecided run, or what a crash said.
    pub why: String,
    /// CPU seconds, user and system.
    pub cpu: f64,
    /// Within which the program is safe, if it is.
    pub bounds: BTreeMap<String, f64>,
    pub statistics: BTreeMap<String, f64>,
}

impl Answer {
    /// A figure of the run's statistics.
    pub fn figure(&self, name: &str) -> Option<f64> {
        self.statistics.get(name).copied()
    }

    /// Whether the engine had a candidate that the machine did not confirm.
    pub fn unconfirmed(&self) -> bool {
        self.figure("unconfirmed").is_some_and(|n| n > 0.0)
    }
}

/// What a run may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// CPU seconds, after which it is killed and leaves no statistics.
    pub cpu: u64,
    /// Seconds by the clock, after which it ends by itself.
    pub clock: u64,
}

impl Limits {
    /// CPU seconds are what counts, so that a busy machine changes no verdict (unless it is very busy).
    pub fn cpu(seconds: u64) -> Self {
        Limits { cpu: seconds, clock: 3 * seconds }
    }

    /// Even a run that is stopped tells how far it came.
    pub fn clock(seconds: u64) -> Self {
        Limits { cpu: seconds + 5, clock: seconds }
    }
}

/// The release build of `heddle`.
pub struct Heddle {
    binary: PathBuf,
    limits: Limits,
}

const MEMORY_MB: u64 = 6000;

const SCRIPT: &str = "ulimit -t $1; shift; TIMEFORMAT='%U %S'; time timeout -s KILL \"$@\"";

impl Heddle {
    /// Builds it.
    pub fn build(limits: Limits) -> Result<Self, String> {
        let root = super::root();
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--release", "--package", "heddle"])
            .current_dir(&root)
            .status()
            .map_err(|error| format!("cargo build: {error}"))?;
        if !built.success() {
            return Err("heddle does not build".to_owned());
        }
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        Ok(Heddle { binary: target.join("release/heddle"), limits })
    }

    /// One that was built already, or builds it.
    pub fn given(binary: Option<String>, limits: Limits) -> Result<Self, String> {
        match binary {
            Some(binary) => Ok(Heddle { binary: PathBuf::from(binary), limits }),
            None => Heddle::build(limits),
        }
    }

    /// Whether there is an engine of this name.
    pub fn knows(&self, engine: &str) -> Result<bool, String> {
        // Without a file it complains, and of the engine first.
        let output = Command::new(&self.binary).args(["check", "--engine", engine]).stdin(Stdio::null()).output();
        let output = output.map_err(|error| format!("{}: {error}", self.binary.display()))?;
        Ok(!is_about_engine(&String::from_utf8_lossy(&output.stderr), engine))
    }

    /// Checks one program for violations of these properties.
    pub fn check(&self, properties: &str, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Result<Answer, String> {
        let Limits { cpu, clock } = self.limits;
        let mut command = Command::new("bash");
        command.args(["-c", SCRIPT, "bash"]).args([(cpu + 1).to_string(), (clock + 5).to_string()]);
        command.arg(&self.binary).args(["check", "-w", "--json", "--property", properties]);
        command.args(["--time-limit", &clock.to_string(), "--memory-limit", &MEMORY_MB.to_string()]).args(args);
        let output = command.stdin(Stdio::null()).output().map_err(|error| format!("bash: {error}"))?;
        let errors = String::from_utf8_lossy(&output.stderr);
        let times = errors.trim_end().lines().last().unwrap_or("");
        let cpu: f64 = times.split(' ').filter_map(|word| word.parse::<f64>().ok()).sum();
        let mut answer = answer(output.status.code(), &output.stdout, &errors);
        answer.cpu = cpu;
        Ok(answer)
    }
}

/// Whether a complaint about the command line is about the name of an engine.
fn is_about_engine(complaint: &str, engine: &str) -> bool {
    complaint.contains(&format!("invalid value '{engine}'"))
}

fn answer(code: Option<i32>, out: &[u8], errors: &str) -> Answer {
    let json: Value = serde_json::from_slice(out).unwrap_or(Value::Null);
    let text = |name: &str| json[name].as_str().unwrap_or("").to_owned();
    let figures = |name: &str| {
        let named = json[name].as_object().into_iter().flatten();
        named.filter_map(|(name, value)| Some((name.clone(), value.as_f64()?))).collect()
    };
    let (bounds, statistics) = (figures("bounds"), figures("statistics"));
    let (kind, why) = match (code, text("verdict").as_str()) {
        (Some(0), "safe") => (Kind::Safe, String::new()),
        (Some(0), "safe-within") => (Kind::Within, String::new()),
        (Some(1), "unsafe") => (Kind::Unsafe, String::new()),
        (Some(3), "unknown") if matches!(text("reason").as_str(), "time" | "memory") => (Kind::Limit, text("reason")),
        (Some(3), "unknown") => (Kind::Unknown, text("reason")),
        // SIGXCPU of the limit, or SIGKILL of `timeout`.
        (Some(152 | 137), _) => (Kind::Limit, "time".to_owned()),
        _ => (Kind::Crash, format!("exit code {code:?}: {}", errors.lines().next().unwrap_or(""))),
    };
    Answer { kind, why, cpu: 0.0, bounds, statistics }
}
