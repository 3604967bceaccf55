//! Terms, bit-blasting and SAT with theories: where every symbolic engine asks its questions.
//!
//! ```text
//!  Terms ──float::lower──▶ bit-vector terms ──blast──▶ clauses ──sat──▶ CaDiCaL ◀──▶ Theory
//!    │                          ▲                                          │
//!    ├── eval (reference)       └── arrays (lemmas) ◀── model ─────────────┘
//!    └── smtlib (text, external solvers)
//! ```
//!
//! [`Terms`] holds hash-consed terms; [`Solver`] answers whether some can be true together, with a [`Model`] or a
//! [`Core`]. A [`Theory`] takes part in the search over literals of chosen terms. [`smtlib`] prints the same queries
//! and asks other solvers.
//!
//! ```
//! use heddle_base::Budget;
//! use heddle_solver::{Answer, Solver, Terms};
//!
//! let mut terms = Terms::new();
//! let (x, y) = (terms.bv_var("x", 32), terms.bv_var("y", 32));
//! let (sum, overflows) = (terms.add(x, y), terms.uadd_overflows(x, y));
//! let small = terms.ult(sum, x);
//! let (differ, mut solver) = (terms.xor(small, overflows), Solver::new());
//! solver.assert(&terms, differ)?;
//! assert!(solver.solve(&mut terms, &[], &Budget::unlimited())?.is_unsat());
//! # Ok::<(), heddle_solver::SortError>(())
//! ```
//!
//! Invariants: evaluation never uses the circuits, so that each checks the other; nothing iterates over a hash map
//! where the order could reach the search, so equal inputs give equal answers; no callback from CaDiCaL lets a panic
//! through.

mod arrays;
mod bits;
mod blast;
mod eval;
mod float;
mod sat;
pub mod smtlib;
mod solver;
mod sort;
#[cfg(any(test, feature = "stress"))]
pub mod stress;
mod terms;
mod value;

pub use bits::Bits;
pub use eval::{Assignment, Evaluator};
pub use sat::{Actions, BoolVar, Lit, NoTheory, Sat, SatAnswer, SatConfig, SatStatistics, Theory};
#[cfg(feature = "proof")]
pub use sat::{ProofConfig, ProofFormat};
pub use solver::{Answer, Config, Core, Model, Solver, Statistics};
pub use sort::{FloatFormat, MAX_WIDTH, Rounding, Sort, SortError};
pub use terms::{ConstId, FloatClass, KnownBits, Op, TermId, Terms, VarId};
pub use value::{ArrayValue, Value};
