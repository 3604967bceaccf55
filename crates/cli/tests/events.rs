//! `corpus/events/`: what `heddle show events` prints, as text and for Graphviz.
//!
//! `HEDDLE_BLESS=1 cargo test -p heddle --test events` writes what is printed now; read the difference before committing it.

use std::path::Path;
use std::process::Command;

#[test]
fn events_are_shown() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/events");
    for program in ["counter", "lock", "places"] {
        for (flag, ending) in [(None, "txt"), (Some("--dot"), "dot")] {
            let output = Command::new(env!("CARGO_BIN_EXE_heddle"))
                .current_dir(&folder)
                .args(["show", "events", "-w", "--property", "assert,memory", &format!("{program}.c")])
                .args(flag)
                .output()
                .expect("heddle runs");
            let shown = String::from_utf8(output.stdout).expect("text");
            assert_eq!(output.status.code(), Some(0), "{program}: {}", String::from_utf8_lossy(&output.stderr));
            let golden = folder.join(format!("{program}.{ending}"));
            if std::env::var_os("HEDDLE_BLESS").is_some() {
                std::fs::write(&golden, &shown).expect("writable");
            }
            let expected = std::fs::read_to_string(&golden).unwrap_or_default();
            assert!(shown == expected, "{} differs (HEDDLE_BLESS=1 writes it):\n{shown}", golden.display());
        }
    }
}

/// `corpus/events/rules/`: one program for each rule that leaves something out before any formula exists, and with `-DKEPT` its
/// twin, in which it must stay.
#[test]
fn rules_leave_out_what_no_execution_has_and_nothing_else() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/events/rules");
    let mut programs: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder is there")
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".c").map(str::to_owned))
        .collect();
    programs.sort();
    assert!(programs.len() >= 8, "{programs:?}");
    for program in programs {
        let [left_out, kept] = [None, Some("-DKEPT")].map(|define| {
            let output = Command::new(env!("CARGO_BIN_EXE_heddle"))
                .current_dir(&folder)
                .args(["show", "events", "-w", "--property", "assert", &format!("{program}.c")])
                .args(define)
                .output()
                .expect("heddle runs");
            assert_eq!(output.status.code(), Some(0), "{program}: {}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).expect("text")
        });
        let reads = |text: &str| text.split("reads:").nth(1).unwrap_or_default().to_owned();
        assert_ne!(reads(&left_out), reads(&kept), "{program}: the twin differs in nothing");
        let shown = format!("{left_out}\n======== KEPT ========\n{kept}");
        let golden = folder.join(format!("{program}.txt"));
        if std::env::var_os("HEDDLE_BLESS").is_some() {
            std::fs::write(&golden, &shown).expect("writable");
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        assert!(shown == expected, "{} differs (HEDDLE_BLESS=1 writes it):\n{shown}", golden.display());
    }
}
