//! What the terminal can show: its width, and whether colours are wanted.

use std::io::IsTerminal;

use heddle_report::TextOptions;

/// How executions look on standard output. Without a terminal the text depends on nothing.
pub fn text_options(all: bool) -> TextOptions {
    let usual = TextOptions { all, ..TextOptions::default() };
    if !std::io::stdout().is_terminal() {
        return usual;
    }
    let columns = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    TextOptions { width: columns.map_or(usual.width, |columns| columns.max(60)), color: wants_color(), ..usual }
}

/// Whether a terminal may show colours: `NO_COLOR` (<https://no-color.org>) and dumb terminals say no.
pub fn wants_color() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
