//! The JSON Schema of a file, from the types that read it.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use serde_json::Value;

use crate::restaurants::file::RestaurantsFile;
use crate::tools::schema::without_rust;

/// JSON Schema (2020-12) of what `truthtable import` takes, in one piece without references.
pub fn file_schema() -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize().with(|settings| {
        settings.inline_subschemas = true;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<RestaurantsFile>();
    tidy(&mut schema);
    schema.to_value()
}

fn tidy(schema: &mut Schema) {
    transform_subschemas(&mut tidy, schema);
    without_rust(schema);
}
