//! The goto program: what every engine of Heddle sees of a C program.
//!
//! A [`Program`] is a set of functions; a [`Function`] is a flat list of [`Step`]s over *registers* (scalar locals
//! whose address is never taken, and temporaries) and *slots* (locals that live in memory). Expressions are pure: they
//! read registers, constants and addresses only. All memory traffic is in `load`, `store`, `copy` and `fill` steps, so
//! that a step makes at most one access and a scheduler can stop between any two of them.
//!
//! **Values.** A register holds a value of a scalar type [`Ty`]. A pointer is a pair (object, byte offset) in both data
//! models; integer and pointer meet only in `ptrtoint`/`inttoptr`. Signedness is a matter of operators, not of types.
//!
//! **Blocking.** [`StepKind::Await`] is the only step that can block. It stands inside an atomic section, no store
//! before it in that section, so that a section whose `await` does not hold has had no effect and is retried whole.
//!
//! **What else is here.** The [`text`] form (printer and parser), the well-formedness check ([`verify`]), analyses (all
//! at once: [`analysis::Analysis`]), [`passes`] from what lowering makes to what engines want, and what `heddle show`
//! prints ([`show`]).
//!
//! **Architecture invariant:** nothing here knows C. `c_front` makes programs, `machine` runs them.

pub mod analysis;
pub mod assertions;
pub mod bits;
pub mod callgraph;
pub mod cfg;
pub mod compared_inputs;
pub mod consequences;
pub mod dominators;
pub mod eval;
pub mod expr;
pub mod float;
pub mod layout;
pub mod liveness;
pub mod loops;
pub mod mentions;
pub mod objects;
pub mod passes;
pub mod points_to;
pub mod program;
pub mod property;
pub mod section_awaits;
pub mod sections;
pub mod sharing;
pub mod show;
pub mod step;
pub mod text;
pub mod threads;
pub mod ty;
pub mod uninitialised;
pub mod value;
pub mod verify;
pub mod visibility;
pub mod walk;

#[cfg(test)]
mod testing;

pub use analysis::Analysis;
pub use expr::{Base, BinOp, CastOp, Expr, ExprId, UnOp};
pub use layout::{Field, Layout, LayoutId, LayoutKind};
pub use objects::Site;
pub use program::{
    Check, CheckId, ConstValue, FuncId, Function, Global, GlobalId, InitItem, Input, InputId, InputKind, Program, Reg,
    RegId, Slot, SlotId,
};
pub use property::{Property, PropertySet};
pub use sharing::{Sharing, StepSharing};
pub use step::{Access, AllocKind, Callee, MemOrder, Section, Step, StepId, StepKind, SyncKind, SyncOp};
pub use ty::{DataModel, Ty};
pub use value::Pointer;
pub use visibility::Visibility;
