//! `heddle defuse`, `heddle query`, `heddle replay --pair` as a user calls them, bad input included.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn heddle(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_heddle")).args(arguments).output().expect("heddle runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("defuse_{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

const PROGRAM: &str = "typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int flag, data;
void *writer(void *p) {
  data = 7;
  flag = 1;
  return 0;
}
void *reader(void *p) {
  if (flag)
    data = data + 1;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
";

fn with_database(name: &str) -> (String, String, PathBuf) {
    let folder = folder(name);
    let (program, db) = (folder.join("program.i"), folder.join("program.db"));
    fs::write(&program, PROGRAM).expect("written");
    let (program, db) = (program.display().to_string(), db.display().to_string());
    let out = heddle(&["defuse", &program, "--db", &db]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    (program, db, folder)
}

#[test]
fn pairs_are_stored_asked_for_and_replayed() {
    let (program, db, folder) = with_database("stored");
    let out = heddle(&["query", &db, "pairs of flag", "--json"]);
    let rows: serde_json::Value = serde_json::from_str(&text(&out.stdout)).expect("JSON");
    let rows = rows.as_array().expect("an array");
    let shown: Vec<(i64, i64)> =
        rows.iter().map(|row| (row["def_line"].as_i64().unwrap(), row["use_line"].as_i64().unwrap())).collect();
    assert_eq!(shown, [(0, 11), (7, 11)]);
    let implicit = rows.iter().find(|row| row["status"] == "implicit").expect("one is predicted");
    let out = heddle(&["replay", &program, "--db", &db, "--pair", &implicit["id"].to_string()]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert!(text(&out.stdout).contains("read `flag` = 0"), "{}", text(&out.stdout));
    let (page, lcov) = (folder.join("page.html").display().to_string(), folder.join("out.lcov").display().to_string());
    let out = heddle(&["defuse", &program, "--report", &page, "--lcov", &lcov, "--json", "--exhaustive"]);
    let answer: serde_json::Value = serde_json::from_str(&text(&out.stdout)).expect("JSON");
    assert_eq!(answer["complete"], true);
    let page = fs::read_to_string(page).expect("written");
    assert!(page.contains("\"variable\":\"flag\"") && !page.contains("/*DATA*/"));
    assert!(fs::read_to_string(lcov).expect("written").contains("BRDA:11,"));
}

#[test]
fn campaigns_resume_and_differences_show() {
    let (program, db, folder) = with_database("resumed");
    let before = text(&heddle(&["query", &db, "pairs covered"]).stdout);
    let out = heddle(&["defuse", &program, "--db", &db, "--resume"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert_eq!(text(&heddle(&["query", &db, "pairs covered"]).stdout), before);
    let newer = folder.join("newer.i").display().to_string();
    fs::write(&newer, PROGRAM.replace("flag = 1;", "flag = 1;\n  data = 8;")).expect("written");
    let newer_db = folder.join("newer.db").display().to_string();
    assert_eq!(heddle(&["defuse", &newer, "--db", &newer_db]).status.code(), Some(0));
    let out = heddle(&["query", &newer_db, "new", "--diff", &db]);
    let shown = text(&out.stdout);
    assert!(shown.contains("data = 8;") && !shown.contains("data = 7;"), "{shown}");
}

#[test]
fn bad_input_is_refused() {
    let (program, db, folder) = with_database("refused");
    let refused = |arguments: &[&str], why: &str| {
        let out = heddle(arguments);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        assert!(text(&out.stderr).contains(why), "{arguments:?}: {}", text(&out.stderr));
    };
    refused(&["query", &db, "pairs betwen a and b"], "  pairs betwen a and b\n        ^");
    refused(&["query", &db, "--sql", "delete from pairs"], "only statements that read are allowed");
    refused(&["query", &db, "--sql", "selec 1"], "syntax error");
    refused(&["query", "/nonexistent.db", "pairs"], "there is no such file");
    refused(&["replay", &program, "--db", &db, "--pair", "999"], "no execution shows a pair 999");
    let other = folder.join("other.i").display().to_string();
    fs::write(&other, PROGRAM.replace("data = 7", "data = 9")).expect("written");
    refused(&["defuse", &other, "--db", &db], "another program");
    let bytes = fs::read(&db).expect("a database");
    let torn = folder.join("torn.db").display().to_string();
    fs::write(&torn, &bytes[..bytes.len() / 2]).expect("written");
    refused(&["query", &torn, "pairs"], "not a database of `heddle defuse`");
    fs::write(&torn, "no database at all").expect("written");
    refused(&["query", &torn, "pairs"], "not a database of `heddle defuse`");
    refused(&["defuse", &program, "--db", "/nonexistent/folder/x.db"], "cannot be written");
    refused(&["defuse", &program, "--fail-under", "120"], "expected a percentage");
    assert_eq!(fs::read(&db).expect("still there"), bytes);
    let out = heddle(&["defuse", &program, "--fail-under", "100"]);
    assert_eq!(out.status.code(), Some(if text(&out.stdout).contains("coverage      100.0 %") { 0 } else { 1 }));
}

/// A limit on the size of files stands for a full disk.
#[test]
fn a_full_disk_loses_nothing() {
    let (program, db, folder) = with_database("full");
    let bytes = fs::read(&db).expect("a database");
    let command =
        format!("trap '' XFSZ; ulimit -f 8; exec {} defuse {program} --db {db}", env!("CARGO_BIN_EXE_heddle"));
    let out = Command::new("sh").args(["-c", &command]).output().expect("a shell runs");
    assert_eq!(out.status.code(), Some(2), "{}", text(&out.stdout));
    assert!(text(&out.stderr).contains("program.db: cannot be written: "), "{}", text(&out.stderr));
    assert_eq!(fs::read(&db).expect("still there"), bytes);
    let mut left: Vec<_> = fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").file_name()).collect();
    left.sort();
    assert_eq!(left, ["program.db", "program.i"]);
}
