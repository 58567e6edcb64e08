//! The cities that we know, by every name that people give them.

use super::fold::squash;

/// A city of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CityId {
    HaNoi,
    HoChiMinh,
    DaNang,
    DaLat,
    Hue,
    HoiAn,
    NhaTrang,
    HaiPhong,
    HaLong,
    SaPa,
    NinhBinh,
    Vinh,
    QuyNhon,
    BuonMaThuot,
    PhanThiet,
    VungTau,
    CanTho,
    PhuQuoc,
}

#[derive(Debug, PartialEq, Eq)]
pub struct City {
    pub id: CityId,
    /// As it is shown.
    pub name: &'static str,
    /// Everything that it is called, squashed.
    names: &'static [&'static str],
    /// What may follow the name, squashed: `Đà Lạt, Lâm Đồng`.
    province: Option<&'static str>,
}

pub const CITIES: &[City] = &[
    City { id: CityId::HaNoi, name: "Hà Nội", names: &["hanoi", "hn"], province: None },
    City {
        id: CityId::HoChiMinh,
        name: "TP. Hồ Chí Minh",
        names: &["hochiminh", "hcm", "hcmc", "saigon", "sg"],
        province: None,
    },
    City { id: CityId::DaNang, name: "Đà Nẵng", names: &["danang"], province: None },
    City { id: CityId::DaLat, name: "Đà Lạt", names: &["dalat"], province: Some("lamdong") },
    City { id: CityId::Hue, name: "Huế", names: &["hue"], province: Some("thuathienhue") },
    City { id: CityId::HoiAn, name: "Hội An", names: &["hoian"], province: Some("quangnam") },
    City { id: CityId::NhaTrang, name: "Nha Trang", names: &["nhatrang"], province: Some("khanhhoa") },
    City { id: CityId::HaiPhong, name: "Hải Phòng", names: &["haiphong"], province: None },
    City {
        id: CityId::HaLong,
        name: "Hạ Long",
        names: &["halong", "halongbay", "vinhhalong"],
        province: Some("quangninh"),
    },
    City { id: CityId::SaPa, name: "Sa Pa", names: &["sapa"], province: Some("laocai") },
    City { id: CityId::NinhBinh, name: "Ninh Bình", names: &["ninhbinh"], province: None },
    City { id: CityId::Vinh, name: "Vinh", names: &["vinh"], province: Some("nghean") },
    City {
        id: CityId::QuyNhon,
        name: "Quy Nhơn",
        names: &["quynhon", "quinhon"],
        province: Some("binhdinh"),
    },
    City {
        id: CityId::BuonMaThuot,
        name: "Buôn Ma Thuột",
        names: &["buonmathuot", "buonmethuot", "banmethuot"],
        province: Some("daklak"),
    },
    City {
        id: CityId::PhanThiet,
        name: "Phan Thiết",
        names: &["phanthiet", "muine", "phanthietmuine", "muinephanthiet"],
        province: Some("binhthuan"),
    },
    City { id: CityId::VungTau, name: "Vũng Tàu", names: &["vungtau"], province: Some("bariavungtau") },
    City { id: CityId::CanTho, name: "Cần Thơ", names: &["cantho"], province: None },
    City {
        id: CityId::PhuQuoc,
        name: "Phú Quốc",
        names: &["phuquoc", "daophuquoc", "phuquocisland"],
        province: Some("kiengiang"),
    },
];

/// The city that is meant, with or without diacritics, in any case, short names too (`TP HCM`,
/// `Sài Gòn`, `hn`), `thành phố`, `city`, the province and `Việt Nam` being allowed around it. What is
/// not known is not guessed.
pub fn resolve_city(text: &str) -> Option<&'static City> {
    let squashed = squash(text);
    let rest = without_suffix(&squashed, &["vietnam", "vn"]);
    let rest = ["thanhpho", "tp"].iter().find_map(|prefix| rest.strip_prefix(prefix)).unwrap_or(rest);
    CITIES.iter().find(|city| {
        city.is_called(rest)
            || city
                .province
                .and_then(|province| rest.strip_suffix(province))
                .is_some_and(|name| city.is_called(name))
    })
}

/// The city's own name: by the list where it is known by any name there, else as it is written.
pub fn own_name(text: &str) -> String {
    resolve_city(text).map_or(text, |city| city.name).to_owned()
}

/// Those of `names` that are the city which `text` means: by the list, or written alike but for case,
/// diacritics and blanks; what comes after a comma, `city` and `thành phố` being allowed around it.
/// None where nothing is called so.
pub fn called<'n>(names: &'n [String], text: &str) -> Vec<&'n str> {
    let alike = |wanted: &dyn Fn(&str) -> bool| -> Vec<&'n str> {
        names.iter().map(String::as_str).filter(|name| wanted(name)).collect()
    };
    if let Some(city) = resolve_city(text) {
        return alike(&|name| resolve_city(name) == Some(city));
    }
    let whole = key(text);
    let place = key(text.split([',', '，', '、']).next().unwrap_or(text));
    let bare = without_suffix(&place, &["city"]);
    let bare = ["thanhpho", "tp"].iter().find_map(|prefix| bare.strip_prefix(prefix)).unwrap_or(bare);
    [whole.as_str(), place.as_str(), bare]
        .into_iter()
        .filter(|reading| !reading.is_empty())
        .map(|reading| alike(&|name| key(name) == reading))
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

/// Equal for names that are written alike.
fn key(name: &str) -> String {
    match squash(name) {
        // Nothing but signs: they are all there is to compare.
        squashed if squashed.is_empty() => name.trim().to_owned(),
        squashed => squashed,
    }
}

impl City {
    fn is_called(&self, squashed: &str) -> bool {
        self.names.contains(&without_suffix(squashed, &["city"]))
    }
}

fn without_suffix<'a>(text: &'a str, suffixes: &[&str]) -> &'a str {
    suffixes.iter().find_map(|suffix| text.strip_suffix(suffix)).unwrap_or(text)
}
