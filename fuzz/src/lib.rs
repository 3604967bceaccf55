//! What is fuzzed: whoever reads a text must take every text. A text is refused with a message or accepted; nothing panics, hangs or
//! overflows the stack. Where there is a printer, what was accepted and printed is accepted again.

use heddle_base::SourceMap;
use heddle_c_front::diag::Diagnostics;
use heddle_c_front::intern::Interner;
use heddle_c_front::parse::parse_unit;
use heddle_c_front::render::{RenderConfig, render};
use heddle_c_front::{Input, Options, compile};
use heddle_ir::passes::standard;
use heddle_ir::verify::verify;

/// A target by its name.
pub type Target = fn(&[u8]);

/// All targets, with the folders of their seeds.
pub const TARGETS: [(&str, Target); 5] =
    [("c", c), ("goto", goto), ("schedule", schedule), ("boolprog", boolprog), ("baseline", baseline)];

/// Inputs longer than this only cost time.
const MAX_LENGTH: usize = 1 << 16;

fn text(data: &[u8]) -> Option<String> {
    (data.len() <= MAX_LENGTH).then(|| String::from_utf8_lossy(data).into_owned())
}

/// Lexes, parses, lowers and verifies preprocessed C; renders its diagnostics.
pub fn c(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let (mut sources, mut interner, mut diags) = (SourceMap::new(), Interner::default(), Diagnostics::default());
    let start = sources.add_input("fuzz.c", text.clone()).expect("room for the input");
    let ast = parse_unit(&mut sources, start, &mut interner, &mut diags);
    for diag in diags.iter() {
        std::hint::black_box(render(diag, &sources, RenderConfig::default()));
    }
    for expr in ast.exprs.iter() {
        assert!(expr.span.lo <= expr.span.hi && expr.span.hi as usize <= text.len(), "a span outside of the text");
    }
    let input = Input { name: "fuzz.c".to_owned(), text, original: None };
    let compiled = compile(vec![input], Options::default());
    for diag in compiled.diagnostics.iter() {
        std::hint::black_box(render(diag, &compiled.sources, RenderConfig::default()));
    }
    if let Some(mut program) = compiled.program {
        let errors = verify(&program);
        assert!(errors.is_empty(), "a malformed program: {}", errors[0]);
        standard(&mut program);
        std::hint::black_box(heddle_ir::text::print(&program));
    }
}

/// Parses goto programs; what is printed is parsed again and prints the same.
pub fn goto(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let Ok(program) = heddle_ir::text::parse(&text) else { return };
    if !verify(&program).is_empty() {
        return;
    }
    let printed = heddle_ir::text::print(&program);
    let again = heddle_ir::text::parse(&printed).expect("what is printed can be parsed");
    assert_eq!(heddle_ir::text::print(&again), printed, "printed twice");
}

/// Parses stored schedules; what is stored again is the same.
pub fn schedule(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let Ok(schedule) = heddle_task::Schedule::parse(&text) else { return };
    let stored = schedule.to_json();
    let again = heddle_task::Schedule::parse(&stored).expect("what is stored can be read");
    assert_eq!(again.to_json(), stored, "stored twice");
}

/// Parses and flattens boolean programs.
pub fn boolprog(data: &[u8]) {
    let Some(text) = text(data) else { return };
    if let Err(refusal) = heddle_boolprog::parse(&text) {
        std::hint::black_box(format!("{refusal:?}"));
    }
}

/// Reads SARIF logs of earlier runs.
pub fn baseline(data: &[u8]) {
    let Some(text) = text(data) else { return };
    std::hint::black_box(heddle_report::sarif::Baseline::parse(&text).is_ok());
}
