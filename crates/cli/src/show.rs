//! `heddle show`.

use std::io::Write;

use heddle::{Options, ShowOptions, What, program};

use crate::args::{ShowArgs, ShowWhat};
use crate::{Outcome, input};

/// Runs the command.
pub fn run(args: &ShowArgs) -> Outcome {
    if args.dot && !matches!(args.what, ShowWhat::Cfg | ShowWhat::Threads | ShowWhat::Events) {
        eprintln!("error: --dot goes with `show cfg`, `show threads` and `show events`");
        return Outcome::BadInput;
    }
    let Some(program) = input::load(&args.input, None) else { return Outcome::BadInput };
    let options = Options { properties: args.input.properties, ..Options::default() };
    let what = match args.what {
        ShowWhat::Goto => What::Goto,
        ShowWhat::Cfg => What::Cfg,
        ShowWhat::Loops => What::Loops,
        ShowWhat::Threads => What::Threads,
        ShowWhat::Shared => What::Shared,
        ShowWhat::Events => What::Events,
    };
    let view = ShowOptions { what, dot: args.dot, unwind: args.unwind, all: args.all, locations: !args.no_locs };
    let text = match program::show(&program, &options, &view) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("error: {error}");
            return Outcome::Undecided;
        }
    };
    // A reader that went away (`| head`) is no error of ours.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    Outcome::Done
}
