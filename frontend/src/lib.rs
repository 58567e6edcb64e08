//! The browser's entry: hydrates, and nothing else.

/// Called by the page's script once the module is there.
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    app::hydrate();
}
