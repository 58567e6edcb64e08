//! Safe from the first day: other sites, hostile text, secrets, floods.

mod safety {
    mod cross_site;
    mod headers;
    mod hostile_text;
    mod limits;
    mod secrets;
}
mod support;
