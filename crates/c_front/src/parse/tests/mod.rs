//! Tests of the parser: text in, S-expressions and messages out.

mod decls;
mod errors;
mod exprs;
mod lexical;
mod limits;
mod stmts;

use expect_test::Expect;
use heddle_base::SourceMap;

use super::parse_unit;
use crate::ast::Ast;
use crate::ast_dump::dump;
use crate::diag::{Diagnostics, Severity};
use crate::intern::Interner;

fn parse(text: &str) -> (Ast, Interner, SourceMap, Diagnostics) {
    let (mut sources, mut interner, mut diags) = (SourceMap::new(), Interner::default(), Diagnostics::default());
    let start = sources.add_input("t.c", text.to_owned()).unwrap();
    let ast = parse_unit(&mut sources, start, &mut interner, &mut diags);
    (ast, interner, sources, diags)
}

fn messages(sources: &SourceMap, diags: &Diagnostics) -> String {
    let line = |severity, span: heddle_base::Span, message: &str| {
        format!("{}: {severity}: {message}\n", sources.display(sources.loc(span.lo)))
    };
    let mut out = String::new();
    for diag in diags.iter() {
        let severity = if diag.severity == Severity::Error { "error" } else { "warning" };
        out += &line(severity, diag.span, &diag.message);
        out.extend(diag.notes.iter().map(|(span, message)| line("note", *span, message)));
    }
    out
}

fn check(text: &str, expect: Expect) {
    let (ast, interner, sources, diags) = parse(text);
    expect.assert_eq(&(dump(&ast, &interner) + &messages(&sources, &diags)));
}
