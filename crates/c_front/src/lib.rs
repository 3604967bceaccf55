//! C text to goto program.

pub mod ast;
pub mod ast_dump;
pub mod diag;
pub mod intern;
mod lex;
pub mod parse;
pub mod preprocess;
pub mod render;
pub mod token;
