//! The command line of a C compiler (gcc, clang), as far as it matters here.
//!
//! A flag belongs to one of four kinds: it shapes the preprocessed text (`-I`, `-D`, `-include`, `-std`, `-m…`), it names an
//! input or an output, it changes the meaning of the program in a way that is not supported (`-funsigned-char`), or it is none
//! of our business (`-O2`, `-Wall`, `-l…`) and left out without a word. Optimisation is left out too: it defines macros that
//! only choose other spellings of the same functions.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use heddle_c_front::preprocess::CppFlag;
use heddle_ir::DataModel;

/// What a compiler is asked to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    /// Flags of the preprocessor, in order.
    pub flags: Vec<CppFlag>,
    /// `-std`.
    pub std: Option<String>,
    /// `-m32` and `-m64`.
    pub data_model: Option<DataModel>,
    /// C files.
    pub sources: Vec<PathBuf>,
    /// Object files, archives and libraries.
    pub objects: Vec<PathBuf>,
    /// `-o`.
    pub output: Option<PathBuf>,
    /// How far it goes.
    pub stage: Stage,
    /// Flags that change the meaning of the program in a way that is not supported.
    pub refused: Vec<String>,
    /// What is no flag of a compiler.
    pub others: Vec<OsString>,
}

/// How far a compiler goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// To a program or a library.
    #[default]
    Link,
    /// To object files (`-c`).
    Compile,
    /// Less: preprocessed text, assembler, dependencies, a version.
    Less,
}

/// Flags whose value is the next word, if it is not in the same one.
const WITH_VALUE: &[&str] = &["-x", "-l", "-L", "-u", "-z", "-T", "-e", "-A", "-G", "-B"];

/// Flags whose value is always the next word.
const WITH_NEXT: &[&str] = &[
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-MF",
    "-MT",
    "-MQ",
    "-arch",
    "-target",
    "-framework",
    "-install_name",
    "-current_version",
    "-compatibility_version",
    "-rpath",
    "-soname",
    "-aux-info",
    "-dumpbase",
    "--param",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-imultilib",
];

/// Flags that change sizes, signs or the meaning of operations.
const REFUSED: &[&str] =
    &["-funsigned-char", "-fshort-enums", "-fpack-struct", "-fshort-wchar", "-fms-extensions", "-fplan9-extensions"];

impl Invocation {
    /// Reads the arguments of a compiler, its own name left out.
    pub fn parse(args: &[OsString]) -> Invocation {
        let mut invocation = Invocation::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let Some(text) = arg.to_str() else {
                invocation.input(arg);
                continue;
            };
            if !text.starts_with('-') || text == "-" {
                invocation.input(arg);
                continue;
            }
            let mut next = || args.next().cloned().unwrap_or_default();
            if !invocation.flag(text, &mut next) {
                invocation.others.push(arg.clone());
            }
        }
        invocation
    }

    /// Takes a flag, with the words behind it that belong to it. False if it is no flag of a compiler.
    pub fn flag(&mut self, text: &str, next: &mut dyn FnMut() -> OsString) -> bool {
        let string = |value: OsString| value.to_string_lossy().into_owned();
        // The value of `-Xvalue` or `-X value`.
        let mut joined = |name: &str| match text.strip_prefix(name) {
            Some("") => Some(next()),
            Some(value) => Some(value.into()),
            None => None,
        };
        type MakePath = fn(PathBuf) -> CppFlag;
        let paths: [(&str, MakePath); 7] = [
            ("-include", CppFlag::Include),
            ("-imacros", CppFlag::Macros),
            ("-isystem", CppFlag::System),
            ("-iquote", CppFlag::Quote),
            ("-idirafter", CppFlag::After),
            ("-isysroot", CppFlag::Sysroot),
            ("-I", CppFlag::Directory),
        ];
        for (name, make) in paths {
            if let Some(path) = joined(name) {
                self.flags.push(make(path.into()));
                return true;
            }
        }
        if let Some(text) = joined("-D") {
            self.flags.push(CppFlag::Define(string(text)));
        } else if let Some(text) = joined("-U") {
            self.flags.push(CppFlag::Undefine(string(text)));
        } else if let Some(path) = joined("-o") {
            self.output = Some(path.into());
        } else if WITH_NEXT.contains(&text) {
            next();
        } else if WITH_VALUE.iter().any(|name| joined(name).is_some()) {
        } else {
            return self.plain_flag(text);
        }
        true
    }

    /// A flag of one word.
    fn plain_flag(&mut self, text: &str) -> bool {
        match text {
            "-c" => self.stage = Stage::Compile,
            "-E" | "-S" | "-M" | "-MM" | "-fsyntax-only" | "-v" | "-###" | "--version" | "-dumpversion"
            | "-dumpmachine" | "--help" => self.stage = Stage::Less,
            "-m32" => self.data_model = Some(DataModel::Ilp32),
            "-m64" => self.data_model = Some(DataModel::Lp64),
            "-ansi" => self.std = Some("c90".to_owned()),
            "-pthread" | "-fopenmp" | "-nostdinc" => self.flags.push(CppFlag::Other(text.to_owned())),
            "-w" | "-s" | "-g" | "-p" | "-pg" | "-pipe" | "-shared" | "-static" | "-pie" | "-no-pie" | "-rdynamic"
            | "-pedantic" | "-pedantic-errors" | "-MD" | "-MMD" | "-MP" | "-MG" | "-P" | "-C" | "-H" | "-Q"
            | "-nostdlib" | "-nodefaultlibs" | "-nostartfiles" | "-static-libgcc" | "-symbolic" | "-r"
            | "-save-temps" | "-time" | "-traditional" | "-undef" | "-coverage" | "--coverage" | "-N" | "-n" => {}
            _ if text.starts_with("-std=") => self.std = text.strip_prefix("-std=").map(str::to_owned),
            _ if text.starts_with("--std=") || text.starts_with("--include") => return false,
            _ if REFUSED.contains(&text) => self.refused.push(text.to_owned()),
            _ if text.starts_with("-m") => self.flags.push(CppFlag::Other(text.to_owned())),
            _ if text.starts_with("--sysroot=") => self.flags.push(CppFlag::Other(text.to_owned())),
            _ if ["-W", "-O", "-f", "-g", "-save-temps=", "-specs=", "-d", "-t"]
                .iter()
                .any(|p| text.starts_with(p)) => {}
            _ => return false,
        }
        true
    }

    /// Takes a word that is no flag.
    fn input(&mut self, word: &OsStr) {
        let path = PathBuf::from(word);
        match path.extension().and_then(OsStr::to_str) {
            Some("c" | "i") => self.sources.push(path),
            Some("o" | "a" | "so" | "lo" | "la" | "obj") => self.objects.push(path),
            _ => self.others.push(word.to_owned()),
        }
    }
}

