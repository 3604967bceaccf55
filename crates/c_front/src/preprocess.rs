//! From a file name to preprocessed text.
//!
//! `.i` files are taken as they are. All others go through the C compiler's preprocessor, whose line markers keep every
//! place that of the user's own file.
//!
//! For ILP32 on a 64-bit machine the compiler is asked with `-m32`. It then has the right macros, but often no headers:
//! without a 32-bit libc the directory of the machine's own `bits/` is not searched, and glibc's `gnu/stubs-32.h` does not
//! exist. Both are supplied behind all other directories, so they are used only where they are missing. A compiler
//! without `-m32` gets the macros of a 32-bit x86 instead.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use heddle_ir::DataModel;

use crate::lex::RAW_BYTE;

/// How `.c` files are preprocessed.
#[derive(Clone, Debug)]
pub struct CppConfig {
    /// The compiler, with arguments if need be.
    pub compiler: String,
    /// Flags in the order of the command line, which matters for macros.
    pub flags: Vec<CppFlag>,
    /// `-std`, such as `gnu11`.
    pub std: Option<String>,
    /// Sizes of the integer types.
    pub data_model: DataModel,
}

/// A flag for the preprocessor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CppFlag {
    /// `-I directory`
    Directory(PathBuf),
    /// `-D name` or `-D name=value`
    Define(String),
    /// `-U name`
    Undefine(String),
    /// `-include file`
    Include(PathBuf),
    /// `-imacros file`
    Macros(PathBuf),
    /// `-iquote directory`
    Quote(PathBuf),
    /// `-isystem directory`
    System(PathBuf),
    /// `-idirafter directory`
    After(PathBuf),
    /// `-isysroot directory`
    Sysroot(PathBuf),
    /// A flag of one word that is handed on, such as `-pthread` and `-mavx2`.
    Other(String),
}

impl CppFlag {
    /// The words that the compiler is given.
    pub fn words(&self) -> Vec<OsString> {
        let (option, value): (&str, OsString) = match self {
            CppFlag::Directory(path) => ("-I", path.into()),
            CppFlag::Define(text) => ("-D", text.into()),
            CppFlag::Undefine(text) => ("-U", text.into()),
            CppFlag::Include(path) => ("-include", path.into()),
            CppFlag::Macros(path) => ("-imacros", path.into()),
            CppFlag::Quote(path) => ("-iquote", path.into()),
            CppFlag::System(path) => ("-isystem", path.into()),
            CppFlag::After(path) => ("-idirafter", path.into()),
            CppFlag::Sysroot(path) => ("-isysroot", path.into()),
            CppFlag::Other(flag) => return vec![flag.into()],
        };
        vec![option.into(), value]
    }

    /// The flag with its path taken from `directory`, where it is relative.
    pub fn relative_to(self, directory: &Path) -> CppFlag {
        // A file is also looked for in the directories of headers.
        let file = |path: PathBuf| if directory.join(&path).exists() { directory.join(path) } else { path };
        match self {
            CppFlag::Directory(path) => CppFlag::Directory(directory.join(path)),
            CppFlag::Quote(path) => CppFlag::Quote(directory.join(path)),
            CppFlag::System(path) => CppFlag::System(directory.join(path)),
            CppFlag::After(path) => CppFlag::After(directory.join(path)),
            CppFlag::Sysroot(path) => CppFlag::Sysroot(directory.join(path)),
            CppFlag::Include(path) => CppFlag::Include(file(path)),
            CppFlag::Macros(path) => CppFlag::Macros(file(path)),
            CppFlag::Define(_) | CppFlag::Undefine(_) | CppFlag::Other(_) => self,
        }
    }
}

impl CppConfig {
    /// The compiler that the environment variable `CC` names, else `cc`; no flags.
    pub fn from_env(data_model: DataModel) -> Self {
        let compiler = std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty());
        let compiler = compiler.unwrap_or_else(|| "cc".to_owned());
        CppConfig { compiler, flags: Vec::new(), std: None, data_model }
    }
}

/// A preprocessed input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preprocessed {
    /// The name to show for it.
    pub name: String,
    /// The text for [`SourceMap::add_input`](heddle_base::SourceMap::add_input).
    pub text: String,
    /// What the preprocessor had to say (warnings), as it said it.
    pub messages: String,
    /// The file before preprocessing, if it was preprocessed.
    pub original: Option<String>,
}

