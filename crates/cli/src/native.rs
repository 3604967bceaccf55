//! `heddle replay --native`: the interleaving on the compiled program, with real threads.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use heddle_ir::DataModel;
use heddle_native::{
    BuildConfig, Native, NativeError, Plan, RegressionTest, Sanitizer, Shown, TestResult, build, command, plan,
    regression_test, run, run_test,
};
use heddle_report::text;
use heddle_task::Trace;

use crate::args::InputArgs;
use crate::{Outcome, output};

/// Flags of a native replay.
#[derive(Args, Clone, Debug, Default)]
pub struct NativeArgs {
    /// Compile the program with the system compiler and force the interleaving on its real threads
    #[arg(long)]
    pub native: bool,

    /// With --native: link ThreadSanitizer too, so that it reports the race
    #[arg(long, requires = "native")]
    pub tsan: bool,

    /// With --native: link AddressSanitizer too, so that it reports the invalid access or the leak
    #[arg(long, requires = "native", conflicts_with = "tsan")]
    pub asan: bool,

    /// With --native: run under gdb, with all threads kept where the interleaving ends
    #[arg(long, requires = "native", conflicts_with_all = ["tsan", "asan"])]
    pub gdb: bool,

    /// With --native: keep the binary, its schedule and the runtime's source in DIR
    #[arg(long, requires = "native", value_name = "DIR")]
    pub keep: Option<PathBuf>,

    /// Write a regression test that stands alone: `sh FILE.c` builds the program, forces the interleaving on it, and fails
    /// while the violation happens
    #[arg(long, value_name = "FILE.c")]
    pub emit_test: Option<PathBuf>,
}

/// A folder for objects, removed at the end unless it is the user's.
struct Folder {
    path: PathBuf,
    keep: bool,
}

