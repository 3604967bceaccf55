//! [DEFUSE Table II] Every family has one order violation, and a campaign finds it; without it (`-DBUG=0`) there is none.

use std::path::Path;
use std::time::Duration;

use heddle_base::Budget;
use heddle_c_front::preprocess::{CppConfig, CppFlag, preprocess};
use heddle_c_front::{Input, Options, compile};
use heddle_defuse::{Campaign, DefuseConfig};
use heddle_ir::Property;

/// File, macros.
const FAMILIES: [(&str, &[&str]); 22] = [
    ("account", &[]),
    ("arithmetic", &[]),
    ("banking", &[]),
    ("twostage", &["N=3"]),
    ("twostage", &["N=10"]),
    ("lazy", &[]),
    ("micro", &["N=5"]),
    ("queue", &[]),
    ("reorder", &["N=2"]),
    ("reorder", &["N=20"]),
    ("stack", &[]),
    ("stateful", &[]),
    ("token_ring", &[]),
    ("blackscholes", &[]),
    ("lu", &["BUG=1"]),
    ("lu", &["BUG=2"]),
    ("lu", &["BUG=1", "CONTIGUOUS=0"]),
    ("fft", &["BUG=1"]),
    ("fft", &["BUG=2"]),
    ("radix", &["BUG=1"]),
    ("radix", &["BUG=2"]),
    ("pfscan", &[]),
];

fn campaign(name: &str, macros: &[&str], budget: &Budget) -> heddle_defuse::Report {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/defuse");
    let flags = macros.iter().map(|text| CppFlag::Define((*text).to_owned())).collect();
    let cpp = CppConfig { flags, ..CppConfig::from_env(heddle_ir::DataModel::Lp64) };
    let text = preprocess(&folder.join(format!("{name}.c")), &cpp).unwrap_or_else(|error| panic!("{error}"));
    let input = Input { name: text.name, text: text.text, original: text.original };
    let mut program = compile(vec![input], Options::default()).program.expect("no errors");
    heddle_ir::passes::standard(&mut program);
    let config = DefuseConfig::default();
    let (report, _) = Campaign::new(&program, &config, budget).unwrap().run(&|_| {});
    assert_eq!(report.statistics.unconfirmed, 0, "{name} {macros:?}");
    report
}

#[test]
fn every_order_violation_is_found() {
    for (name, macros) in FAMILIES {
        let report = campaign(name, macros, &Budget::unlimited());
        assert_eq!(report.cut, None, "{name} {macros:?}");
        let found: Vec<_> = report.violations.iter().map(|(found, _)| found.violation.property).collect();
        assert!(found.contains(&Property::Assert), "{name} {macros:?}: {found:?}");
    }
}

/// How long a violation is looked for where there is none: some of these campaigns take minutes, and say the same from the start.
const IN_VAIN: Duration = Duration::from_secs(2);

#[test]
fn without_its_violation_a_program_has_none() {
    for (name, macros) in FAMILIES {
        let others = macros.iter().filter(|text| !text.starts_with("BUG"));
        let macros: Vec<&str> = others.copied().chain(["BUG=0"]).collect();
        let report = campaign(name, &macros, &Budget::unlimited().with_time(IN_VAIN));
        let found: Vec<_> = report.violations.iter().map(|(found, _)| &found.violation).collect();
        assert!(found.is_empty(), "{name} {macros:?}: {found:?}");
    }
}
