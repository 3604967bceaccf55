//! `heddle show`.

use std::io::Write;

use heddle_ir::text::{PrintOptions, print_with};

use crate::args::{ShowArgs, ShowWhat};
use crate::{Outcome, input};

/// Runs the command.
pub fn run(args: &ShowArgs) -> Outcome {
    let Some(program) = input::load(&args.input, None) else { return Outcome::BadInput };
    let text = match args.what {
        ShowWhat::Goto => {
            let base = if args.all { PrintOptions::FULL } else { PrintOptions::SHOW };
            print_with(&program, PrintOptions { locations: !args.no_locs, ..base })
        }
        _ => String::new(),
    };
    // A reader that went away (`| head`) is no error of ours.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    Outcome::Done
}