/// Why there is no text.
#[derive(Debug)]
pub enum InputError {
    /// There is no such file.
    Missing(PathBuf),
    /// It is a directory.
    Directory(PathBuf),
    /// It cannot be read.
    Unreadable(PathBuf, io::Error),
    /// It holds a zero byte, at this position.
    Binary(PathBuf, usize),
    /// There is nothing in it.
    Empty(PathBuf),
    /// It is C++.
    Cpp(PathBuf),
    /// The compiler could not be started.
    NoCompiler(String, io::Error),
    /// The preprocessor reported errors.
    Preprocessor {
        /// The file.
        file: PathBuf,
        /// What the preprocessor said.
        messages: String,
    },
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Missing(path) => write!(f, "{}: no such file", path.display()),
            InputError::Directory(path) => write!(f, "{}: is a directory, not a C file", path.display()),
            InputError::Unreadable(path, error) => write!(f, "{}: cannot be read: {error}", path.display()),
            InputError::Binary(path, at) => {
                write!(f, "{}: is not a text file (it has a zero byte at offset {at})", path.display())
            }
            InputError::Empty(path) => write!(f, "{}: is empty", path.display()),
            InputError::Cpp(path) => write!(f, "{}: this is C++, and Heddle checks C only", path.display()),
            InputError::NoCompiler(compiler, error) => {
                write!(
                    f,
                    "cannot run `{compiler}` to preprocess C files: {error} (set CC, or give a preprocessed .i file)"
                )
            }
            InputError::Preprocessor { file, messages } => {
                write!(f, "{}: preprocessing failed", file.display())?;
                let messages = messages.trim_end();
                if messages.is_empty() { Ok(()) } else { write!(f, "\n{messages}") }
            }
        }
    }
}

impl std::error::Error for InputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            InputError::Unreadable(_, error) | InputError::NoCompiler(_, error) => Some(error),
            InputError::Missing(_)
            | InputError::Directory(_)
            | InputError::Binary(..)
            | InputError::Empty(_)
            | InputError::Cpp(_)
            | InputError::Preprocessor { .. } => None,
        }
    }
}

/// Reads `path` and preprocesses it unless it is an `.i` file. `-` is C on standard input.
pub fn preprocess(path: &Path, config: &CppConfig) -> Result<Preprocessed, InputError> {
    if path.as_os_str() == "-" || path.as_os_str() == "/dev/stdin" {
        return run_preprocessor(Path::new("-"), "<stdin>".to_owned(), config);
    }
    if let Some("cc" | "cpp" | "cxx" | "c++" | "C" | "hpp" | "hxx") = path.extension().and_then(|e| e.to_str()) {
        return Err(InputError::Cpp(path.to_owned()));
    }
    // Read in any case: the compiler's words for what is no C file are not ours.
    let bytes = read(path)?;
    let name = path.to_string_lossy().into_owned();
    if path.extension().is_some_and(|e| e == "i" || e == "ii") {
        return Ok(Preprocessed { name, text: decode(bytes), messages: String::new(), original: None });
    }
    let preprocessed = run_preprocessor(path, name, config)?;
    Ok(Preprocessed { original: Some(decode(bytes)), ..preprocessed })
}

fn read(path: &Path) -> Result<Vec<u8>, InputError> {
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => InputError::Missing(path.to_owned()),
        io::ErrorKind::IsADirectory => InputError::Directory(path.to_owned()),
        _ if path.is_dir() => InputError::Directory(path.to_owned()),
        _ => InputError::Unreadable(path.to_owned(), error),
    })?;
    if let Some(at) = memchr::memchr(0, &bytes) {
        return Err(InputError::Binary(path.to_owned(), at));
    }
    if bytes.trim_ascii().is_empty() {
        return Err(InputError::Empty(path.to_owned()));
    }
    Ok(bytes)
}

