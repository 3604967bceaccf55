//! `cargo xtask results boolprog`: Boolean programs, [BOOLPROG Table 4] and the families of `boolprog::stress::families`.

use std::fmt::Write;

use heddle_boolprog::stress::families::FAMILIES;

use super::child::{Answer, Heddle, Kind, Limits};
use super::document::write_section;
use crate::flags::Flags;

/// Family, size, seconds and symbolic thread states of the paper.
const TABLE_4: [(&str, usize, &str, u32); 8] = [
    ("ART-PC", 10, "< 0.1", 21),
    ("ART-PC", 20, "< 0.1", 31),
    ("ART-PC", 100, "0.2", 111),
    ("ART-PC", 1000, "8.3", 1011),
    ("ART-V", 10, "0.1", 29),
    ("ART-V", 20, "0.3", 49),
    ("ART-V", 100, "5.3", 209),
    ("ART-V", 1000, "3508.1", 2009),
];

/// Family, size, and the CPU seconds that it may take.
const BARS: [(&str, usize, f64); 2] = [("ART-PC", 1000, 0.5), ("ART-V", 1000, 1.0)];

/// What grows, the family that shows it, and its sizes.
const GROWTH: [(&str, &str, &[usize]); 4] = [
    ("globals", "ART-V", &[10, 30, 100, 300, 1000, 3000, 10_000]),
    ("locals", "VARS", &[10, 20, 40, 80, 160, 320]),
    ("locations", "ART-PC", &[10, 30, 100, 300, 1000, 3000, 10_000]),
    ("locks", "LOCKS", &[5, 10, 20, 40, 80, 160]),
];

