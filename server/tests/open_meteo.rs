//! Real weather: what the server asks of Open-Meteo, what it makes of each answer, and how a failure ends.

mod open_meteo {
    mod days;
    mod failures;
    mod hostile;
    mod memory;
    mod places;
    mod reads;
    mod shown;
}
mod support;
