use axum::Json;
use serde::Serialize;

use crate::tools::schema::{self, ToolDescription};

#[derive(Serialize)]
pub struct ToolList {
    tools: Vec<ToolDescription>,
}

pub async fn list() -> Json<ToolList> {
    Json(ToolList { tools: schema::all() })
}
