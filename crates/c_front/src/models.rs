//! Library models: C sources for what programs use and do not define.
//!
//! A model is a C file in `models/`, parsed and lowered like the user's own, but not preprocessed. It is written with the
//! functions of `lower::intrinsics` and with other models. Only models of which the program uses something are
//! read, so a file holds what is used together. What the program defines itself takes precedence over a model's.
//!
//! **Architecture invariant:** models know nothing of a libc's headers. They keep their state in the first integers of
//! the user's objects, where zero means unused, as the static initialisers of every libc give it.
//!
//! To add a function, write it into the file that fits, and its name into the table here; the tests below compare the two.

use crate::lower::{Origin, Session};
use crate::parse::parse_unit;

/// One model file.
struct Model {
    /// Its name, as places in it are shown.
    file: &'static str,
    /// The functions and variables that it defines for programs and for other models, separated by white space.
    defines: &'static str,
    /// It is for programs that use this function. It stands before the file that defines the same things for others.
    needs: Option<&'static str>,
    /// Whose data it reads and writes.
    origin: Origin,
    /// Its text.
    text: &'static str,
}

impl Model {
    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.defines.split_ascii_whitespace()
    }
}

/// All models. What is written in terms of another model stands before it, so that all uses of a function are known when
/// one of two files is chosen by [`Model::needs`].
const MODELS: &[Model] = &[
    Model {
        file: "c11_threads.c",
        defines: "thrd_create thrd_exit thrd_current thrd_equal thrd_join thrd_detach thrd_yield thrd_sleep",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/c11_threads.c"),
    },
    Model {
        file: "c11_mutexes.c",
        defines: "mtx_init mtx_destroy mtx_lock mtx_trylock mtx_timedlock mtx_unlock",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/c11_mutexes.c"),
    },
    Model {
        file: "c11_conditions.c",
        defines: "cnd_init cnd_destroy cnd_signal cnd_broadcast cnd_wait cnd_timedwait",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/c11_conditions.c"),
    },
    Model {
        file: "c11_specific.c",
        defines: "tss_create tss_delete tss_set tss_get",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/c11_specific.c"),
    },
    Model {
        file: "c11_once.c",
        defines: "call_once",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/c11_once.c"),
    },
    Model {
        file: "thread.c",
        defines: "
            __heddle_thread_main pthread_create pthread_exit pthread_self pthread_equal pthread_join
            pthread_tryjoin_np pthread_detach",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/thread.c"),
    },
    Model {
        file: "cleanup_handlers.c",
        defines: "_pthread_cleanup_push _pthread_cleanup_pop __heddle_run_cleanup_handlers",
        needs: Some("_pthread_cleanup_push"),
        origin: Origin::SyncModel,
        text: include_str!("../models/cleanup_handlers.c"),
    },
    Model {
        file: "no_cleanup_handlers.c",
        defines: "__heddle_run_cleanup_handlers",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/no_cleanup_handlers.c"),
    },
    Model {
        file: "keys.c",
        defines: "pthread_key_create pthread_key_delete pthread_setspecific pthread_getspecific __heddle_run_destructors",
        needs: Some("pthread_key_create"),
        origin: Origin::SyncModel,
        text: include_str!("../models/keys.c"),
    },
    Model {
        file: "no_keys.c",
        defines: "__heddle_run_destructors",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/no_keys.c"),
    },
    Model {
        file: "mutex.c",
        defines: "
            pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock
            pthread_mutex_timedlock pthread_mutex_clocklock pthread_mutex_unlock",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/mutex.c"),
    },
    Model {
        file: "condition.c",
        defines: "
            pthread_cond_init pthread_cond_destroy pthread_cond_signal pthread_cond_broadcast pthread_cond_wait
            pthread_cond_timedwait pthread_cond_clockwait",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/condition.c"),
    },
    Model {
        file: "rwlock.c",
        defines: "
            pthread_rwlock_init pthread_rwlock_destroy pthread_rwlock_rdlock pthread_rwlock_wrlock
            pthread_rwlock_tryrdlock pthread_rwlock_trywrlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock
            pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock pthread_rwlock_unlock",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/rwlock.c"),
    },
    Model {
        file: "barrier.c",
        defines: "pthread_barrier_init pthread_barrier_destroy pthread_barrier_wait",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/barrier.c"),
    },
    Model {
        file: "spinlock.c",
        defines: "pthread_spin_init pthread_spin_destroy pthread_spin_lock pthread_spin_trylock pthread_spin_unlock",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/spinlock.c"),
    },
    Model {
        file: "named_semaphores.c",
        defines: "sem_open sem_close sem_unlink",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/named_semaphores.c"),
    },
    Model {
        file: "semaphore.c",
        defines: "sem_init sem_destroy sem_wait sem_trywait sem_timedwait sem_clockwait sem_post sem_getvalue",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/semaphore.c"),
    },
    Model {
        file: "once.c",
        defines: "pthread_once",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/once.c"),
    },
    Model {
        file: "attributes.c",
        defines: "
            pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_getdetachstate
            pthread_attr_setscope pthread_attr_getscope pthread_attr_setinheritsched pthread_attr_getinheritsched
            pthread_attr_setschedpolicy pthread_attr_getschedpolicy pthread_attr_setschedparam
            pthread_attr_getschedparam pthread_attr_setguardsize pthread_attr_getguardsize pthread_attr_setstacksize
            pthread_attr_getstacksize pthread_attr_setstack pthread_attr_getstack pthread_attr_setstackaddr
            pthread_attr_getstackaddr",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/attributes.c"),
    },
    Model {
        file: "sync_attributes.c",
        defines: "
            pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_settype pthread_mutexattr_gettype
            pthread_mutexattr_setpshared pthread_mutexattr_getpshared pthread_mutexattr_setprotocol
            pthread_mutexattr_getprotocol pthread_mutexattr_setprioceiling pthread_mutexattr_getprioceiling
            pthread_condattr_init pthread_condattr_destroy pthread_condattr_setclock pthread_condattr_getclock
            pthread_condattr_setpshared pthread_condattr_getpshared pthread_rwlockattr_init
            pthread_rwlockattr_destroy pthread_rwlockattr_setpshared pthread_rwlockattr_getpshared
            pthread_rwlockattr_setkind_np pthread_rwlockattr_getkind_np pthread_barrierattr_init
            pthread_barrierattr_destroy pthread_barrierattr_setpshared pthread_barrierattr_getpshared",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/sync_attributes.c"),
    },
    Model {
        file: "scheduling.c",
        defines: "
            sched_yield pthread_yield pthread_setconcurrency pthread_getconcurrency pthread_setschedparam
            pthread_setschedprio pthread_setname_np pthread_setaffinity_np sched_get_priority_max
            sched_get_priority_min sleep usleep nanosleep clock_nanosleep pthread_getschedparam pthread_getname_np
            sched_setaffinity sched_setscheduler",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/scheduling.c"),
    },
    Model {
        file: "cancellation.c",
        defines: "pthread_setcancelstate pthread_setcanceltype pthread_testcancel",
        needs: None,
        origin: Origin::SyncModel,
        text: include_str!("../models/cancellation.c"),
    },
    Model {
        file: "messages.c",
        defines: "perror warn warnx err errx error __error_alias __error_noreturn",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/messages.c"),
    },
    Model {
        file: "atexit.c",
        defines: "atexit exit",
        needs: Some("atexit"),
        origin: Origin::Library,
        text: include_str!("../models/atexit.c"),
    },
    Model {
        file: "exit.c",
        defines: "exit",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/exit.c"),
    },
    Model {
        file: "files.c",
        defines: "
            fopen fopen64 freopen fdopen tmpfile fclose feof ferror clearerr fileno fseek fseeko rewind ftell ftello ungetc fread
            setvbuf setbuf setlinebuf remove rename getdelim getline",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/files.c"),
    },
    Model {
        file: "descriptors.c",
        defines: "open creat close lseek read isatty fsync unlink",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/descriptors.c"),
    },
    Model {
        file: "mapping.c",
        defines: "mmap munmap mprotect madvise",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/mapping.c"),
    },
    Model {
        file: "allocation.c",
        defines: "realloc reallocarray posix_memalign",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/allocation.c"),
    },
    Model {
        file: "string.c",
        defines: "
            strlen strnlen stpcpy strcpy stpncpy strncpy strcat strncat strlcpy strlcat strncmp strcmp strcoll
            strncasecmp strcasecmp strchrnul strchr index strrchr rindex strstr strcasestr strspn strcspn strpbrk
            strtok_r __strtok_r strtok strsep strndup strdup __strdup __strcpy_chk __strncpy_chk __strcat_chk
            __strncat_chk strerror",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/string.c"),
    },
    Model {
        file: "memory.c",
        defines: "memcmp bcmp memchr rawmemchr memrchr memmem memccpy bcopy",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/memory.c"),
    },
    Model {
        file: "ctype.c",
        defines: "
            isupper islower isalpha isdigit isalnum isxdigit isspace isblank isprint isgraph ispunct iscntrl isascii
            toascii toupper tolower",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/ctype.c"),
    },
    Model {
        file: "ctype_table.c",
        defines: "__ctype_b_loc",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/ctype_table.c"),
    },
    Model {
        file: "ctype_case.c",
        defines: "__ctype_toupper_loc __ctype_tolower_loc",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/ctype_case.c"),
    },
    Model {
        file: "numbers.c",
        defines: "
            strtoll strtol strtoull strtoul __isoc23_strtoll __isoc23_strtol __isoc23_strtoull __isoc23_strtoul
            atoll atol atoi abs labs llabs imaxabs div ldiv lldiv",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/numbers.c"),
    },
    Model {
        file: "sorting.c",
        defines: "qsort qsort_r bsearch",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/sorting.c"),
    },
    Model {
        file: "environment.c",
        defines: "getenv secure_getenv srand srandom srand48 rand_r setlocale drand48 erand48",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/environment.c"),
    },
    Model {
        file: "calendar.c",
        defines: "
            localtime_r gmtime_r localtime gmtime mktime timegm ctime_r asctime_r ctime asctime strftime",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/calendar.c"),
    },
    Model {
        file: "process.c",
        defines: "
            getpid getppid gettid getuid geteuid getgid getegid sysconf getpagesize get_nprocs get_nprocs_conf
            sched_getcpu",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/process.c"),
    },
    Model {
        file: "signal_sets.c",
        defines: "sigemptyset sigfillset sigaddset sigdelset sigismember pthread_sigmask sigprocmask",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/signal_sets.c"),
    },
    Model {
        file: "byte_order.c",
        defines: "htonl ntohl htons ntohs ffs ffsl ffsll",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/byte_order.c"),
    },
    Model {
        file: "options.c",
        defines: "getopt optarg optind opterr optopt",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/options.c"),
    },
    Model {
        file: "wide_strings.c",
        defines: "
            wcslen wmemcpy wmemset wmemcmp wcscpy wcsncpy wcscat wcsncmp wcscmp wcschr wcsrchr towupper towlower
            iswupper iswlower iswalpha iswdigit iswalnum iswspace",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/wide_strings.c"),
    },
    Model {
        file: "time.c",
        defines: "time clock difftime gettimeofday clock_gettime timespec_get clock_getres",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/time.c"),
    },
    Model {
        file: "input.c",
        defines: "
            getchar getc fgetc fgets scanf fscanf vscanf vfscanf __isoc99_scanf __isoc99_fscanf __isoc23_scanf
            __isoc23_fscanf",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/input.c"),
    },
    Model {
        file: "output_by_address.c",
        defines: "printf fprintf fputs fputc fwrite",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/output_by_address.c"),
    },
    Model {
        file: "streams.c",
        defines: "stdin stdout stderr",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/streams.c"),
    },
    Model {
        file: "errno.c",
        defines: "__errno_location",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/errno.c"),
    },
    Model {
        file: "format.c",
        defines: "
            vsnprintf vsprintf snprintf sprintf vasprintf asprintf __vsnprintf_chk __vsprintf_chk __snprintf_chk
            __sprintf_chk vfprintf vprintf",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/format.c"),
    },
    Model {
        file: "output.c",
        defines: "__heddle_read_text __heddle_read_printed_text __heddle_read_bytes",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/output.c"),
    },
    Model {
        file: "scan.c",
        defines: "vsscanf sscanf __isoc99_sscanf __isoc23_sscanf __heddle_scan",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/scan.c"),
    },
    Model {
        file: "text_to_float.c",
        defines: "strtod strtof strtold atof",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/text_to_float.c"),
    },
    Model {
        file: "float_to_text.c",
        defines: "__heddle_float_to_text",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/float_to_text.c"),
    },
    Model {
        file: "functions.c",
        defines: "
            pow exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh cbrt hypot ldexp
            scalbn frexp",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/functions.c"),
    },
    Model {
        file: "functions_float.c",
        defines: "
            sinf cosf tanf asinf acosf atanf atan2f expf exp2f logf log2f log10f cbrtf powf hypotf",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/functions_float.c"),
    },
    Model {
        file: "math.c",
        defines: "
            trunc floor ceil round rint nearbyint truncf floorf ceilf roundf rintf nearbyintf lround llround lrint
            llrint modf fdim copysign copysignf isnan __isnan __isnanf isinf __isinf __isinff finite __finite
            __finitef __signbit __signbitf",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/math.c"),
    },
    Model {
        file: "by_address.c",
        defines: "malloc calloc free memcpy memmove memset abort rand puts putchar fabs sqrt",
        needs: None,
        origin: Origin::Library,
        text: include_str!("../models/by_address.c"),
    },
];

