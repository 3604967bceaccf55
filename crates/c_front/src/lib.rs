//! C text to goto program.
//!
//! ```text
//! file ─preprocess─▶ text ─lex, parse─▶ Ast ─lower─▶ parts of a program ─finish─▶ Program
//!                                        models ─parse─▶ Ast ─┘
//! ```
//!
//! [`compile`] does all of it. Library functions that the program uses and does not define are taken from the [`models`]:
//! C files in this crate, parsed and lowered like the user's own.
//!
//! **Architecture invariant:** what is not supported is a diagnostic at its place, never a construct that is left out.

pub mod ast;
pub mod ast_dump;
pub mod diag;
pub mod intern;
pub mod layout;
mod lex;
mod lower;
pub mod models;
pub mod outline;
mod pack;
pub mod parse;
pub mod preprocess;
pub mod render;
pub mod token;
mod type_names;
pub mod types;

use heddle_base::{SourceMap, Span};
use heddle_ir::{DataModel, Program, PropertySet};

pub use diag::{Diagnostic, Diagnostics, Severity};
use lower::{Origin, Session};

/// What shapes the program that C text stands for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Sizes of the basic types.
    pub data_model: DataModel,
    /// The properties that will be checked: some need steps of their own.
    pub properties: PropertySet,
    /// Whether allocation may return null.
    pub malloc_may_fail: bool,
    /// Arguments of `main`, its own name left out; `None` for arbitrary ones.
    pub main_args: Option<Vec<String>>,
    /// What is said of functions that no file defines, those of system headers aside.
    pub missing: Missing,
    /// Functions without a body of which the user says what they return.
    pub stubs: Vec<String>,
    /// Where the program starts, if not in `main`.
    pub harness: Harness,
    /// What the program is for.
    pub purpose: Purpose,
}

/// What a program is compiled for. What the library models leave arbitrary for a proof is computed in an execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// All that can happen is looked at: input, files and functions of real numbers are arbitrary.
    #[default]
    Verification,
    /// It is executed once, as the compiled program would be.
    Execution,
}

/// Functions that are called in place of `main`: see `lower::harness`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Harness {
    /// Called first.
    pub setup: Option<String>,
    /// Called alone.
    pub entry: Option<String>,
    /// Run as threads, all at once.
    pub threads: Vec<String>,
    /// Called when all threads have ended.
    pub teardown: Option<String>,
}

/// What is said of functions that no file defines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// A warning: their results are arbitrary.
    #[default]
    Allowed,
    /// An error.
    Refused,
}

/// A preprocessed text.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The file before preprocessing, to be shown in messages.
    pub original: Option<String>,
}

impl From<(String, String)> for Input {
    fn from((name, text): (String, String)) -> Input {
        Input { name, text, original: None }
    }
}

/// The outcome of a compilation.
#[derive(Debug)]
pub struct Compiled {
    /// The program; `None` if there were errors.
    pub program: Option<Program>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
    /// The texts that diagnostics refer to.
    pub sources: SourceMap,
}

/// Room for the recursion of lowering at its nesting limit, in builds without optimisation too. Only what is used is taken.
const STACK_BYTES: usize = 128 << 20;

/// Compiles preprocessed texts to one program, on a thread of its own with a large stack.
pub fn compile<I: Into<Input>>(inputs: Vec<I>, options: Options) -> Compiled {
    let inputs: Vec<Input> = inputs.into_iter().map(Into::into).collect();
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || compile_here(inputs, options))
            .expect("a thread can be started");
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// [`compile`] on the caller's own stack, which must be large: deeply nested expressions and types take much of it.
pub fn compile_here(inputs: Vec<Input>, options: Options) -> Compiled {
    let mut session = Session::new(options);
    let mut units = Vec::new();
    for Input { name, text, original } in inputs {
        if let Some(original) = original {
            session.sources.add_original(&name, original);
        }
        let Some(start) = session.sources.add_input(&name, text) else {
            session.diags.error(Span::default(), format!("{name}: the inputs are larger than 4 GiB"));
            continue;
        };
        units.push(parse::parse_unit(&mut session.sources, start, &mut session.interner, &mut session.diags));
    }
    for unit in &units {
        session.note_definitions(unit);
    }
    // Whatever could be parsed is checked too, so that one run shows as many errors as possible.
    for unit in &units {
        session.lower_unit(unit, Origin::Program);
    }
    let harness = session.options.harness.clone();
    if harness != Harness::default()
        && !session.diags.has_errors()
        && let Some(text) = session.harness(&harness)
        && let Some(start) = session.sources.add_input("harness", text)
    {
        let unit = parse::parse_unit(&mut session.sources, start, &mut session.interner, &mut session.diags);
        session.lower_unit(&unit, Origin::Library);
    }
    if !session.diags.has_errors() {
        models::resolve(&mut session);
    }
    let (session, program) = session.finish();
    if let Some(program) = &program {
        heddle_ir::verify::debug_verify(program);
    }
    Compiled { program, diagnostics: session.diags, sources: session.sources }
}
