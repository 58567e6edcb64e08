//! How far the text of a call's arguments has come, by its brackets: enough to tell which call a fragment can
//! belong to. Whether it is JSON is asked when it is whole, and not here.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// Nothing but white space.
    #[default]
    Blank,
    Open,
    /// An object that has ended.
    Closed,
}

#[derive(Default)]
pub struct Brackets {
    extent: Extent,
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Brackets {
    pub fn extent(&self) -> Extent {
        self.extent
    }

    pub fn add(&mut self, text: &str) {
        for byte in text.bytes() {
            self.add_byte(byte);
        }
    }

    fn add_byte(&mut self, byte: u8) {
        match self.extent {
            Extent::Blank if byte.is_ascii_whitespace() => {}
            Extent::Blank => {
                self.extent = Extent::Open;
                self.depth = usize::from(byte == b'{');
            }
            // What follows an object makes the whole no JSON, but no longer object.
            Extent::Closed => {}
            Extent::Open if self.in_string => match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            },
            // Not an object: nothing closes it.
            Extent::Open if self.depth == 0 => {}
            Extent::Open => match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        self.extent = Extent::Closed;
                    }
                }
                _ => {}
            },
        }
    }
}
