//! Well-formedness: what every pass and every engine may rely on.
//!
//! **Ids.** Every id is in range. Operands of an expression come before it in the arena, so expressions are acyclic. Names
//! of functions, globals and inputs are unique.
//!
//! **Types.** Constants fit their types. Operators, conversions and steps have operands of the types that
//! [`BinOp`](crate::BinOp), [`UnOp`](crate::UnOp), [`CastOp`](crate::CastOp) and [`StepKind`](crate::StepKind) name;
//! no memory access has type `Bool`. A direct call has the callee's number and types of arguments, and a result only if the
//! callee has one; a spawned function takes at most one argument, a pointer. `return` has a value exactly if the function
//! has a result. The entry has no parameters; the last parameter of a variadic function is a pointer. A copy or fill
//! with a layout and a constant length has the layout's size.
//!
//! **Control.** Jump targets are steps of the function, and the last step does not fall through.
//!
//! **Atomic sections.** The number of open sections is a static property of a step: all paths to it agree. A function returns
//! with as many open as it was entered with; it may be called inside a section. An `await` stands inside a section of its
//! function, and on no path is there a write (store, copy, fill, alloc, free, spawn, or a call of a function that may write)
//! between the beginning of the outermost section of the function and the `await`.
//!
//! **Locals.** A step that names a local is reached from a `live` of it without a `dead` in between, on some path at least.
//!
//! **Data.** Layouts are acyclic, alignments are powers of two, an array's size is its elements', fields and bit-fields
//! lie inside. A global is at least as large as its layout, its initial contents lie inside it.

mod data;
mod flow;
mod types;

use std::fmt;

use crate::layout::LayoutId;
use crate::program::{FuncId, GlobalId, Program};
use crate::step::StepId;
use crate::ty::Ty;

/// Where a program is malformed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The program as a whole.
    Program,
    /// A layout.
    Layout(LayoutId),
    /// A global.
    Global(GlobalId, String),
    /// A function's declarations or expressions.
    Function(FuncId, String),
    /// A step.
    Step(FuncId, String, StepId),
}

/// What is malformed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// Where.
    pub place: Place,
    /// What.
    pub kind: VerifyErrorKind,
}

