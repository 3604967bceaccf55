//! What a database refuses, beside what the command line can show.

use heddle_defuse::database::{Database, DatabaseError};
use rusqlite::Connection;

fn fake(schema: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let connection = Connection::open(file.path()).expect("opened");
    connection.execute_batch("create table meta (key text primary key, value text not null)").expect("made");
    connection.execute("insert into meta values ('schema', ?)", [schema]).expect("written");
    connection.execute("insert into meta values ('fingerprint', '0000000000000001')", []).expect("written");
    file
}

#[test]
fn another_schema_or_program_is_refused() {
    let newer = fake("99");
    assert!(matches!(Database::open(newer.path()), Err(DatabaseError::Schema(_, 99))));
    let other = fake("1");
    let database = Database::open(other.path()).expect("schema 1");
    assert!(database.expect_program(1).is_ok());
    assert!(matches!(database.expect_program(2), Err(DatabaseError::OtherProgram(_))));
}

#[test]
fn a_locked_database_is_named_as_such() {
    let file = fake("1");
    let writer = Connection::open(file.path()).expect("opened");
    writer.execute_batch("begin exclusive").expect("locked");
    let Err(error) = Database::open(file.path()) else { panic!("it is locked") };
    assert!(matches!(error, DatabaseError::Locked(_)), "{error}");
    assert!(error.to_string().contains("another process has locked it"));
}
