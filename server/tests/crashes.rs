//! The real server dies by SIGKILL at every place that matters and is started again: nothing is lost, nothing
//! is done twice, and nobody sees anything but the truth.

mod crashes {
    mod arming;
    mod every_commit;
    mod guest;
    mod home;
    mod mortal;
    mod over_and_over;
    mod places;
    mod play;
    mod reader;
    mod story;
    mod world;
}
mod support;