/// What can be malformed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerifyErrorKind {
    /// An id that names nothing.
    OutOfRange {
        /// Of what kind.
        what: &'static str,
        /// The id.
        id: String,
    },
    /// Two things with one name.
    DuplicateName {
        /// Of what kind.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// An expression one of whose operands comes after it.
    OperandOrder(String),
    /// A constant with more bits than its type.
    ConstantTooWide(String),
    /// An operand of the wrong type.
    Type {
        /// Which operand of what.
        what: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: Ty,
    },
    /// A direct call with the wrong number of arguments.
    ArgumentCount {
        /// How many the callee takes.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A use of the result of a function that has none, or a return that does not fit the function.
    Result(&'static str),
    /// Parameters that do not fit the function's role.
    Params(&'static str),
    /// A function without steps, or whose last step falls through.
    FallsOffEnd,
    /// Paths on which different numbers of atomic sections are open.
    SectionDepth {
        /// On one path.
        one: u32,
        /// On another.
        other: u32,
    },
    /// `atomic_end` where no section is open.
    SectionNotOpen,
    /// `return` where a section is open.
    SectionOpenAtReturn,
    /// `await` outside any section.
    AwaitOutsideSection,
    /// `await` after a write in the same section.
    AwaitAfterWrite,
    /// A local that is live on no path.
    NotLive(String),
    /// A copy or fill whose constant length is not its layout's size.
    LengthMismatch {
        /// The layout's size.
        layout: u64,
        /// The length.
        len: u64,
    },
    /// A layout that contains itself.
    CyclicLayout,
    /// A layout, or a part of one, that makes no sense.
    BadLayout(&'static str),
    /// A global's initial contents that lie outside it, or a global smaller than its layout.
    BadGlobal(&'static str),
}

/// Everything that is malformed, by place; empty for a well-formed program.
pub fn verify(program: &Program) -> Vec<VerifyError> {
    let mut errors = Errors { list: Vec::new(), place: Place::Program };
    data::verify_data(program, &mut errors);
    // What follows looks things up by id, so it waits until all ids are good.
    types::verify_functions(program, &mut errors);
    if errors.list.is_empty() {
        flow::verify_flow(program, &mut errors);
    }
    errors.list
}

/// With debug assertions: panics if the program is malformed.
#[track_caller]
pub fn debug_verify(program: &Program) {
    if cfg!(debug_assertions) {
        let errors = verify(program);
        if !errors.is_empty() {
            let lines: Vec<String> = errors.iter().take(20).map(ToString::to_string).collect();
            panic!("malformed program:\n{}", lines.join("\n"));
        }
    }
}

/// The errors found so far and the place that is looked at.
struct Errors {
    list: Vec<VerifyError>,
    place: Place,
}

impl Errors {
    fn push(&mut self, kind: VerifyErrorKind) {
        self.list.push(VerifyError { place: self.place.clone(), kind });
    }

    /// Records an error unless the id is one of `len`; tells whether it is.
    fn in_range<I: heddle_base::Id + fmt::Display>(&mut self, what: &'static str, id: I, len: usize) -> bool {
        let good = id.index() < len;
        if !good {
            self.push(VerifyErrorKind::OutOfRange { what, id: id.to_string() });
        }
        good
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind)
    }
}

impl std::error::Error for VerifyError {}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Program => f.write_str("program"),
            Place::Layout(id) => write!(f, "layout {id}"),
            Place::Global(_, name) => write!(f, "global {name}"),
            Place::Function(_, name) => write!(f, "function {name}"),
            Place::Step(_, name, step) => write!(f, "function {name}, step {step}"),
        }
    }
}

impl fmt::Display for VerifyErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyErrorKind::OutOfRange { what, id } => write!(f, "no {what} {id}"),
            VerifyErrorKind::DuplicateName { what, name } => write!(f, "two {what} called `{name}`"),
            VerifyErrorKind::OperandOrder(expr) => write!(f, "an operand of {expr} comes after it"),
            VerifyErrorKind::ConstantTooWide(expr) => write!(f, "constant {expr} is too wide for its type"),
            VerifyErrorKind::Type { what, expected, found } => write!(f, "{what}: expected {expected}, found {found}"),
            VerifyErrorKind::ArgumentCount { expected, found } => {
                write!(f, "callee takes {expected} arguments, call has {found}")
            }
            VerifyErrorKind::Result(what) | VerifyErrorKind::Params(what) => f.write_str(what),
            VerifyErrorKind::FallsOffEnd => f.write_str("control falls off the end"),
            VerifyErrorKind::SectionDepth { one, other } => {
                write!(f, "{one} or {other} atomic sections are open, depending on the path")
            }
            VerifyErrorKind::SectionNotOpen => f.write_str("no atomic section is open"),
            VerifyErrorKind::SectionOpenAtReturn => f.write_str("return inside an atomic section"),
            VerifyErrorKind::AwaitOutsideSection => f.write_str("await outside an atomic section"),
            VerifyErrorKind::AwaitAfterWrite => f.write_str("await after a write in the same atomic section"),
            VerifyErrorKind::NotLive(name) => write!(f, "local `{name}` is not live"),
            VerifyErrorKind::LengthMismatch { layout, len } => {
                write!(f, "length {len} but a layout of {layout} bytes")
            }
            VerifyErrorKind::CyclicLayout => f.write_str("layout contains itself"),
            VerifyErrorKind::BadLayout(what) | VerifyErrorKind::BadGlobal(what) => f.write_str(what),
        }
    }
}

#[cfg(test)]
mod tests;
