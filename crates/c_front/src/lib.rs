//! C text to goto program.

pub mod ast;
pub mod diag;
pub mod intern;
mod lex;
pub mod parse;
pub mod token;
