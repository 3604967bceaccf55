//! From files named on the command line to a program.

use std::io::{IsTerminal, Write};

use heddle_c_front::preprocess::{CppConfig, CppFlag, preprocess};
use heddle_c_front::render::{RenderConfig, render};
use heddle_c_front::{Compiled, Input, Options, Severity, compile_here};
use heddle_ir::Program;
use heddle_ir::Visibility;
use heddle_ir::analysis::Analysis;
use heddle_machine::Code;

use crate::args::InputArgs;

/// Reads and compiles the program. Errors and warnings go to standard error; `None` if there were errors.
pub fn load(args: &InputArgs, main_args: Option<Vec<String>>) -> Option<Program> {
    let mut cpp = CppConfig::from_env(args.data_model);
    cpp.std.clone_from(&args.std);
    cpp.flags.extend(args.include_dirs.iter().cloned().map(CppFlag::Directory));
    cpp.flags.extend(args.undefines.iter().cloned().map(CppFlag::Undefine));
    cpp.flags.extend(args.defines.iter().cloned().map(CppFlag::Define));
    cpp.flags.extend(args.includes.iter().cloned().map(CppFlag::Include));
    let mut inputs = Vec::new();
    let mut readable = true;
    for file in &args.files {
        match preprocess(file, &cpp) {
            Ok(text) => {
                eprint!("{}", text.messages);
                inputs.push(Input { name: text.name, text: text.text, original: text.original });
            }
            Err(error) => {
                eprintln!("error: {error}");
                readable = false;
            }
        }
    }
    if !readable {
        return None;
    }
    let options = Options {
        data_model: args.data_model,
        properties: args.properties,
        malloc_may_fail: args.malloc_may_fail,
        main_args,
    };
    // The command runs on a stack that is large enough.
    let compiled = compile_here(inputs, options);
    report(&compiled, args.no_warnings);
    let mut program = compiled.program?;
    heddle_ir::passes::standard(&mut program);
    Some(program)
}

/// The program as the machine executes it.
pub fn code(program: &Program) -> Code {
    heddle_machine::compile(program, &Visibility::analysed(program, &Analysis::new(program).sharing))
}

fn report(compiled: &Compiled, no_warnings: bool) {
    let stderr = std::io::stderr();
    let config = RenderConfig { color: stderr.is_terminal(), ..RenderConfig::default() };
    let mut out = stderr.lock();
    for diagnostic in compiled.diagnostics.iter() {
        if diagnostic.severity == Severity::Error || !no_warnings {
            // Nothing sensible is left to do if standard error is gone.
            let _ = out.write_all(render(diagnostic, &compiled.sources, config).as_bytes());
        }
    }
    let errors = compiled.diagnostics.error_count();
    if errors > 0 {
        let plural = if errors == 1 { "" } else { "s" };
        let _ = writeln!(out, "{errors} error{plural}");
    }
}
