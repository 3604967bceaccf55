//! Flags and their help texts.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use heddle_ir::{DataModel, PropertySet};

/// A verifier for multithreaded C: considers every thread interleaving.
#[derive(Parser, Debug)]
#[command(name = "heddle", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Print what the verifier sees of a program
    Show(ShowArgs),
}

/// What makes up the program.
#[derive(Args, Debug, Clone)]
pub struct InputArgs {
    /// C files (.c is preprocessed with cc, .i is taken as it is); several are linked
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Search DIR for headers
    #[arg(short = 'I', value_name = "DIR", help_heading = "Preprocessing")]
    pub include_dirs: Vec<PathBuf>,

    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Preprocessing")]
    pub defines: Vec<String>,

    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", help_heading = "Preprocessing")]
    pub undefines: Vec<String>,

    /// Include FILE first
    #[arg(long = "include", value_name = "FILE", help_heading = "Preprocessing")]
    pub includes: Vec<PathBuf>,

    /// The C standard that cc is told, such as gnu11
    #[arg(long = "std", value_name = "STD", help_heading = "Preprocessing")]
    pub std: Option<String>,

    /// Sizes of the basic types
    #[arg(long, value_name = "MODEL", default_value = "lp64", value_parser = parse_data_model)]
    pub data_model: DataModel,

    /// Properties to check, separated by commas: assert, deadlock, lock, memory, division, race, overflow, leak, uninit;
    /// `default` for the default set, `all` for all
    #[arg(long = "property", value_name = "LIST", default_value_t = PropertySet::default())]
    pub properties: PropertySet,

    /// Let malloc and its relatives also return null
    #[arg(long)]
    pub malloc_may_fail: bool,

    /// Do not show warnings
    #[arg(short = 'w', long = "no-warnings")]
    pub no_warnings: bool,
}

/// Arguments of `heddle show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// What to print
    #[arg(value_enum)]
    pub what: ShowWhat,

    /// The program
    #[command(flatten)]
    pub input: InputArgs,

    /// Print Graphviz instead of text (cfg and threads)
    #[arg(long)]
    pub dot: bool,

    /// Print also what comes from library models, and functions that are never called
    #[arg(long)]
    pub all: bool,

    /// Leave out source places
    #[arg(long)]
    pub no_locs: bool,
}

/// What `heddle show` can print.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShowWhat {
    /// The goto program
    Goto,
    /// Control flow graphs
    Cfg,
    /// Loops, with the names that --unwindset takes
    Loops,
    /// Threads, who starts them, and which can run at once
    Threads,
    /// Objects and accesses that threads share
    Shared,
}

fn parse_data_model(text: &str) -> Result<DataModel, String> {
    match text {
        "lp64" => Ok(DataModel::Lp64),
        "ilp32" => Ok(DataModel::Ilp32),
        _ => Err("expected lp64 or ilp32".to_owned()),
    }
}
