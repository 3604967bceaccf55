//! Compiling, linking, and which hook stands for which line.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::plan::Plan;
use crate::{BuildConfig, NativeError, RUNTIME};

/// Functions whose calls go through the runtime.
pub(crate) const WRAPPED: [&str; 33] = [
    "thrd_create",
    "thrd_join",
    "mtx_lock",
    "mtx_trylock",
    "mtx_timedlock",
    "mtx_unlock",
    "cnd_wait",
    "cnd_signal",
    "cnd_broadcast",
    "pthread_rwlock_destroy",
    "pthread_spin_destroy",
    "pthread_create",
    "pthread_join",
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_unlock",
    "pthread_mutex_destroy",
    "pthread_cond_wait",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_unlock",
    "pthread_spin_lock",
    "pthread_spin_trylock",
    "pthread_spin_unlock",
    "pthread_barrier_wait",
    "sem_wait",
    "sem_trywait",
    "sem_post",
];

/// Functions of the heap, replaced so that wrong accesses are faults of the hardware.
pub(crate) const HEAP: [&str; 4] = ["malloc", "calloc", "realloc", "free"];

/// A program that can be forced.
#[derive(Clone, Debug)]
pub struct Binary {
    /// The executable.
    pub program: PathBuf,
    /// The schedule that it reads.
    pub schedule: PathBuf,
    /// Lines of the plan on which the compiler calls atomic operations.
    pub(crate) atomic_lines: BTreeSet<usize>,
}

/// Compiles and links the user's files with the runtime, and writes the schedule.
pub fn build(config: &BuildConfig, plan: &Plan) -> Result<Binary, NativeError> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let model: &[&str] = if config.ilp32 { &["-m32"] } else { &[] };
    let mut objects = Vec::new();
    for (number, file) in config.files.iter().enumerate() {
        let object = config.folder.join(format!("user{number}.o"));
        let mut command = Command::new(&compiler);
        command.args(model).args(["-g", "-O0", "-fno-pie", "-w", "-pthread", "-fsanitize=thread"]);
        if config.trap_overflow {
            command.args(["-fsanitize=signed-integer-overflow,shift", "-fsanitize-undefined-trap-on-error"]);
        }
        command.args(&config.flags).arg("-c").arg(file).arg("-o").arg(&object);
        compile(&compiler, &mut command)?;
        objects.push(object);
    }
    let source = config.folder.join("heddle_runtime.c");
    std::fs::write(&source, RUNTIME).map_err(|error| NativeError::File(source.clone(), error))?;
    let runtime = config.folder.join("heddle_runtime.o");
    let mut command = Command::new(&compiler);
    // A hook must leave by a jump, so that ThreadSanitizer sees the program's place and not the hook's.
    command.args(model).args(["-O2", "-fno-pie", "-w", "-pthread"]);
    if let Some(sanitizer) = config.sanitizer {
        command.arg(sanitizer.macro_flag());
    }
    compile(&compiler, command.arg("-c").arg(&source).arg("-o").arg(&runtime))?;
    let program = config.folder.join("program");
    let mut command = Command::new(&compiler);
    command.args(model).args(["-g", "-no-pie", "-pthread"]);
    if let Some(sanitizer) = config.sanitizer {
        command.arg(sanitizer.link_flag());
    }
    command.args(WRAPPED.iter().chain(&HEAP).map(|name| format!("-Wl,--wrap={name}")));
    compile(&compiler, command.args(&objects).arg(&runtime).args(["-ldl", "-lm", "-o"]).arg(&program))?;
    let sites = sites(&program, plan)?;
    let schedule = config.folder.join("schedule.txt");
    let atomic_lines: BTreeSet<usize> = sites.iter().filter(|site| site.atomic).map(|site| site.line).collect();
    let addresses: Vec<(u64, usize)> = sites.iter().map(|site| (site.address, site.line)).collect();
    let text = plan.text(&addresses, &plan.named_lines(&atomic_lines));
    std::fs::write(&schedule, text).map_err(|error| NativeError::File(schedule.clone(), error))?;
    Ok(Binary { program, schedule, atomic_lines })
}

fn compile(name: &str, command: &mut Command) -> Result<(), NativeError> {
    let output = command.output().map_err(|error| NativeError::Tool(name.to_owned(), error))?;
    if output.status.success() {
        return Ok(());
    }
    Err(NativeError::Compiler(String::from_utf8_lossy(&output.stderr).into_owned()))
}

