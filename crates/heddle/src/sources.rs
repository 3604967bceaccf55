//! From files or texts to a program.

use std::path::Path;

use heddle_c_front::preprocess::{CppConfig, preprocess};
use heddle_c_front::render::{RenderConfig, render};
use heddle_c_front::{Compiled, Input, Options as FrontOptions, compile_here};

use crate::{Error, Options};

/// The texts that make up a program, preprocessed.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The texts, each with its name.
    pub inputs: Vec<Input>,
}

impl Sources {
    /// Files, preprocessed as the configuration says; a file `.i` is taken as it is.
    pub fn files(paths: &[impl AsRef<Path>], config: &CppConfig) -> Result<Self, Error> {
        let mut inputs = Vec::new();
        for path in paths {
            let text = preprocess(path.as_ref(), config).map_err(|error| Error::Read(error.to_string()))?;
            inputs.push(Input { name: text.name, text: text.text, original: text.original });
        }
        Ok(Sources { inputs })
    }

    /// A single text that is preprocessed already.
    pub fn text(name: &str, text: &str) -> Self {
        Sources { inputs: vec![Input { name: name.to_owned(), text: text.to_owned(), original: None }] }
    }

    /// Compiles and simplifies the program, on the caller's stack. Errors are among the diagnostics.
    pub fn compile_here(self, options: &Options) -> Compiled {
        let front = FrontOptions {
            data_model: options.data_model,
            properties: options.properties,
            malloc_may_fail: options.malloc_may_fail,
            main_args: options.main_args.clone(),
            missing: options.missing,
            stubs: options.stubs.clone(),
            harness: options.harness.clone(),
            purpose: options.purpose,
        };
        let mut compiled = compile_here(self.inputs, front);
        if let Some(program) = &mut compiled.program {
            heddle_ir::passes::standard(program);
        }
        compiled
    }
}

/// All diagnostics, as a compiler prints them.
pub(crate) fn diagnostics(compiled: &Compiled) -> String {
    compiled.diagnostics.iter().map(|one| render(one, &compiled.sources, RenderConfig::default())).collect()
}
