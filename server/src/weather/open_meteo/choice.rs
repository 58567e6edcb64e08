//! Which place is meant by a name, and which one of several of the same name is taken.

use std::cmp::Reverse;

use chrono_tz::Tz;
use serde::Deserialize;

use super::text::clean;
use crate::restaurants::cities::{City, CityId, resolve_city};
use crate::restaurants::fold;

/// The longest name that is shown, in characters.
const MAX_NAME: usize = 80;

/// The longest name that is asked for, in characters.
const MAX_ASKED: usize = 100;

/// As many as a name like Springfield has before the small ones begin.
const CANDIDATES: u8 = 20;

const VIETNAM: &str = "VN";

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// As the geocoder is asked.
    name: String,
    /// A city of our own list: shown by its own name, and looked for in Vietnam only.
    known: Option<&'static City>,
}

impl Wanted {
    /// What a guest calls a place: a city of our own list by any of its names, otherwise what they
    /// wrote. None where nothing of that could be a name.
    pub fn parse(city: &str) -> Option<Self> {
        let known = resolve_city(city);
        let name = match known {
            Some(city) => geocoders_name(city).to_owned(),
            None => clean(city, MAX_ASKED),
        };
        name.contains(char::is_alphanumeric).then_some(Self { name, known })
    }

    /// In English: each language of ours knows names from elsewhere in it, and a name that has none in
    /// English comes in the place's own language.
    pub fn query(&self) -> Vec<(&'static str, String)> {
        let mut query = vec![
            ("name", self.name.clone()),
            ("count", CANDIDATES.to_string()),
            ("language", "en".to_owned()),
            ("format", "json".to_owned()),
        ];
        query.extend(self.known.map(|_| ("countryCode", VIETNAM.to_owned())));
        query
    }

    /// Without the country or region that may follow a comma.
    fn own_name(&self) -> String {
        fold(self.name.split(',').next().unwrap_or_default())
    }
}

/// The name that the geocoder has for one of our cities, where it is not ours.
fn geocoders_name(city: &City) -> &'static str {
    match city.id {
        CityId::HoChiMinh => "Ho Chi Minh City",
        CityId::HaNoi
        | CityId::DaNang
        | CityId::DaLat
        | CityId::Hue
        | CityId::HoiAn
        | CityId::NhaTrang
        | CityId::HaiPhong
        | CityId::HaLong
        | CityId::SaPa
        | CityId::NinhBinh
        | CityId::Vinh
        | CityId::QuyNhon
        | CityId::BuonMaThuot
        | CityId::PhanThiet
        | CityId::VungTau
        | CityId::CanTho
        | CityId::PhuQuoc => city.name,
    }
}

/// A place on the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub name: String,
    pub region: Option<String>,
    pub country: Option<String>,
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
    /// None where the geocoder gives none that we know: then the forecast says by how much its clock
    /// differs.
    pub time_zone: Option<Tz>,
}

/// The geocoder's answer.
#[derive(Deserialize)]
pub struct Answer {
    /// Absent where nothing was found.
    results: Option<Vec<Candidate>>,
    /// In every answer: what has neither is not one.
    generationtime_ms: Option<f64>,
}

#[derive(Deserialize)]
struct Candidate {
    name: String,
    latitude: f64,
    longitude: f64,
    country_code: Option<String>,
    country: Option<String>,
    admin1: Option<String>,
    timezone: Option<String>,
    /// Not known for mountains, airports, hamlets.
    population: Option<u64>,
}

/// The place that is taken: of those whose name is what was asked for, diacritics and case aside, the
/// one with the most inhabitants; without such a name, of all. Among equals one in Vietnam, then the
/// geocoder's own order. None where there is nothing to take.
///
/// # Errors
/// An answer that cannot be true.
pub fn best(answer: Answer, wanted: &Wanted) -> Result<Option<Place>, String> {
    if answer.results.is_none() && answer.generationtime_ms.is_none() {
        return Err("it has neither results nor a time".to_owned());
    }
    let candidates = answer.results.unwrap_or_default();
    if let Some(lost) = candidates.iter().find(|candidate| !candidate.is_on_earth()) {
        return Err(format!("no place is at {} {}", lost.latitude, lost.longitude));
    }
    let name = wanted.own_name();
    let eligible = candidates.into_iter().filter(|candidate| {
        !clean(&candidate.name, MAX_NAME).is_empty() && (wanted.known.is_none() || candidate.is_vietnamese())
    });
    // The first of equals.
    let best = eligible.min_by_key(|candidate| {
        let called_so = fold(&candidate.name) == name;
        Reverse((called_so, candidate.population, candidate.is_vietnamese()))
    });
    Ok(best.map(|candidate| candidate.place(wanted)))
}

impl Candidate {
    fn is_on_earth(&self) -> bool {
        (-90.0..=90.0).contains(&self.latitude) && (-180.0..=180.0).contains(&self.longitude)
    }

    fn is_vietnamese(&self) -> bool {
        self.country_code.as_deref() == Some(VIETNAM)
    }

    fn place(self, wanted: &Wanted) -> Place {
        let cleaned =
            |text: Option<String>| text.map(|text| clean(&text, MAX_NAME)).filter(|text| !text.is_empty());
        let name = match wanted.known {
            Some(city) => city.name.to_owned(),
            None => clean(&self.name, MAX_NAME),
        };
        Place {
            // `Hà Nội, Hà Nội, Vietnam` says no more than `Hà Nội, Vietnam`.
            region: cleaned(self.admin1).filter(|region| fold(region) != fold(&name)),
            country: cleaned(self.country),
            latitude: self.latitude,
            longitude: self.longitude,
            time_zone: self.timezone.and_then(|zone| zone.parse().ok()),
            name,
        }
    }
}