/// Adds the models that the program needs, and those that they need, until nothing is missing that a model defines.
pub(crate) fn resolve(session: &mut Session) {
    let mut added = vec![false; MODELS.len()];
    loop {
        let missing = session.missing();
        let wanted = |model: &Model| {
            model.names().any(|name| missing.iter().any(|m| m == name)) && model.needs.is_none_or(|f| session.uses(f))
        };
        let next = MODELS.iter().enumerate().find(|(i, model)| !added[*i] && wanted(model));
        let Some((i, model)) = next else { return };
        added[i] = true;
        add(session, model);
    }
}

fn add(session: &mut Session, model: &Model) {
    let start = session.sources.add_input(model.file, model.text.to_owned()).expect("models are small");
    let unit = parse_unit(&mut session.sources, start, &mut session.interner, &mut session.diags);
    session.lower_unit(&unit, model.origin);
}

#[cfg(test)]
mod tests {
    use heddle_ir::{DataModel, Property};

    use super::*;
    use crate::ast::{Decl, Item, Storage};
    use crate::diag::Diagnostics;
    use crate::intern::Interner;
    use crate::{Options, compile};

    /// The functions and variables with external linkage that a model defines.
    fn definitions(model: &Model) -> Vec<String> {
        let (mut sources, mut interner, mut diags) =
            (heddle_base::SourceMap::new(), Interner::default(), Diagnostics::default());
        let start = sources.add_input(model.file, model.text.to_owned()).unwrap();
        let ast = parse_unit(&mut sources, start, &mut interner, &mut diags);
        let visible =
            |storage: Option<Storage>| !matches!(storage, Some(Storage::Static | Storage::Typedef | Storage::Extern));
        let mut names = Vec::new();
        for item in &ast.items {
            match item {
                Item::Function(def) if visible(def.specs.storage) => names.extend(def.declarator.name),
                Item::Decl(decl) => {
                    if let Decl::Variables { specs, declarators, .. } = &ast.decls[*decl]
                        && visible(specs.storage)
                    {
                        let variables = declarators.iter().filter(|d| {
                            !matches!(d.declarator.derived.first(), Some(crate::ast::Derived::Function(_)))
                        });
                        names.extend(variables.filter_map(|d| d.declarator.name));
                    }
                }
                Item::Function(_) | Item::Asm(_) => {}
            }
        }
        names.iter().map(|&name| interner.name(name).to_owned()).collect()
    }