/// Whether a word names a compiler: `gcc`, `/usr/bin/clang-15`, `arm-none-eabi-gcc`.
pub fn is_compiler(word: &OsStr) -> bool {
    let Some(name) = std::path::Path::new(word).file_name().and_then(OsStr::to_str) else { return false };
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    ["cc", "gcc", "clang", "tcc", "icx", "ccache"]
        .iter()
        .any(|compiler| name.strip_suffix(compiler).is_some_and(|before| before.is_empty() || before.ends_with('-')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Invocation {
        Invocation::parse(&text.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn a_usual_command_line() {
        let found = parse(
            "-Wall -Wextra -O2 -g3 -pthread -std=c11 -I inc -Isrc -isystem /opt/x -iquote q -DN=3 -D M -UQ -include pre.h -fPIC \
             -Wl,-rpath,/x -lm -L lib -MMD -MF x.d -march=native -c a.c -o build/a.o",
        );
        assert_eq!(found.sources, [PathBuf::from("a.c")]);
        assert_eq!(found.output, Some("build/a.o".into()));
        assert_eq!(found.stage, Stage::Compile);
        assert_eq!(found.std.as_deref(), Some("c11"));
        assert_eq!(found.others, [] as [OsString; 0]);
        assert_eq!(found.refused, [] as [String; 0]);
        let other = |text: &str| CppFlag::Other(text.to_owned());
        assert_eq!(
            found.flags,
            [
                other("-pthread"),
                CppFlag::Directory("inc".into()),
                CppFlag::Directory("src".into()),
                CppFlag::System("/opt/x".into()),
                CppFlag::Quote("q".into()),
                CppFlag::Define("N=3".into()),
                CppFlag::Define("M".into()),
                CppFlag::Undefine("Q".into()),
                CppFlag::Include("pre.h".into()),
                other("-march=native"),
            ]
        );
    }

    #[test]
    fn linking_and_meaning() {
        let found = parse("a.c b.o libx.a -lrt -o prog -funsigned-char -m32 --unwind");
        assert_eq!(found.objects, [PathBuf::from("b.o"), "libx.a".into()]);
        assert_eq!((found.stage, found.data_model), (Stage::Link, Some(DataModel::Ilp32)));
        assert_eq!(found.refused, ["-funsigned-char"]);
        assert_eq!(found.others, ["--unwind"]);
        assert_eq!(parse("-E a.c").stage, Stage::Less);
    }

    #[test]
    fn names_of_compilers() {
        for name in ["gcc", "cc", "/usr/bin/gcc-12", "clang-15", "aarch64-linux-gnu-gcc"] {
            assert!(is_compiler(OsStr::new(name)), "{name}");
        }
        for name in ["a.c", "gccx", "success"] {
            assert!(!is_compiler(OsStr::new(name)), "{name}");
        }
    }
}
