//! `heddle show`.

use std::io::Write;

use heddle_base::{Budget, Stop};
use heddle_encode::Formula;
use heddle_encode::describe::View;
use heddle_ir::Visibility;
use heddle_ir::analysis::Analysis;
use heddle_ir::show::{ShowOptions, cfg_dot, cfg_text, loops_text, shared_text, threads_dot, threads_text};
use heddle_ir::text::{PrintOptions, print_with};
use heddle_ir::{Program, Property};
use heddle_solver::Terms;
use heddle_symbolic::unwind::{Addressing, Knowledge, UnwindConfig, unwind};
use heddle_task::Reason;

use crate::args::{ShowArgs, ShowWhat};
use crate::{Outcome, input};

/// Steps after which unwinding for `show events` gives up: nobody reads more.
const MAX_STEPS: u64 = 200_000;

/// Runs the command.
pub fn run(args: &ShowArgs) -> Outcome {
    if args.dot && !matches!(args.what, ShowWhat::Cfg | ShowWhat::Threads | ShowWhat::Events) {
        eprintln!("error: --dot goes with `show cfg`, `show threads` and `show events`");
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
        ShowWhat::Events => match events(args, &program) {
            Ok(text) => text,
            Err(stop) => {
                eprintln!("error: {}", Reason::from(stop));
                return Outcome::Undecided;
            }
        },
    };
    // A reader that went away (`| head`) is no error of ours.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    Outcome::Done
}

/// The event graph, as text or for Graphviz.
fn events(args: &ShowArgs, program: &Program) -> Result<String, Stop> {
    let visibility = Visibility::analysed(program, &Analysis::new(program).sharing);
    let config = UnwindConfig {
        unwind: args.unwind,
        unwindset: Vec::new(),
        properties: args.input.properties,
        max_steps: MAX_STEPS,
        thread_steps: None,
        deadlocks: args.input.properties.contains(Property::Deadlock),
        domains: Vec::new(),
    };
    let (mut terms, mut knowledge, budget) = (Terms::new(), Knowledge::new(program), Budget::unlimited());
    let mut unwinding = unwind(program, &visibility, &config, &mut knowledge, &mut terms, &budget)?;
    let mut targets = std::mem::take(&mut unwinding.targets);
    let mut at = Addressing { terms: &mut terms, knowledge: &knowledge, targets: &mut targets, model: program.model };
    let formula = Formula::new(&mut unwinding, &mut at, false, &budget)?;
    let mut view = View::new(program, &unwinding, &formula, at);
    Ok(if args.dot { view.dot() } else { view.text() })
}