/// Text from bytes. What is not UTF-8 is kept byte by byte, each as one character that the lexer knows, so that string
/// literals keep their bytes.
fn decode(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        let mut text = String::with_capacity(error.as_bytes().len() + 64);
        for chunk in error.as_bytes().utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().filter_map(|&b| char::from_u32(RAW_BYTE + u32::from(b))));
        }
        text
    });
    match text.strip_prefix('\u{FEFF}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

fn run_preprocessor(path: &Path, name: String, config: &CppConfig) -> Result<Preprocessed, InputError> {
    let mut arguments = common_arguments(config);
    let stubs = match config.data_model {
        DataModel::Lp64 => None,
        DataModel::Ilp32 => StubHeaders::create().ok(),
    };
    if config.data_model == DataModel::Ilp32 {
        for directory in machine_headers().iter().map(PathBuf::as_path).chain(stubs.as_ref().map(|s| s.0.as_path())) {
            arguments.push("-idirafter".into());
            arguments.push(directory.into());
        }
    }
    let run = |model: &[String]| {
        let mut words = config.compiler.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or("cc"));
        command.args(words).args(["-E", "-x", "c"]).args(model).args(&arguments).arg(file_argument(path));
        command.stdin(if name == "<stdin>" { Stdio::inherit() } else { Stdio::null() }).env("LC_ALL", "C");
        command.output().map_err(|error| InputError::NoCompiler(config.compiler.clone(), error))
    };
    let mut output = match config.data_model {
        DataModel::Lp64 => run(&[])?,
        DataModel::Ilp32 => run(&["-m32".to_owned()])?,
    };
    if !output.status.success() && refuses_m32(&output.stderr) {
        output = run(&ilp32_arguments())?;
    }
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        if messages.contains("iostream") || std::fs::read_to_string(path).is_ok_and(|text| looks_like_cpp(&text)) {
            return Err(InputError::Cpp(path.to_owned()));
        }
        return Err(InputError::Preprocessor { file: path.to_owned(), messages });
    }
    if let Some(at) = memchr::memchr(0, &output.stdout) {
        return Err(InputError::Binary(path.to_owned(), at));
    }
    Ok(Preprocessed { name, text: decode(output.stdout), messages, original: None })
}

fn common_arguments(config: &CppConfig) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = Vec::new();
    arguments.extend(config.std.iter().map(|std| format!("-std={std}").into()));
    arguments.extend(config.flags.iter().flat_map(CppFlag::words));
    arguments
}

/// Whether a text that the preprocessor does not take has marks of C++.
fn looks_like_cpp(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    lines.any(|line| {
        ["using namespace ", "template<", "template <", "namespace "].iter().any(|mark| line.starts_with(mark))
            || line.contains("std::")
    })
}

/// The file as an argument that is not taken for an option.
fn file_argument(path: &Path) -> PathBuf {
    let option = path.as_os_str() != "-" && path.as_os_str().as_encoded_bytes().starts_with(b"-");
    if option { Path::new(".").join(path) } else { path.to_owned() }
}

fn refuses_m32(messages: &[u8]) -> bool {
    String::from_utf8_lossy(messages).lines().any(|line| {
        line.contains("-m32")
            && ["unrecognized", "unsupported", "not supported", "unknown"].iter().any(|w| line.contains(w))
    })
}

/// The macros of a 32-bit machine as arguments.
fn ilp32_arguments() -> Vec<String> {
    let undefined = LP64_MACROS.iter().map(|name| format!("-U{name}"));
    let defined = ILP32_MACROS.iter().flat_map(|(name, value)| {
        let bare = name.split('(').next().unwrap_or(name);
        [format!("-U{bare}"), format!("-D{name}={value}")]
    });
    undefined.chain(defined).collect()
}

/// The directories that hold the machine's own part of the headers where several machines share `/usr/include`.
fn machine_headers() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("/usr/include").into_iter().flatten().flatten();
    let mut directories: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.join("bits/wordsize.h").exists()).collect();
    // A 32-bit one serves better, and the order must not depend on the file system's.
    directories.sort_by_key(|path| (!path.to_string_lossy().contains("i386"), path.clone()));
    directories
}

/// A directory for as long as the preprocessor runs, with empty headers that a 64-bit glibc lacks.
struct StubHeaders(PathBuf);

impl StubHeaders {
    fn create() -> io::Result<StubHeaders> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let unique = format!("heddle-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let stubs = StubHeaders(std::env::temp_dir().join(unique));
        std::fs::create_dir(&stubs.0)?;
        std::fs::create_dir(stubs.0.join("gnu"))?;
        for name in ["stubs-32.h", "stubs-x32.h", "stubs-ilp32.h", "stubs-soft.h", "stubs-hard.h"] {
            std::fs::write(stubs.0.join("gnu").join(name), "")?;
        }
        Ok(stubs)
    }
}

