//! What every HTTP client of ours has in common, whomever it asks.

use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, Url};

/// A client for one service, at the address that the operators set.
pub fn client(address: &Url) -> ClientBuilder {
    let mut client = reqwest::Client::builder()
        // A redirect would carry a key, or what a guest wrote, to an address that nobody set.
        .redirect(Policy::none())
        .user_agent(concat!("truthtable/", env!("CARGO_PKG_VERSION")));
    if address.scheme() == "http" {
        // Without this the client refuses to be built on a machine that has no CA certificates.
        client = client.tls_certs_only([]);
    }
    if is_loopback(address) {
        // A proxy from the environment cannot reach this machine's own servers.
        client = client.no_proxy();
    }
    client
}

fn is_loopback(address: &Url) -> bool {
    let host = address.host_str().unwrap_or_default();
    host == "localhost"
        || host.trim_matches(['[', ']']).parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback())
}