impl Folder {
    fn new(keep: Option<&PathBuf>) -> Result<Self, NativeError> {
        let path = match keep {
            Some(path) => path.clone(),
            None => std::env::temp_dir().join(format!("heddle-native-{}", std::process::id())),
        };
        std::fs::create_dir_all(&path).map_err(|error| NativeError::File(path.clone(), error))?;
        Ok(Folder { path, keep: keep.is_some() })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.keep {
            // Whatever is left is in the temporary directory.
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

/// Forces the interleaving of a trace on the compiled program.
pub fn replay(args: &NativeArgs, input: &InputArgs, trace: &Trace) -> Outcome {
    let plan = match plan(trace) {
        Ok(plan) => plan,
        Err(why) => {
            eprintln!("error: {why}");
            return Outcome::BadInput;
        }
    };
    match forced(args, input, &plan) {
        Ok(None) => Outcome::Violation,
        Ok(Some(native)) => tell(&plan, &native),
        Err(error) => {
            eprintln!("error: {error}");
            Outcome::BadInput
        }
    }
}

/// The result of a run; none after a session in the debugger.
fn forced(args: &NativeArgs, input: &InputArgs, plan: &Plan) -> Result<Option<Native>, NativeError> {
    let folder = Folder::new(args.keep.as_ref())?;
    let sanitizer = match (args.tsan, args.asan) {
        (true, _) => Some(Sanitizer::Thread),
        (false, true) => Some(Sanitizer::Address),
        (false, false) => None,
    };
    let config = BuildConfig { sanitizer, ..build_config(input, plan, &folder) };
    let binary = build(&config, plan)?;
    if !args.gdb {
        return run(&binary, plan, &config).map(Some);
    }
    let program = command(&binary, plan, &config);
    let mut gdb = Command::new("gdb");
    gdb.args(["-q", "-ex", "run", "-ex", "thread apply all backtrace", "--args"]).arg(program.get_program());
    gdb.env("HEDDLE_NATIVE_KEEP", "1");
    gdb.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let status = gdb.status().map_err(|error| NativeError::Tool("gdb".to_owned(), error))?;
    if !status.success() {
        return Err(NativeError::Unsupported(format!("gdb ended with {status}")));
    }
    Ok(None)
}

fn build_config(input: &InputArgs, plan: &Plan, folder: &Folder) -> BuildConfig {
    BuildConfig {
        files: input.files.clone(),
        flags: flags(input),
        ilp32: match input.data_model {
            DataModel::Ilp32 => true,
            DataModel::Lp64 => false,
        },
        sanitizer: None,
        trap_overflow: plan.property == "overflow",
        folder: folder.path.clone(),
    }
}

/// Writes a regression test of the violation in a trace. It is run before: a test that does not fail now is not written, and
/// `Ok` says so.
pub fn emit_test(path: &Path, input: &InputArgs, trace: &Trace) -> Result<TestResult, String> {
    let plan = plan(trace)?;
    let tell = |error: NativeError| error.to_string();
    let folder = Folder::new(None).map_err(tell)?;
    let config = build_config(input, &plan, &folder);
    let binary = build(&config, &plan).map_err(tell)?;
    let test = RegressionTest { headline: &text::violation_line(trace), path };
    let text = regression_test(test, &config, &plan, &binary);
    // It names the program's files from its own folder, so it is tried there.
    output::save(path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
    let result = run_test(path);
    if !matches!(result, Ok(TestResult::Fails)) {
        // It was ours, and it is of no use.
        let _ = std::fs::remove_file(path);
    }
    result.map_err(tell)
}

/// Writes a regression test and says what came of it; false if that is an error.
pub fn write_test(path: &Path, input: &InputArgs, trace: &Trace) -> bool {
    match emit_test(path, input, trace) {
        Ok(TestResult::Fails) => {
            eprintln!("note: {}: written, and it fails now", path.display());
            true
        }
        Ok(TestResult::Passes) => {
            eprintln!(
                "warning: {}: not written, because it would pass: the interleaving could not be forced exactly",
                path.display()
            );
            true
        }
        Err(problem) => {
            eprintln!("error: {problem}");
            false
        }
    }
}

/// The flags of the preprocessor as `cc` takes them.
fn flags(input: &InputArgs) -> Vec<String> {
    let mut flags: Vec<String> = input.include_dirs.iter().map(|dir| format!("-I{}", dir.display())).collect();
    flags.extend(input.undefines.iter().map(|name| format!("-U{name}")));
    flags.extend(input.defines.iter().map(|name| format!("-D{name}")));
    for file in &input.includes {
        flags.extend(["-include".to_owned(), file.display().to_string()]);
    }
    flags.extend(input.cpp.iter().map(|word| word.to_string_lossy().into_owned()));
    flags.extend(input.std.iter().map(|std| format!("-std={std}")));
    flags
}

fn tell(plan: &Plan, native: &Native) -> Outcome {
    let program_errors: Vec<&str> = native.errors.lines().filter(|line| !line.starts_with("heddle-native: ")).collect();
    for line in program_errors.iter().take(60) {
        eprintln!("{line}");
    }
    let forced = format!("{} of {} steps were forced", native.forced, native.planned);
    let words = match native.shown {
        Shown::Assertion => "the assertion fails in the compiled program",
        Shown::Crash => "the compiled program makes the invalid access",
        Shown::Deadlock => "the compiled program is deadlocked",
        Shown::Race => "the data race happens in the compiled program",
        Shown::Division => "the compiled program divides by zero",
        Shown::Overflow => "the arithmetic overflow happens in the compiled program",
        Shown::Lock => "the lock is misused in the compiled program",
        Shown::Leak => "the compiled program ends without freeing the memory",
        Shown::Nothing => "the violation did not show up in the compiled program",
    };
    if native.shown.fits(&plan.property) {
        println!("REPRODUCED {}: {words} ({forced})", plan.property);
        Outcome::Violation
    } else {
        println!("NOT REPRODUCED {}: {words} ({forced})", plan.property);
        Outcome::Undecided
    }
}