    #[test]
    fn the_table_lists_what_the_files_define() {
        for model in MODELS {
            let mut found = definitions(model);
            found.retain(|name| !name.starts_with("__heddle_") || model.names().any(|n| n == name));
            let mut listed: Vec<String> = model.names().map(str::to_owned).collect();
            found.sort_unstable();
            listed.sort_unstable();
            assert_eq!(found, listed, "{}", model.file);
        }
    }

    /// No function has two models, but where [`Model::needs`] decides between them.
    #[test]
    fn names_are_defined_once() {
        for (i, model) in MODELS.iter().enumerate() {
            for other in MODELS[i + 1..].iter().filter(|_| model.needs.is_none()) {
                let both: Vec<_> = model.names().filter(|d| other.names().any(|o| o == *d)).collect();
                assert!(both.is_empty(), "{} and {} define {both:?}", model.file, other.file);
            }
        }
    }

    fn check_alone(model: &Model, data_model: DataModel) {
        // As a program of its own, so that warnings are not suppressed.
        let main = ("main.c".to_owned(), "int main(void) { return 0; }".to_owned());
        let inputs = vec![main, (model.file.to_owned(), model.text.to_owned())];
        let properties = Property::ALL.into_iter().collect();
        let compiled = compile(inputs, Options { data_model, properties, ..Options::default() });
        let messages: Vec<&str> = compiled.diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert!(messages.is_empty(), "{} on {data_model:?}: {messages:?}", model.file);
        let program = compiled.program.expect("there were no errors");
        let errors = heddle_ir::verify::verify(&program);
        assert_eq!(errors, [], "{} on {data_model:?}", model.file);
    }

