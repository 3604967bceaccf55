//! The database of a campaign: an SQLite file with a documented, versioned schema (`docs/defuse.md`).
//!
//! Written to a file of its own and renamed, so a reader or an interrupted writer never sees half of one.
//!
//! **Invariant:** what is stored is what the machine has executed; `status` says which pairs were not.

use std::path::{Path, PathBuf};

use heddle_base::Id;
use heddle_ir::{FuncId, Program, StepId};
use heddle_task::{CodeSite, Schedule};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};
use rustc_hash::FxHashMap;

use crate::campaign::{Covered, Execution, Purpose, Report, Status};
use crate::pairs::{Pair, Point};
use crate::statics::{Escort, Statics};

/// The version of the schema.
pub const SCHEMA: i64 = 1;

const TABLES: &str = "
create table meta (key text primary key, value text not null);
create table sites (id integer primary key, func integer not null, step integer not null, function text not null, file text not null, line integer not null,
  column integer not null, source text not null);
create table definitions (id integer primary key, variable text not null, site integer references sites, class text not null);
create table uses (id integer primary key, variable text not null, site integer not null references sites, class text not null);
create table executions (id integer primary key, purpose text not null, outcome text not null, steps integer not null,
  tested integer not null, schedule text not null);
create table pairs (id integer primary key, definition integer not null references definitions,
  use integer not null references uses, status text not null check (status in ('explicit', 'implicit', 'infeasible', 'unknown')),
  execution integer references executions, step integer);
create table branches (id integer primary key, site integer not null references sites, direction text not null,
  taken integer not null);
create table branch_pairs (id integer primary key, first integer not null references branches,
  second integer not null references branches, covered integer not null);
create table warnings (id integer primary key, invariant text not null, text text not null, first integer references executions,
  second integer references executions);
create view flow as
  select pairs.id as id, uses.variable as variable, coalesce(d.line, 0) as def_line, coalesce(d.file, '') as def_file,
    definitions.class as def_class, u.line as use_line, u.file as use_file, uses.class as use_class, pairs.status as status,
    pairs.execution as execution, coalesce(d.source, 'initial value') as def_source, u.source as use_source
  from pairs join definitions on definitions.id = pairs.definition join uses on uses.id = pairs.use
    left join sites d on d.id = definitions.site join sites u on u.id = uses.site;
";

/// A database cannot be used.
#[derive(Debug)]
pub enum DatabaseError {
    /// It cannot be opened or read as a database.
    Unreadable(PathBuf, String),
    /// It is of another schema.
    Schema(PathBuf, i64),
    /// It was made for another program.
    OtherProgram(PathBuf),
    /// Another process has it locked.
    Locked(PathBuf),
    /// It cannot be written.
    Write(PathBuf, String),
    /// An SQL statement is wrong or not allowed.
    Sql(String),
}

impl std::fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DatabaseError::Unreadable(path, why) => {
                write!(f, "{}: not a database of `heddle defuse`: {why}", path.display())
            }
            DatabaseError::Schema(path, version) => {
                write!(f, "{}: its schema has version {version}, this program knows version {SCHEMA}", path.display())
            }
            DatabaseError::OtherProgram(path) => {
                write!(f, "{}: it was made for another program (the fingerprints differ)", path.display())
            }
            DatabaseError::Locked(path) => write!(f, "{}: another process has locked it", path.display()),
            DatabaseError::Write(path, why) => write!(f, "{}: cannot be written: {why}", path.display()),
            DatabaseError::Sql(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for DatabaseError {}

/// What is written.
pub struct Stored<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its fingerprint.
    pub fingerprint: u64,
    /// What was found.
    pub report: &'a Report,
    /// What the text tells.
    pub statics: &'a Statics,
    /// Warnings: the invariant, what is wrong, and the two executions that disagree.
    pub warnings: &'a [(String, String, usize, usize)],
}

