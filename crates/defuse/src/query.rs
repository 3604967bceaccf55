//! The query language of `heddle query`, the paper's future work [DEFUSE §VII].
//!
//! ```text
//! query    := 'pairs' filter*  |  'reads with several definitions' filter*  |  'new' filter*
//!           | 'variables'  |  'executions'  |  'branches'  |  'warnings'
//! filter   := 'of' VARIABLE  |  'into' LINE  |  'from' LINE  |  'between' CLASS 'and' CLASS
//!           | 'local'  |  'remote'  |  'covered'  |  'uncovered'
//!           | 'explicit'  |  'implicit'  |  'infeasible'  |  'unknown'
//! LINE     := number  |  FILE ':' number
//! ```
//!
//! `new` needs another database (`--diff`): pairs that it does not have, by variable, source lines' texts and classes, so that
//! moved lines are not new. A query becomes one SQL statement over the view `flow`.

/// A query that does not parse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryError {
    /// What is wrong.
    pub message: String,
    /// The byte at which it is noticed.
    pub at: usize,
}

impl QueryError {
    /// The message with the query and a caret below the place.
    pub fn show(&self, query: &str) -> String {
        let column = query[..self.at.min(query.len())].chars().count();
        format!("{}\n  {query}\n  {}^", self.message, " ".repeat(column))
    }
}

struct Words<'q> {
    words: Vec<(usize, &'q str)>,
    at: usize,
    end: usize,
}

impl<'q> Words<'q> {
    fn new(query: &'q str) -> Self {
        let mut words = Vec::new();
        let mut start = None;
        for (at, c) in query.char_indices().chain([(query.len(), ' ')]) {
            match (start, c.is_whitespace()) {
                (None, false) => start = Some(at),
                (Some(from), true) => {
                    words.push((from, &query[from..at]));
                    start = None;
                }
                (None, true) | (Some(_), false) => {}
            }
        }
        Words { words, at: 0, end: query.len() }
    }

    fn next(&mut self) -> Option<(usize, &'q str)> {
        let word = self.words.get(self.at).copied();
        self.at += usize::from(word.is_some());
        word
    }

    fn expect(&mut self, what: &str) -> Result<(usize, &'q str), QueryError> {
        let end = self.end;
        self.next().ok_or_else(|| QueryError { message: format!("expected {what}"), at: end })
    }

    fn keyword(&mut self, wanted: &str) -> Result<(), QueryError> {
        let (at, word) = self.expect(&format!("`{wanted}`"))?;
        if word == wanted {
            Ok(())
        } else {
            Err(QueryError { message: format!("expected `{wanted}`, not `{word}`"), at })
        }
    }
}

/// The SQL statement of a query; `diff` if another database is attached as `old`.
pub fn compile(query: &str, diff: bool) -> Result<String, QueryError> {
    let mut words = Words::new(query);
    let (at, first) = words.expect("a query, such as `pairs of x`")?;
    let columns = "id, variable, def_class, def_line, def_source, use_class, use_line, use_source, status, execution";
    let select = match first {
        "pairs" => format!("select {columns} from flow where true"),
        "reads" => {
            words.keyword("with")?;
            words.keyword("several")?;
            words.keyword("definitions")?;
            let covered = "status in ('explicit', 'implicit')";
            let key = "variable || ':' || use_file || ':' || use_line || ':' || use_class";
            format!(
                "select {columns} from flow where {covered} and {key} in (select {key} from flow where {covered} \
                 group by {key} having count(*) > 1)"
            )
        }
        "new" if diff => format!(
            "select {columns} from flow where status in ('explicit', 'implicit') and not exists (select 1 from old.flow o \
             where o.status in ('explicit', 'implicit') and o.variable = flow.variable and o.def_source = flow.def_source \
             and o.use_source = flow.use_source and o.def_class = flow.def_class and o.use_class = flow.use_class)"
        ),
        "new" => {
            return Err(QueryError { message: "`new` needs another database: --diff OLD.db".to_owned(), at });
        }
        "variables" | "executions" | "branches" | "warnings" => {
            if let Some((at, word)) = words.next() {
                return Err(QueryError { message: format!("nothing can follow `{first}`, not `{word}`"), at });
            }
            return Ok(match first {
                "variables" => {
                    "select variable, count(*) as pairs, count(distinct use_line) as reads, \
                                count(distinct def_line) as writes from flow where variable <> '?' group by variable"
                }
                "executions" => "select id, purpose, outcome, steps, tested from executions",
                "branches" => {
                    "select file, line, direction, taken, source from branches join sites on sites.id = site \
                               order by file, line, direction"
                }
                _ => "select id, invariant, text, first, second from warnings",
            }
            .to_owned());
        }
        other => {
            let message = format!(
                "`{other}` is no query: expected `pairs`, `reads with several definitions`, `new`, `variables`, `executions`, \
                 `branches` or `warnings`"
            );
            return Err(QueryError { message, at });
        }
    };
    let mut sql = select;
    while let Some((at, word)) = words.next() {
        sql += " and ";
        sql += &filter(&mut words, at, word)?;
    }
    Ok(sql + " order by use_file, use_line, def_line, id")
}

