//! The text form of programs: what `heddle show goto` prints, and what passes and the machine are tested on.
//!
//! One step a line; a function's registers, locals and signature in its header; jump targets are step numbers.
//!
//! ```text
//! program lp64
//! entry main
//!
//! layout t0 = i32
//!
//! global counter: i32 = 5  @ a.c:1:5
//!
//! fn main() -> i32 @ a.c:3:5 {
//!   regs x: i32, r1: ptr
//!   slot buf: [10 x i32] @ a.c:4:7
//!   0: x = load.i32 &counter            @ a.c:5:7
//!   1: if x <u 10 goto 3                @ a.c:5:3
//!   2: store.i32 &buf+4, x + 1          @ a.c:6:3
//!   3: assert x != 0, c0 assert "x"     @ a.c:7:3
//!   4: return 0                         @ a.c:8:3
//! }
//! ```
//!
//! **Expressions** are infix where C has an operator: `/ % >> < <=` are signed, with a `u` behind them unsigned (`<u`),
//! and on pointers and floats they mean what C means. All other operators are called by name (`clz(x)`,
//! `zext.i64(x)`). A literal takes the type its context asks for, `i32` where it asks for none, and `7:i64` says so
//! itself; a hexadecimal literal gives the bits of a value of any type.
//!
//! **Names.** A register or local is called by its C name; `x#7` is the one with id 7 where several are called `x`, `r7`
//! has no C name. `&x` is the local, else the global, else the function `x`; `&::x` is always the global and `&fn::x` the
//! function.
//!
//! **Round trip.** [`parse`] of [`print()`] restores everything but the source texts and the sharing of expressions.
//!
//! **By hand** most can be left out: layouts, inputs and checks are made where they are first used, registers where they
//! are first assigned, a label is any name (`loop: x = x + 1`), `//` begins a comment, the entry is `main`.

mod error;
mod lex;
mod names;
mod parse;
mod parse_expr;
mod parse_step;
mod print;
mod print_function;
#[cfg(test)]
mod tests;

pub use error::{ParseError, ParseErrorKind};
pub use parse::parse;
pub use print::{PrintOptions, expr_to_string, print, print_with, step_lines, step_to_string};