/// Measures and writes the section. A wrong verdict fails it.
pub fn run(mut flags: Flags) -> Result<(), String> {
    let seconds = flags.number("--seconds", 10)?;
    let binary = flags.text("--binary");
    let only = flags.text("--family");
    flags.finish()?;
    // CPU seconds count; the clock only ends what does not get any.
    let heddle = Heddle::given(binary, Limits { cpu: seconds, clock: 10 * seconds })?;
    let mut out = format!("{}\n\n", super::machine());
    let _ = writeln!(
        out,
        "Each program has threads without bound. *sets* are locations (and flags of Remark 1) with at least one thread state, *added* is how often \
         one of them grew; *sat* are parametric formulas instead of decision diagrams (`--sets sat`), σ̃ their number. *wrong* is the same program with a \
         violation; *threads* is how many its derivation from recorded parents has, with * if the referee confirmed it at once. CPU seconds and megabytes \
         of the whole process; ∞ is more than {seconds} s.\n"
    );
    let mut wrong = Vec::new();
    let mut bars = String::new();
    for family in FAMILIES.iter().filter(|f| only.as_deref().is_none_or(|name| name == f.name)) {
        let _ = writeln!(out, "### {}: {}\n", family.name, family.about);
        out.push_str("| n | verdict | s | MB | sets | added | paper: s | σ̃ | sat: verdict | s | σ̃ | wrong: verdict | s | threads |\n");
        out.push_str("|--:|---|--:|--:|--:|--:|--:|--:|---|--:|--:|---|--:|--:|\n");
        for &size in family.sizes {
            let right = measure(&heddle, family.text, size, false, &[])?;
            let violated = measure(&heddle, family.text, size, true, &[])?;
            if right.kind == Kind::Unsafe || right.kind == Kind::Crash {
                wrong.push(format!("{}-{size}: {:?} {}", family.name, right.kind, right.why));
            }
            if violated.kind == Kind::Safe || violated.kind == Kind::Crash {
                wrong.push(format!("{}-{size} wrong: {:?} {}", family.name, violated.kind, violated.why));
            }
            let sat = measure(&heddle, family.text, size, false, &["--sets", "sat"])?;
            if sat.kind == Kind::Unsafe || sat.kind == Kind::Crash {
                wrong.push(format!("{}-{size} with formulas: {:?} {}", family.name, sat.kind, sat.why));
            }
            let paper = TABLE_4.iter().find(|(name, n, ..)| *name == family.name && *n == size);
            let (paper_seconds, paper_states) =
                paper.map_or((String::new(), String::new()), |(_, _, s, n)| ((*s).to_owned(), n.to_string()));
            let figure = |answer: &Answer, name: &str| answer.figure(name).map_or(String::new(), |n| format!("{n:.0}"));
            let _ = writeln!(
                out,
                "| {size} | {} | {} | {} | {} | {} | {paper_seconds} | {paper_states} | {} | {} | {} | {} | {} | {}{} |",
                word(&right),
                time(&right),
                figure(&right, "memory.peak_mb"),
                figure(&right, "bp.sets"),
                figure(&right, "bp.symbolic_states"),
                word(&sat),
                time(&sat),
                figure(&sat, "bp.symbolic_states"),
                word(&violated),
                time(&violated),
                figure(&violated, "bp.derived_threads"),
                if violated.figure("bp.derivation_confirmed") == Some(1.0) { "*" } else { "" },
            );
            if let Some((.., limit)) = BARS.iter().find(|(name, n, _)| *name == family.name && *n == size) {
                let met = if right.kind == Kind::Safe && right.cpu <= *limit { "yes" } else { "no" };
                let _ = writeln!(bars, "| {}-{size} | {limit} | {:.2} | {met} |", family.name, right.cpu);
            }
        }
        out.push('\n');
    }
    let _ = writeln!(out, "### Bars\n\n| program | limit s | measured s | met |\n|---|--:|--:|---|\n{bars}");
    if only.is_none() {
        growth(&heddle, &mut out)?;
    }
    if only.is_some() {
        print!("{out}");
    } else {
        write_section("Boolean programs", &out)?;
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Curves: one line a size, both kinds of sets, on a logarithmic scale.
fn growth(heddle: &Heddle, out: &mut String) -> Result<(), String> {
    out.push_str(
        "### Growth\n\nCPU seconds of programs that are safe; a bar grows by one for each factor of two above 0.005 s.\n",
    );
    for (what, name, sizes) in GROWTH {
        let family = FAMILIES.iter().find(|f| f.name == name).ok_or_else(|| format!("no family {name}"))?;
        let _ = writeln!(out, "\n{what} ({name}-n)\n\n```text");
        for (sets, flags) in [("bdd", &[][..]), ("sat", &["--sets", "sat"][..])] {
            for &size in sizes {
                let answer = measure(heddle, family.text, size, false, flags)?;
                let bar = (answer.cpu / 0.005).log2().max(0.0).round() as usize;
                let bar = if answer.kind == Kind::Safe { "█".repeat(bar) } else { word(&answer).to_owned() };
                let _ = writeln!(out, "{sets} {size:>6} {:>7} {bar}", time(&answer));
                if answer.kind != Kind::Safe {
                    break;
                }
            }
        }
        out.push_str("```\n");
    }
    out.push('\n');
    Ok(())
}

fn measure(
    heddle: &Heddle,
    text: fn(usize, bool) -> String,
    size: usize,
    wrong: bool,
    flags: &[&str],
) -> Result<Answer, String> {
    let file = std::env::temp_dir().join(format!("heddle-family-{}.bp", std::process::id()));
    std::fs::write(&file, text(size, wrong)).map_err(|error| format!("{}: {error}", file.display()))?;
    let path = file.display().to_string();
    let answer = heddle.check("assert", flags.iter().copied().chain([path.as_str()]));
    let _ = std::fs::remove_file(&file);
    answer
}

fn word(answer: &Answer) -> &'static str {
    match answer.kind {
        Kind::Safe => "SAFE",
        Kind::Within => "WITHIN",
        Kind::Unsafe => "UNSAFE",
        Kind::Unknown => "UNKNOWN",
        Kind::Limit => "∞",
        Kind::Crash => "crash",
    }
}

fn time(answer: &Answer) -> String {
    if answer.kind == Kind::Limit { "∞".to_owned() } else { format!("{:.2}", answer.cpu) }
}
