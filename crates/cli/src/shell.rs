//! What shells and `man` need: `heddle completions SHELL` and the hidden `heddle man DIR`.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::args::Cli;
use crate::{Outcome, output};

/// Arguments of `heddle completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Arguments of `heddle man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// Where the pages are written
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// `heddle completions`: a script for the shell, on standard output.
pub fn completions(args: &CompletionsArgs) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "heddle", &mut script);
    output::answer(&String::from_utf8_lossy(&script));
    Outcome::Done
}

/// `heddle man`: one page for the program and one for each command.
pub fn man(args: &ManArgs) -> Outcome {
    match pages(&args.folder) {
        Ok(()) => Outcome::Done,
        Err(error) => {
            eprintln!("error: {}: {error}", args.folder.display());
            Outcome::BadInput
        }
    }
}

fn pages(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let commands: Vec<clap::Command> =
        program.get_subcommands().filter(|command| !command.is_hide_set()).cloned().collect();
    page(folder, "heddle", program)?;
    for command in commands {
        let name = format!("heddle-{}", command.get_name());
        page(folder, &name, command)?;
    }
    Ok(())
}

fn page(folder: &Path, name: &str, command: clap::Command) -> std::io::Result<()> {
    let mut text = Vec::new();
    let title: &'static str = Box::leak(name.to_owned().into_boxed_str());
    clap_mangen::Man::new(command.name(title)).title(name.to_uppercase()).render(&mut text)?;
    output::save(&folder.join(format!("{name}.1")), &String::from_utf8_lossy(&text))
}