impl Stored<'_> {
    /// Writes the database, all of it or nothing.
    pub fn save(&self, path: &Path) -> Result<(), DatabaseError> {
        let failed = |why: String| DatabaseError::Write(path.to_owned(), why);
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let part = path.with_file_name(name);
        let _ = std::fs::remove_file(&part);
        let written = self.write(&part);
        if let Err(error) = written {
            let _ = std::fs::remove_file(&part);
            return Err(failed(error.to_string()));
        }
        std::fs::rename(&part, path).map_err(|error| {
            let _ = std::fs::remove_file(&part);
            failed(error.to_string())
        })
    }

    fn write(&self, path: &Path) -> rusqlite::Result<()> {
        let mut connection = Connection::open(path)?;
        connection.execute_batch(TABLES)?;
        let transaction = connection.transaction()?;
        let mut writer = Writer { program: self.program, to: &transaction, sites: FxHashMap::default() };
        writer.meta("schema", &SCHEMA.to_string())?;
        writer.meta("fingerprint", &format!("{:016x}", self.fingerprint))?;
        writer.meta("complete", if self.report.cut.is_none() { "yes" } else { "no" })?;
        for (index, execution) in self.report.executions.iter().enumerate() {
            let purpose = match &execution.purpose {
                Purpose::Start => "start".to_owned(),
                Purpose::Replay => "replay".to_owned(),
                Purpose::Branch(site, taken) => {
                    let line = self.program.functions[site.func].steps[site.step].loc.line;
                    format!("branch {line}{}", direction(*taken))
                }
            };
            let schedule = serde_json::to_string(&execution.schedule).expect("a schedule is plain data");
            transaction.execute(
                "insert into executions values (?, ?, ?, ?, ?, ?)",
                params![
                    index as i64 + 1,
                    purpose,
                    execution.outcome,
                    execution.steps as i64,
                    execution.tested,
                    schedule
                ],
            )?;
        }
        self.pairs(&mut writer)?;
        self.branches(&mut writer)?;
        for (invariant, text, first, second) in self.warnings {
            transaction.execute(
                "insert into warnings (invariant, text, first, second) values (?, ?, ?, ?)",
                params![invariant, text, *first as i64 + 1, *second as i64 + 1],
            )?;
        }
        transaction.commit()
    }

    fn pairs(&self, writer: &mut Writer<'_>) -> rusqlite::Result<()> {
        let mut covered = std::collections::BTreeSet::new();
        for (pair, found) in &self.report.pairs {
            let status = match found.status {
                Status::Explicit => "explicit",
                Status::Implicit => "implicit",
            };
            writer.pair(pair, status, Some((found.execution, found.read)))?;
            covered.extend(pair.definition.as_ref().map(|definition| (definition.site, pair.usage.site)));
        }
        let mut refuted = std::collections::BTreeSet::new();
        for pair in &self.report.refuted {
            refuted.extend(pair.definition.as_ref().map(|definition| (definition.site, pair.usage.site)));
            writer.pair(pair, "infeasible", None)?;
        }
        // What the text allows and nothing showed: infeasible only if everything was tried.
        for &(write, read) in &self.statics.potential {
            if !covered.contains(&(write, read)) && !refuted.contains(&(write, read)) {
                let point = |site: CodeSite| Point { site, class: "?".to_owned() };
                let pair = Pair { variable: "?".to_owned(), definition: Some(point(write)), usage: point(read) };
                writer.pair(&pair, "unknown", None)?;
            }
        }
        Ok(())
    }

    fn branches(&self, writer: &mut Writer<'_>) -> rusqlite::Result<()> {
        let mut ids = FxHashMap::default();
        for escort in self.statics.escort_branches() {
            let Escort::Branch { site, taken } = escort else { continue };
            let id = writer.site(site)?;
            writer.to.execute(
                "insert into branches (site, direction, taken) values (?, ?, ?)",
                params![id, direction(taken), self.report.taken.contains(&escort)],
            )?;
            ids.insert(escort, writer.to.last_insert_rowid());
        }
        for pair in &self.report.escorts {
            if let (Some(first), Some(second)) = (ids.get(&pair.0), ids.get(&pair.1)) {
                let covered = self.report.covered_escorts.contains(pair);
                writer.to.execute(
                    "insert into branch_pairs (first, second, covered) values (?, ?, ?)",
                    params![first, second, covered],
                )?;
            }
        }
        Ok(())
    }
}

/// T is where the condition of the source holds: a branch of the program jumps over what is executed then.
pub fn direction(taken: bool) -> &'static str {
    if taken { "F" } else { "T" }
}

struct Writer<'a> {
    program: &'a Program,
    to: &'a rusqlite::Transaction<'a>,
    sites: FxHashMap<CodeSite, i64>,
}

