//! `heddle show`.

use std::io::Write;

use heddle_ir::analysis::Analysis;
use heddle_ir::show::{ShowOptions, cfg_dot, cfg_text, loops_text, shared_text, threads_dot, threads_text};
use heddle_ir::text::{PrintOptions, print_with};

use crate::args::{ShowArgs, ShowWhat};
use crate::{Outcome, input};

/// Runs the command.
pub fn run(args: &ShowArgs) -> Outcome {
    if args.dot && !matches!(args.what, ShowWhat::Cfg | ShowWhat::Threads) {
        eprintln!("error: --dot goes with `show cfg` and `show threads`");
        return Outcome::BadInput;
    }
    let Some(program) = input::load(&args.input, None) else { return Outcome::BadInput };
    let options = ShowOptions { models: args.all, unreachable: args.all };
    let text = match args.what {
        ShowWhat::Goto => {
            let base = if args.all { PrintOptions::FULL } else { PrintOptions::SHOW };
            print_with(&program, PrintOptions { locations: !args.no_locs, ..base })
        }
        ShowWhat::Cfg if args.dot => cfg_dot(&program, options),
        ShowWhat::Cfg => cfg_text(&program, options),
        ShowWhat::Loops => loops_text(&program, options),
        ShowWhat::Threads if args.dot => threads_dot(&program, &Analysis::new(&program)),
        ShowWhat::Threads => threads_text(&program, &Analysis::new(&program)),
        ShowWhat::Shared => shared_text(&program, &Analysis::new(&program), options),
    };
    // A reader that went away (`| head`) is no error of ours.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    Outcome::Done
}
