//! Several servers on one PostgreSQL, and a PostgreSQL that is away for a while; and how a server leaves.

mod several_servers {
    mod alone;
    mod crew;
    mod on_postgres;
}
mod support;