impl Drop for StubHeaders {
    fn drop(&mut self) {
        // Nothing can be done about a failure, and little is lost.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Macros that a 64-bit compiler defines and gcc with `-m32` does not.
const LP64_MACROS: &[&str] = &[
    "__x86_64__",
    "__x86_64",
    "__amd64__",
    "__amd64",
    "__LP64__",
    "_LP64",
    "__SIZEOF_INT128__",
    "__code_model_small__",
];

/// Macros that gcc defines otherwise with `-m32`.
const ILP32_MACROS: &[(&str, &str)] = &[
    ("__i386__", "1"),
    ("__i386", "1"),
    ("__ILP32__", "1"),
    ("_ILP32", "1"),
    ("__INT64_C(c)", "c ## LL"),
    ("__INT64_MAX__", "0x7fffffffffffffffLL"),
    ("__INT64_TYPE__", "long long int"),
    ("__INTMAX_C(c)", "c ## LL"),
    ("__INTMAX_MAX__", "0x7fffffffffffffffLL"),
    ("__INTMAX_TYPE__", "long long int"),
    ("__INTPTR_MAX__", "0x7fffffff"),
    ("__INTPTR_TYPE__", "int"),
    ("__INTPTR_WIDTH__", "32"),
    ("__LONG_MAX__", "0x7fffffffL"),
    ("__LONG_WIDTH__", "32"),
    ("__PTRDIFF_MAX__", "0x7fffffff"),
    ("__PTRDIFF_TYPE__", "int"),
    ("__PTRDIFF_WIDTH__", "32"),
    ("__SIZEOF_LONG_DOUBLE__", "12"),
    ("__SIZEOF_LONG__", "4"),
    ("__SIZEOF_POINTER__", "4"),
    ("__SIZEOF_PTRDIFF_T__", "4"),
    ("__SIZEOF_SIZE_T__", "4"),
    ("__SIZE_MAX__", "0xffffffffU"),
    ("__SIZE_TYPE__", "unsigned int"),
    ("__SIZE_WIDTH__", "32"),
    ("__UINT64_C(c)", "c ## ULL"),
    ("__UINT64_MAX__", "0xffffffffffffffffULL"),
    ("__UINT64_TYPE__", "long long unsigned int"),
    ("__UINTMAX_C(c)", "c ## ULL"),
    ("__UINTMAX_MAX__", "0xffffffffffffffffULL"),
    ("__UINTMAX_TYPE__", "long long unsigned int"),
    ("__UINTPTR_MAX__", "0xffffffffU"),
    ("__UINTPTR_TYPE__", "unsigned int"),
    ("__WCHAR_MAX__", "0x7fffffffL"),
    ("__WCHAR_TYPE__", "long int"),
    ("__INT_FAST16_TYPE__", "int"),
    ("__INT_FAST32_TYPE__", "int"),
    ("__INT_FAST64_TYPE__", "long long int"),
    ("__INT_LEAST64_TYPE__", "long long int"),
    ("__UINT_FAST16_TYPE__", "unsigned int"),
    ("__UINT_FAST32_TYPE__", "unsigned int"),
    ("__UINT_FAST64_TYPE__", "long long unsigned int"),
    ("__UINT_LEAST64_TYPE__", "long long unsigned int"),
    ("__INT_FAST16_MAX__", "0x7fffffff"),
    ("__UINT_FAST16_MAX__", "0xffffffffU"),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory that is removed with its files.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let path = std::env::temp_dir().join(format!("heddle-test-{}-{name}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Scratch(path)
        }

        fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
            let path = self.0.join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn config(data_model: DataModel) -> CppConfig {
        CppConfig { compiler: "cc".to_owned(), flags: Vec::new(), std: None, data_model }
    }

    fn error(path: &Path) -> String {
        let error = preprocess(path, &config(DataModel::Lp64)).unwrap_err().to_string();
        let directory = path.parent().unwrap().to_string_lossy().into_owned();
        error.replace(&directory, "DIR")
    }

    #[test]
    fn unusable_files_are_named() {
        let scratch = Scratch::new("unusable");
        assert_eq!(error(&scratch.0.join("none.c")), "DIR/none.c: no such file");
        std::fs::create_dir(scratch.0.join("d.c")).unwrap();
        assert_eq!(error(&scratch.0.join("d.c")), "DIR/d.c: is a directory, not a C file");
        let binary = scratch.file("b.i", b"int x;\0");
        assert_eq!(error(&binary), "DIR/b.i: is not a text file (it has a zero byte at offset 6)");
        assert_eq!(error(&scratch.file("e.c", "")), "DIR/e.c: is empty");
        assert_eq!(error(&scratch.file("s.i", " \n\t\n")), "DIR/s.i: is empty");
    }

    #[test]
    fn a_missing_compiler_is_named() {
        let scratch = Scratch::new("compiler");
        let config = CppConfig { compiler: "/no/such/cc".to_owned(), ..config(DataModel::Lp64) };
        let error = preprocess(&scratch.file("a.c", "int x;"), &config).unwrap_err().to_string();
        assert!(error.starts_with("cannot run `/no/such/cc` to preprocess C files: "), "{error}");
    }

    #[test]
    fn errors_of_the_preprocessor_are_shown() {
        let scratch = Scratch::new("errors");
        let error = error(&scratch.file("a.c", "\n#error it is broken\n#include <no/such.h>\n"));
        assert!(error.starts_with("DIR/a.c: preprocessing failed\n"), "{error}");
        assert!(error.contains("DIR/a.c:2:2: error: #error it is broken"), "{error}");
        assert!(error.contains("no/such.h: No such file or directory"), "{error}");
    }

    #[test]
    fn preprocessed_files_are_taken_as_they_are() {
        let scratch = Scratch::new("as_is");
        let text = preprocess(&scratch.file("a.i", "# 1 \"x.c\"\nint x;\n"), &config(DataModel::Lp64)).unwrap().text;
        assert_eq!(text, "# 1 \"x.c\"\nint x;\n");
        let text =
            preprocess(&scratch.file("b.i", b"\xEF\xBB\xBFchar *s = \"\xE4\";"), &config(DataModel::Lp64)).unwrap();
        assert_eq!(text.text, "char *s = \"\u{10FEE4}\";");
    }

    #[test]
    fn flags_are_passed_on() {
        let scratch = Scratch::new("flags");
        scratch.file("h.h", "int included = VALUE;\n");
        scratch.file("first.h", "int first;\n");
        let path = scratch.file("a.c", "#include <h.h>\n#ifndef GONE\nlong std = __STDC_VERSION__;\n#endif\n");
        let flags = vec![
            CppFlag::Directory(scratch.0.clone()),
            CppFlag::Define("VALUE=42".to_owned()),
            CppFlag::Define("GONE".to_owned()),
            CppFlag::Undefine("GONE".to_owned()),
            CppFlag::Include(scratch.0.join("first.h")),
        ];
        let config = CppConfig { flags, std: Some("c99".to_owned()), ..config(DataModel::Lp64) };
        let text = preprocess(&path, &config).unwrap().text;
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
        assert_eq!(lines, ["int first;", "int included = 42;", "long std = 199901L;"]);
    }

    #[cfg(all(target_arch = "x86_64", target_env = "gnu"))]
    /// What a program that uses headers finds about the data model.
    fn model_probe(config: &CppConfig) -> String {
        let scratch = Scratch::new(&format!("model-{:?}-{}", config.data_model, config.compiler.len()));
        let program = "#include <pthread.h>\n#include <limits.h>\n#include <stdint.h>\n\
            #include <stdio.h>\nprobe\nLONG_MAX\nUINTPTR_MAX\n__SIZEOF_PTHREAD_MUTEX_T\n__SIZE_TYPE__\n";
        let text = preprocess(&scratch.file("a.c", program), config).unwrap().text;
        let probed = text.lines().skip_while(|&line| line != "probe").skip(1);
        let words = probed.filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", target_env = "gnu"))]
    fn headers_follow_the_data_model() {
        assert_eq!(
            model_probe(&config(DataModel::Lp64)),
            "0x7fffffffffffffffL (18446744073709551615UL) 40 long unsigned int"
        );
        assert_eq!(model_probe(&config(DataModel::Ilp32)), "0x7fffffffL (4294967295U) 24 unsigned int");
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", target_env = "gnu"))]
    fn a_compiler_without_m32_gets_the_macros() {
        let scratch = Scratch::new("wrapper");
        let script = "case \"$*\" in *-m32*) echo \"cc: error: unrecognized command-line option '-m32'\" >&2; exit 1;; \
            esac; exec cc \"$@\"\n";
        let compiler = format!("sh {}", scratch.file("cc.sh", script).display());
        let config = CppConfig { compiler, ..config(DataModel::Ilp32) };
        assert_eq!(model_probe(&config), "0x7fffffffL (4294967295U) 24 unsigned int");
    }
}
