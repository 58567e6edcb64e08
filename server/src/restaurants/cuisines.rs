//! What people call a cuisine, in Vietnamese and in English.

use super::fold::{fold, has_phrase};

struct Cuisine {
    /// As restaurants have it, folded.
    name: &'static str,
    /// Folded phrases that ask for it.
    phrases: &'static [&'static str],
}

/// The kitchens of a region are Vietnamese too.
const CUISINES: &[Cuisine] = &[
    Cuisine {
        name: "mon viet",
        phrases: &["viet", "vietnamese", "viet nam", "vietnam", "com nha", "truyen thong", "traditional"],
    },
    Cuisine {
        name: "mon ha noi",
        phrases: &[
            "ha noi",
            "hanoi",
            "mien bac",
            "northern",
            "bun cha",
            "viet",
            "vietnamese",
            "viet nam",
            "vietnam",
        ],
    },
    Cuisine {
        name: "mon quang",
        phrases: &["quang", "mi quang", "mien trung", "central", "viet", "vietnamese", "viet nam", "vietnam"],
    },
    Cuisine { name: "hai san", phrases: &["hai san", "do bien", "seafood", "sea food", "fish", "shellfish"] },
    Cuisine { name: "mon chay", phrases: &["chay", "vegetarian", "vegan", "veggie", "plant based"] },
    Cuisine {
        name: "lau va nuong",
        phrases: &["lau", "nuong", "hotpot", "hot pot", "bbq", "barbecue", "grill", "grilled"],
    },
    Cuisine { name: "mon au", phrases: &["au", "chau au", "mon tay", "do tay", "european", "western"] },
    Cuisine { name: "mon nhat", phrases: &["nhat", "nhat ban", "japanese", "japan", "sushi"] },
];

/// Whether a restaurant of this cuisine is what `wanted` asks for.
pub fn matches(cuisine: &str, wanted: &str) -> bool {
    let (cuisine, wanted) = (fold(cuisine), fold(wanted));
    has_phrase(&cuisine, &wanted)
        || has_phrase(&wanted, &cuisine)
        || CUISINES
            .iter()
            .filter(|known| known.name == cuisine)
            .flat_map(|known| known.phrases)
            .any(|phrase| has_phrase(&wanted, phrase))
}
