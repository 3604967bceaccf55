//! The binary `heddle`.

use std::process::ExitCode;

fn main() -> ExitCode {
    heddle_cli::main()
}