    #[test]
    fn models_compile_without_warnings() {
        for model in MODELS {
            check_alone(model, DataModel::Lp64);
            check_alone(model, DataModel::Ilp32);
        }
    }

    /// Only what a program uses is read.
    #[test]
    fn models_are_read_on_demand() {
        let files = |text: &str| {
            let inputs = vec![("test.c".to_owned(), text.to_owned())];
            let compiled = compile(inputs, Options::default());
            assert!(!compiled.diagnostics.has_errors(), "{:?}", compiled.diagnostics);
            let program = compiled.program.expect("there were no errors");
            let used = MODELS.iter().filter(|m| {
                program.functions.iter().any(|f| f.model && program.sources.file_name(f.loc.file) == m.file)
            });
            used.map(|m| m.file).collect::<Vec<_>>()
        };
        let none: [&str; 0] = [];
        assert_eq!(files("int main(void) { return 0; }"), none);
        let thread =
            "int pthread_create(); void *f(void *a) { return a; } int main(void) { pthread_create(0, 0, f, 0); }";
        assert_eq!(files(thread), ["thread.c", "no_cleanup_handlers.c", "no_keys.c"]);
        let key = "int pthread_key_create(); void pthread_exit(void *); \
                   int main(void) { pthread_key_create(0, 0); pthread_exit(0); }";
        assert_eq!(files(key), ["thread.c", "no_cleanup_handlers.c", "keys.c"]);
        // A use in a model counts like one in the program.
        let specific = "int tss_create(); void thrd_exit(int); int main(void) { tss_create(0, 0); thrd_exit(0); }";
        assert_eq!(files(specific), ["c11_threads.c", "c11_specific.c", "thread.c", "no_cleanup_handlers.c", "keys.c"]);
        assert_eq!(files("void exit(int); int main(void) { exit(0); }"), ["exit.c"]);
        assert_eq!(files("void exit(int); int atexit(); int main(void) { atexit(0); exit(0); }"), ["atexit.c"]);
    }

    /// What the program defines is not defined again.
    #[test]
    fn the_programs_own_definitions_take_precedence() {
        let text = "unsigned long strlen(const char *s) { return 42; } int index; char *strcat(); \
                    int main(void) { strcat(0, 0); return strlen(0); }";
        let compiled = compile(vec![("test.c".to_owned(), text.to_owned())], Options::default());
        let messages: Vec<&str> = compiled.diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert!(messages.is_empty(), "{messages:?}");
        let program = compiled.program.expect("there were no errors");
        let strlen = program.functions.iter().find(|f| f.name == "strlen").expect("it is defined");
        assert!(!strlen.model);
        assert!(!program.functions.iter().any(|f| f.name.starts_with("index")));
    }
}