fn filter(words: &mut Words<'_>, at: usize, word: &str) -> Result<String, QueryError> {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    Ok(match word {
        "of" => {
            let (_, name) = words.expect("a variable")?;
            let name = quoted(name);
            format!("(variable = {name} or variable like {name} || '.%' or variable like {name} || '[%')")
        }
        "into" => line(words, "use")?,
        "from" => line(words, "def")?,
        "between" => {
            let (_, first) = words.expect("the function of a thread")?;
            words.keyword("and")?;
            let (_, second) = words.expect("the function of a thread")?;
            let (first, second) = (quoted(first), quoted(second));
            format!(
                "((def_class = {first} and use_class = {second}) or (def_class = {second} and use_class = {first}))"
            )
        }
        "local" => "def_class = use_class".to_owned(),
        "remote" => "def_class <> use_class".to_owned(),
        "covered" => "status in ('explicit', 'implicit')".to_owned(),
        "uncovered" => "status in ('infeasible', 'unknown')".to_owned(),
        "explicit" | "implicit" | "infeasible" | "unknown" => format!("status = '{word}'"),
        other => {
            let message = format!(
                "`{other}` is no filter: expected `of`, `into`, `from`, `between`, `local`, `remote`, `covered`, `uncovered`, \
                 `explicit`, `implicit`, `infeasible` or `unknown`"
            );
            return Err(QueryError { message, at });
        }
    })
}

fn line(words: &mut Words<'_>, end: &str) -> Result<String, QueryError> {
    let (at, word) = words.expect("a line, such as 41 or queue.c:41")?;
    let (file, number) = match word.rsplit_once(':') {
        Some((file, number)) => (Some(file), number),
        None => (None, word),
    };
    let number: u32 =
        number.parse().map_err(|_| QueryError { message: format!("`{number}` is not a line number"), at })?;
    let file = file.map(|file| format!(" and {end}_file like '%{}'", file.replace('\'', "''"))).unwrap_or_default();
    Ok(format!("({end}_line = {number}{file})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_point_at_their_place() {
        let error = |query: &str| compile(query, false).unwrap_err();
        assert_eq!(error("").message, "expected a query, such as `pairs of x`");
        assert_eq!(error("pairs of").at, 8);
        assert_eq!(error("pairs into x").at, 11);
        assert_eq!(error("pairs betwen a and b").at, 6);
        assert_eq!(error("reads with many definitions").at, 11);
        assert_eq!(error("new").message, "`new` needs another database: --diff OLD.db");
        let shown = error("pairs into é7").show("pairs into é7");
        assert_eq!(shown.lines().last(), Some("             ^"));
    }

    #[test]
    fn names_cannot_leave_their_quotes() {
        let sql = compile("pairs of x'--", false).unwrap();
        assert!(sql.contains("variable = 'x''--'"), "{sql}");
    }
}