impl Writer<'_> {
    fn meta(&self, key: &str, value: &str) -> rusqlite::Result<()> {
        self.to.execute("insert into meta values (?, ?)", params![key, value]).map(|_| ())
    }

    fn site(&mut self, site: CodeSite) -> rusqlite::Result<i64> {
        if let Some(&id) = self.sites.get(&site) {
            return Ok(id);
        }
        let function = &self.program.functions[site.func];
        let loc = function.steps[site.step].loc;
        let sources = &self.program.sources;
        let (file, text) = if loc.is_nowhere() {
            ("", "")
        } else {
            (sources.file_name(loc.file), sources.line_text(loc.file, loc.line).unwrap_or(""))
        };
        self.to.execute(
            "insert into sites (func, step, function, file, line, column, source) values (?, ?, ?, ?, ?, ?, ?)",
            params![
                site.func.index() as i64,
                site.step.index() as i64,
                function.name,
                file,
                loc.line,
                loc.col,
                text.trim()
            ],
        )?;
        let id = self.to.last_insert_rowid();
        self.sites.insert(site, id);
        Ok(id)
    }

    fn pair(&mut self, pair: &Pair, status: &str, shown: Option<(usize, usize)>) -> rusqlite::Result<()> {
        let definition_site = pair.definition.as_ref().map(|point| self.site(point.site)).transpose()?;
        let class = pair.definition.as_ref().map_or("", |point| point.class.as_str());
        let definition = self.point("definitions", &pair.variable, definition_site, class)?;
        let site = self.site(pair.usage.site)?;
        let usage = self.point("uses", &pair.variable, Some(site), &pair.usage.class)?;
        self.to.execute(
            "insert into pairs (definition, use, status, execution, step) values (?, ?, ?, ?, ?)",
            params![definition, usage, status, shown.map(|s| s.0 as i64 + 1), shown.map(|s| s.1 as i64)],
        )?;
        Ok(())
    }

    fn point(&self, table: &str, variable: &str, site: Option<i64>, class: &str) -> rusqlite::Result<i64> {
        let known = format!("select id from {table} where variable = ? and site is ? and class = ?");
        let found = self.to.query_row(&known, params![variable, site, class], |row| row.get(0)).optional()?;
        if let Some(id) = found {
            return Ok(id);
        }
        self.to.execute(
            &format!("insert into {table} (variable, site, class) values (?, ?, ?)"),
            params![variable, site, class],
        )?;
        Ok(self.to.last_insert_rowid())
    }
}

/// A database that is read.
pub struct Database {
    connection: Connection,
    path: PathBuf,
}

/// What an interrupted campaign had found.
#[derive(Debug, Default)]
pub struct Restored {
    /// Its executions.
    pub executions: Vec<Execution>,
    /// The pairs that were covered.
    pub pairs: Vec<(Pair, Covered)>,
}

/// A table of answers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rows {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<serde_json::Value>>,
}