/// A call of a hook on a line of the plan.
struct Site {
    /// The address that the call returns to.
    address: u64,
    /// The plan's number of the line.
    line: usize,
    /// Whether the hook makes an atomic operation.
    atomic: bool,
}

/// Calls of hooks on lines of the plan, by address.
fn sites(program: &Path, plan: &Plan) -> Result<Vec<Site>, NativeError> {
    let listing = tool("objdump", ["-d", "--no-show-raw-insn", "-j", ".text"], program, "")?;
    let addresses = return_addresses(&String::from_utf8_lossy(&listing.stdout));
    // The call itself lies before the address that it returns to.
    let asked: String = addresses.iter().map(|(address, _)| format!("{:x}\n", address - 1)).collect();
    let places = tool("addr2line", ["-e"], program, &asked)?;
    let places = String::from_utf8_lossy(&places.stdout).into_owned();
    let known = PlanLines::new(plan);
    let found = addresses
        .iter()
        .zip(places.lines())
        .filter_map(|(&(address, atomic), place)| Some(Site { address, line: known.find(place)?, atomic }));
    Ok(found.collect())
}

fn tool<const N: usize>(name: &str, flags: [&str; N], program: &Path, input: &str) -> Result<Output, NativeError> {
    let failed = |error| NativeError::Tool(name.to_owned(), error);
    let mut child = Command::new(name)
        .args(flags.iter().map(OsStr::new))
        .arg(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let mut stdin = child.stdin.take().expect("a pipe");
    let text = input.to_owned();
    // Written beside reading: both pipes may fill up.
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(failed)?;
    // A tool that does not want its input is no failure of ours.
    let _ = writer.join();
    Ok(output)
}

/// The addresses of the instructions behind calls of hooks and wrappers in a disassembly, and whether the call makes an
/// atomic operation.
fn return_addresses(listing: &str) -> Vec<(u64, bool)> {
    let mut found = Vec::new();
    let mut behind_call = None;
    for line in listing.lines() {
        let Some((address, rest)) = line.trim_start().split_once(':') else { continue };
        let Ok(address) = u64::from_str_radix(address, 16) else { continue };
        if let Some(atomic) = behind_call {
            found.push((address, atomic));
        }
        let calls_hook = ["<__tsan_", "<__wrap_", "<__VERIFIER_"].iter().any(|name| rest.contains(name));
        let is_call = rest.contains("call") && calls_hook;
        behind_call = is_call.then(|| rest.contains("<__tsan_atomic") && !rest.contains("fence"));
    }
    found
}

/// Lines of the plan by file, whatever form of the name a tool prints.
struct PlanLines {
    exact: BTreeMap<(PathBuf, u32), usize>,
    base: BTreeMap<(String, u32), usize>,
}

impl PlanLines {
    fn new(plan: &Plan) -> Self {
        let mut lines = PlanLines { exact: BTreeMap::new(), base: BTreeMap::new() };
        for (number, (file, line)) in plan.lines.iter().enumerate() {
            lines.exact.insert((absolute(file), *line), number);
            lines.base.insert((base_name(file), *line), number);
        }
        lines
    }

    /// The number of `file:line`, as `addr2line` prints it.
    fn find(&self, place: &str) -> Option<usize> {
        let (file, line) = place.rsplit_once(':')?;
        let line = line.split(' ').next()?.parse().ok()?;
        let exact = self.exact.get(&(absolute(file), line));
        exact.or_else(|| self.base.get(&(base_name(file), line))).copied()
    }
}

fn absolute(file: &str) -> PathBuf {
    std::fs::canonicalize(file).unwrap_or_else(|_| PathBuf::from(file))
}

fn base_name(file: &str) -> String {
    file.rsplit('/').next().unwrap_or(file).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_are_found_in_a_listing() {
        let listing = "
0000000000401136 <main>:
  401136:\tpush   %rbp
  401140:\tcall   401040 <__tsan_write4>
  401145:\tmov    $0x1,%eax
  40114a:\tcall   401050 <puts@plt>
  40114f:\tcall   401060 <__wrap_pthread_mutex_lock>
  401154:\tcall   401070 <__tsan_atomic32_load>
  401159:\tret
";
        assert_eq!(return_addresses(listing), [(0x401145, false), (0x401154, false), (0x401159, true)]);
    }
}