impl Database {
    /// Opens a database for reading.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        let unreadable = |error: rusqlite::Error| match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => DatabaseError::Locked(path.to_owned()),
            _ => DatabaseError::Unreadable(path.to_owned(), error.to_string()),
        };
        if !path.is_file() {
            return Err(DatabaseError::Unreadable(path.to_owned(), "there is no such file".to_owned()));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(unreadable)?;
        connection.busy_timeout(std::time::Duration::from_millis(500)).map_err(unreadable)?;
        let read = |key: &str| -> rusqlite::Result<String> {
            connection.query_row("select value from meta where key = ?", [key], |row| row.get(0))
        };
        let version: i64 = read("schema").map_err(unreadable)?.parse().unwrap_or(0);
        if version != SCHEMA {
            return Err(DatabaseError::Schema(path.to_owned(), version));
        }
        let whole: String = connection.query_row("pragma quick_check", [], |row| row.get(0)).map_err(unreadable)?;
        if whole != "ok" {
            return Err(DatabaseError::Unreadable(path.to_owned(), "it is damaged".to_owned()));
        }
        Ok(Database { connection, path: path.to_owned() })
    }

    /// Refuses a database of another program.
    pub fn expect_program(&self, fingerprint: u64) -> Result<(), DatabaseError> {
        let stored = self.sql_text("select value from meta where key = 'fingerprint'")?;
        if stored == format!("{fingerprint:016x}") {
            Ok(())
        } else {
            Err(DatabaseError::OtherProgram(self.path.clone()))
        }
    }

    fn sql_text(&self, sql: &str) -> Result<String, DatabaseError> {
        self.connection.query_row(sql, [], |row| row.get(0)).map_err(|error| DatabaseError::Sql(error.to_string()))
    }

    /// Lets another database be read as `old`.
    pub fn attach(&self, old: &Path) -> Result<(), DatabaseError> {
        Database::open(old)?;
        let name = old.to_string_lossy().into_owned();
        let attached = self.connection.execute("attach database ? as old", [name]);
        attached.map(|_| ()).map_err(|error| DatabaseError::Sql(error.to_string()))
    }

    /// What an interrupted campaign had found: all executions, and the pairs that were covered.
    pub fn restore(&self) -> Result<Restored, DatabaseError> {
        let wrong = || DatabaseError::Unreadable(self.path.clone(), "its contents do not fit together".to_owned());
        let mut restored = Restored::default();
        for row in self.sql("select purpose, outcome, steps, tested, schedule from executions order by id")?.rows {
            let text = |i: usize| row[i].as_str().unwrap_or("").to_owned();
            let schedule = Schedule::parse(&text(4)).map_err(|_| wrong())?;
            let purpose = if text(0) == "replay" { Purpose::Replay } else { Purpose::Start };
            restored.executions.push(Execution {
                purpose,
                schedule,
                outcome: text(1),
                tested: row[3].as_i64() == Some(1),
                steps: row[2].as_u64().unwrap_or(0) as usize,
            });
        }
        let sql = "select uses.variable, d.func, d.step, definitions.class, u.func, u.step, uses.class, status, execution, pairs.step \
                   from pairs join definitions on definitions.id = definition join uses on uses.id = use \
                   left join sites d on d.id = definitions.site join sites u on u.id = uses.site \
                   where status in ('explicit', 'implicit') order by pairs.id";
        for row in self.sql(sql)?.rows {
            let number = |i: usize| row[i].as_u64().map(|number| number as usize);
            let text = |i: usize| row[i].as_str().unwrap_or("").to_owned();
            let point = |func: usize, class: usize| {
                let site = CodeSite { func: FuncId::new(number(func)?), step: StepId::new(number(func + 1)?) };
                Some(Point { site, class: text(class) })
            };
            let usage = point(4, 6).ok_or_else(wrong)?;
            let pair = Pair { variable: text(0), definition: point(1, 3), usage };
            let status = if text(7) == "implicit" { Status::Implicit } else { Status::Explicit };
            let execution = number(8).and_then(|id| id.checked_sub(1)).ok_or_else(wrong)?;
            let covered = Covered { status, execution, read: number(9).unwrap_or(0) };
            restored.pairs.push((pair, covered));
        }
        Ok(restored)
    }

    /// The schedule that shows a pair, and the step of its recording that reads.
    pub fn pair_schedule(&self, id: i64) -> Result<Option<(Schedule, usize)>, DatabaseError> {
        let sql =
            "select schedule, step from pairs join executions on executions.id = pairs.execution where pairs.id = ?";
        let found = self.connection.query_row(sql, [id], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)));
        let found = found.optional().map_err(|error| DatabaseError::Sql(error.to_string()))?;
        let Some((text, step)) = found else { return Ok(None) };
        let schedule = Schedule::parse(&text).map_err(|error| DatabaseError::Sql(error.to_string()))?;
        Ok(Some((schedule, step as usize)))
    }

    /// Answers an SQL query that only reads.
    pub fn sql(&self, sql: &str) -> Result<Rows, DatabaseError> {
        let wrong = |error: rusqlite::Error| DatabaseError::Sql(error.to_string());
        let mut statement = self.connection.prepare(sql).map_err(wrong)?;
        if !statement.readonly() {
            return Err(DatabaseError::Sql("only statements that read are allowed".to_owned()));
        }
        let columns: Vec<String> = statement.column_names().iter().map(|&name| name.to_owned()).collect();
        let mut rows = statement.query([]).map_err(wrong)?;
        let mut answer = Rows { columns, rows: Vec::new() };
        while let Some(row) = rows.next().map_err(wrong)? {
            let values = (0..answer.columns.len()).map(|i| row.get_ref(i).map(json_value)).collect::<Result<_, _>>();
            answer.rows.push(values.map_err(wrong)?);
        }
        Ok(answer)
    }
}

fn json_value(value: rusqlite::types::ValueRef<'_>) -> serde_json::Value {
    use rusqlite::types::ValueRef;
    match value {
        ValueRef::Null => serde_json::Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) | ValueRef::Blob(text) => String::from_utf8_lossy(text).into_owned().into(),
    }
}
