//! The fixed texts.

use super::Lang;

macro_rules! texts {
    ($($name:ident: $vi:literal, $en:literal;)*) => {$(
        #[doc = concat!("“", $en, "”")]
        pub fn $name(lang: Lang) -> &'static str {
            match lang {
                Lang::Vi => $vi,
                Lang::En => $en,
            }
        }
    )*};
}

// The page around the chat.
texts! {
    tagline: "Trợ lý đặt bàn", "Table booking assistant";
    page_description:
        "Hỏi thời tiết, tìm bàn trống và đặt bàn. Không có gì được đặt khi bạn chưa xác nhận.",
        "Ask about the weather, find a free table and book it. Nothing is booked before you confirm.";
    skip_to_composer: "Đến ô nhập tin nhắn", "Skip to the message box";
    demo_model: "Mô hình mẫu", "Demo model";
    demo_model_help:
        "lời thoại theo kịch bản; bàn trống, việc đặt bàn và biên nhận là thật.",
        "its replies are scripted; free tables, bookings and receipts are real.";
    language: "Ngôn ngữ", "Language";
    conversations: "Các cuộc trò chuyện", "Conversations";
    new_conversation: "Cuộc trò chuyện mới", "New conversation";
    untitled: "Chưa có tin nhắn", "No message yet";
    no_conversations: "Các cuộc trò chuyện của bạn sẽ nằm ở đây.", "Your conversations will appear here.";
    waits_for_you: "Chờ bạn quyết định", "Waits for you";
    close: "Đóng", "Close";
    needs_script:
        "Trang này cần JavaScript để gửi tin nhắn. Nội dung bên dưới đúng vào lúc trang được tải.",
        "This page needs JavaScript to send messages. What it shows was true when it was loaded.";
    not_found_title: "Không tìm thấy trang này", "We cannot find this page";
    not_found_body:
        "Cuộc trò chuyện này không có, hoặc không thuộc về trình duyệt đang dùng.",
        "There is no such conversation, or it does not belong to this browser.";
    to_the_start: "Bắt đầu cuộc trò chuyện mới", "Start a new conversation";
}

// An empty conversation.
texts! {
    welcome_title: "Hôm nay mình giúp gì cho bữa ăn của bạn?", "How can we help with your meal today?";
    welcome_body:
        "Hỏi thời tiết, tìm bàn trống rồi đặt bàn, xem đơn hàng hay yêu cầu hoàn tiền. Bạn luôn là người xác nhận, và chỉ biên nhận mới có nghĩa là đã xong.",
        "Ask about the weather, find a free table and book it, look at an order or ask for a refund. You always confirm, and only a receipt means that it is done.";
    suggestions: "Thử một câu hỏi", "Try one of these";
    suggest_weather: "Cuối tuần này Đà Lạt có mưa không?", "Will it rain in Da Lat this weekend?";
    suggest_two_cities: "So sánh thời tiết Hà Nội và Đà Nẵng 3 ngày tới", "Compare the weather in Hanoi and Da Nang for the next 3 days";
    suggest_tables: "Tìm bàn ở Đà Lạt cho 4 người lúc 7 giờ tối mai", "Find a table in Da Lat for 4 people tomorrow at 7 pm";
    suggest_seafood: "Tìm bàn hải sản ở Đà Nẵng cho 2 người, 18:30 thứ Bảy", "Find seafood in Da Nang for 2 people, Saturday at 6:30 pm";
    suggest_bookings: "Xem các bàn tôi đã đặt", "Show my bookings";
    suggest_order: "Đơn hàng gần nhất của tôi", "My latest order";
    suggest_refund: "Hoàn tiền đơn hàng gần nhất của tôi", "Refund my latest order";
}

// Messages.
texts! {
    messages: "Tin nhắn", "Messages";
    you_said: "Bạn", "You";
    assistant_said: "Trợ lý", "Assistant";
    leaves_site: " – mở trang khác trong thẻ mới", " – opens another site in a new tab";
    withdrawn: "Trợ lý đã rút lại phần này; đừng dựa vào nó.", "The assistant has withdrawn this; do not rely on it.";
    reasoning: "Trợ lý đã suy nghĩ", "What the assistant thought";
    jump_to_latest: "Xuống tin mới nhất", "Jump to the latest";
}

// The composer.
texts! {
    your_message: "Tin nhắn của bạn", "Your message";
    message_placeholder: "Nhắn cho trợ lý…", "Message the assistant…";
    send: "Gửi", "Send";
    sending: "Đang gửi…", "Sending…";
    stop: "Dừng", "Stop";
    stopping: "Đang dừng…", "Stopping…";
    composer_help: "Enter để gửi, Shift + Enter để xuống dòng.", "Enter sends, Shift + Enter makes a new line.";
    composer_busy:
        "Trợ lý đang trả lời. Bạn có thể viết trước, gửi được khi trợ lý xong.",
        "The assistant is answering. You can write already and send when it is done.";
    composer_supersedes:
        "Có yêu cầu đang chờ bạn quyết định. Gửi tin nhắn mới sẽ bỏ yêu cầu đó.",
        "A request waits for your decision. Sending a new message withdraws it.";
    composer_loading: "Trang đang khởi động…", "The page is starting…";
    message_too_long: "Tin nhắn quá dài.", "The message is too long.";
    try_again: "Thử lại", "Try again";
    dismiss: "Bỏ qua", "Dismiss";
}

// The connection and the run.
texts! {
    reconnecting: "Mất kết nối, đang kết nối lại…", "Connection lost, reconnecting…";
    offline: "Bạn đang ngoại tuyến. Trang sẽ tự cập nhật khi có mạng.", "You are offline. The page catches up when the network is back.";
    working: "Trợ lý đang trả lời", "The assistant is answering";
    model_retrying: "Trợ lý đang bận, đang thử lại…", "The assistant is busy, trying again…";
    ask_again: "Hỏi lại", "Ask again";
    run_reference: "Mã tham chiếu", "Reference";
    copy: "Chép mã", "Copy";
    copied: "Đã chép", "Copied";
}

// A person at the end of the line.
texts! {
    need_a_person: "Cần người giúp?", "Need a person?";
    the_house: "Liên hệ với chúng tôi", "Contact us";
    send_to_a_person: "Gửi cuộc trò chuyện này cho nhân viên", "Send this conversation to a person";
    field_reply_to: "Số điện thoại hoặc email (không bắt buộc)", "Phone number or e-mail (optional)";
    field_reply_to_help: "Để nhân viên trả lời bạn.", "So that we can answer you.";
    field_handover_note: "Bạn cần giúp gì? (không bắt buộc)", "What do you need? (optional)";
    field_handover_note_help:
        "Nhân viên sẽ thấy cả cuộc trò chuyện này.",
        "Our staff will see this whole conversation.";
    send_handover: "Gửi cho nhân viên", "Send to our staff";
    sent_to_a_person: "Đã gửi cho nhân viên:", "Sent to our staff:";
    handed_over: "Nhân viên sẽ xem cuộc trò chuyện này.", "A person will look at it.";
    handed_over_demo:
        "Cuộc trò chuyện này đã vào danh sách cho nhân viên của nhà hàng.",
        "It is on the list for the house's staff.";
}

// Everything that has an effect is paused.
texts! {
    paused: "Đang tạm ngưng:", "Paused:";
    paused_body:
        "hiện chưa thể đặt, đổi, huỷ bàn hay hoàn tiền.",
        "nothing can be booked, changed, cancelled or refunded at the moment.";
    confirm_paused:
        "Đang tạm ngưng nên chưa thể xác nhận. Chưa có gì thay đổi; câu hỏi này vẫn chờ bạn, hãy thử lại sau.",
        "This is paused, so you cannot confirm now. Nothing has changed; the question still waits for you, so try again later.";
}

// What every card shares.
texts! {
    state_input_streaming: "Đang soạn", "Being prepared";
    state_input_available: "Đang xử lý", "In progress";
    state_approval_requested: "Chờ bạn quyết định", "Waits for you";
    state_approval_responded: "Đã gửi quyết định", "Decision sent";
    state_done: "Xong", "Done";
    state_failed: "Không thành công", "Not successful";
    state_denied: "Bạn đã từ chối", "You declined";
    state_cancelled: "Không thực hiện", "Not carried out";
    state_repeated: "Trùng yêu cầu trước", "Same as before";
    state_unknown: "Chưa rõ kết quả", "Outcome unknown";
    not_known_yet: "Chưa có", "Not known yet";
    changed_since: "Đã thay đổi sau khi trả lời", "Changed since";
    repeated_line:
        "Yêu cầu này trùng với yêu cầu trước và không được thực hiện lần nữa.",
        "This is the same request as an earlier one and was not carried out again.";
    first_is_elsewhere:
        "Kết quả trước vẫn giữ nguyên; bạn xem lại ở một cuộc trò chuyện khác của bạn.",
        "The earlier result stands; you find it in another of your conversations.";
    see_first_card: "Xem kết quả trước", "See the earlier result";
    failure_input: "Hãy nhắn cho trợ lý điều bạn muốn đổi.", "Tell the assistant what you would like to change.";
    failure_assistant: "Đây là lỗi của trợ lý, không phải của bạn.", "This is the assistant's mistake, not yours.";
    failure_tool: "Hãy thử lại sau, hoặc liên hệ trực tiếp với nhà hàng.", "Try again later, or contact the restaurant directly.";
    failure_unavailable: "Việc này hiện không làm được ở đây.", "This cannot be done here at the moment.";
    denied_advice: "Hãy nhắn cho trợ lý nếu bạn muốn đổi điều gì.", "Tell the assistant if you would like something else.";
    unknown_read: "Không rõ việc này có xong hay không.", "It is not known whether this was finished.";
    allow: "Cho phép", "Allow";
    do_not_allow: "Không cho phép", "Do not allow";
    asks_first: "Trợ lý muốn làm việc này và cần bạn đồng ý.", "The assistant wants to do this and needs your agreement.";
}

// getWeather.
texts! {
    weather: "Thời tiết", "Weather";
    sample_data: "Dữ liệu mẫu", "Sample data";
    weather_from_sample:
        "Số liệu mẫu theo trung bình nhiều năm của tháng, không phải dự báo.",
        "Sample figures: typical for the month, not a forecast.";
    forecast_data: "Dự báo", "Forecast";
    weather_attribution: "Dữ liệu thời tiết của Open-Meteo.com", "Weather data by Open-Meteo.com";
    weather_place: "Nơi được chọn:", "Place taken:";
    no_figure: "không có số liệu", "no figure";
    weather_table: "Thời tiết theo ngày", "Weather by day";
    day: "Ngày", "Day";
    days: "Số ngày", "Days";
    sky: "Trời", "Sky";
    rain: "Mưa", "Rain";
    chance_of_rain: "Khả năng mưa", "Chance of rain";
    lowest: "Thấp", "Low";
    highest: "Cao", "High";
    degrees: "độ C", "degrees Celsius";
    weather_failed: "Không lấy được thời tiết", "No weather to show";
    weather_loading: "Đang lấy số liệu…", "Getting the figures…";
    weather_cancelled: "Không hỏi thời tiết nữa", "Weather not asked";
}

// findTables.
texts! {
    find_tables: "Tìm bàn trống", "Free tables";
    tables_searching: "Đang tìm bàn trống…", "Looking for free tables…";
    tables_none:
        "Không có nhà hàng nào còn bàn quanh giờ này. Hãy thử giờ khác, ngày khác hoặc ít người hơn.",
        "No restaurant has a free table around this time. Try another time, another day or fewer people.";
    tables_pick: "Chọn một giờ để gửi lựa chọn của bạn. Chưa có gì được đặt.", "Pick a time to send your choice. Nothing is booked yet.";
    tables_no_times: "Không có giờ trống.", "No free times.";
    tables_failed: "Chưa tìm được bàn", "No tables to show";
    tables_provenance: "Từ lịch của các nhà hàng, vào lúc tìm.", "From the restaurants' calendars, at the time of the search.";
    wanted_time: "Giờ bạn muốn", "The time you asked for";
    city: "Thành phố", "City";
    cuisine: "Món", "Cuisine";
    when: "Thời gian", "When";
    party: "Số người", "Party";
}

// createBooking.
texts! {
    booking: "Đặt bàn", "Booking";
    booking_draft: "Yêu cầu đặt bàn", "Booking request";
    booking_confirm: "Xác nhận đặt bàn", "Confirm your booking";
    booking_running: "Đang đặt bàn…", "Booking…";
    declining: "Đang ghi nhận lựa chọn của bạn…", "Recording your choice…";
    booking_confirmed: "Đã đặt bàn", "Table booked";
    booking_waitlisted: "Đã vào danh sách chờ", "On the waiting list";
    booking_moved_up: "Đã có bàn cho bạn", "You have a table now";
    has_table_now: "Bàn này nay đã được giữ cho bạn.", "This table is now held for you.";
    no_table_any_more: "Đã huỷ, không giữ bàn", "Cancelled, no table is held";
    changed_later: "Đã đổi sau đó", "Changed later";
    booking_not_done: "Chưa đặt được bàn", "Not booked";
    booking_denied: "Bạn đã chọn không đặt", "You chose not to book";
    booking_cancelled: "Không đặt bàn này", "This was not booked";
    booking_unknown: "Chưa rõ đã đặt được hay chưa", "We do not know yet whether it is booked";
    booking_unknown_body:
        "Chúng tôi đang kiểm tra với nhà hàng. Xin đừng đặt lại: nếu bàn đã được giữ, bạn sẽ bị đặt hai lần.",
        "We are checking with the restaurant. Please do not try again: if the table is held, you would book it twice.";
    booking_draft_note:
        "Chưa có gì được đặt. Bạn sẽ được hỏi trước.",
        "Nothing is booked. You will be asked first.";
    booking_provenance: "Từ sổ đặt bàn của nhà hàng.", "From the restaurant's booking record.";
    request_provenance: "Yêu cầu như đã được ghi lại.", "The request as it was recorded.";
    booking_ask_provenance: "Trợ lý đề nghị; chỉ bạn mới xác nhận được.", "Proposed by the assistant; only you can confirm.";
    nothing_booked: "Chưa có gì được đặt.", "Nothing is booked.";
    restaurant: "Nhà hàng", "Restaurant";
    address: "Địa chỉ", "Address";
    reference: "Mã đặt bàn", "Booking reference";
    reference_help: "Đọc mã này khi đến nhà hàng.", "Give this reference at the door.";
    waitlist_reference: "Mã danh sách chờ", "Waiting list reference";
    status: "Tình trạng", "Status";
    status_confirmed: "Đã xác nhận", "Confirmed";
    status_waitlisted: "Chờ bàn trống", "Waiting for a table";
    note: "Lời nhắn", "Note";
    no_note: "Không có", "None";
    receipt_waitlisted_body:
        "Hiện chưa có bàn cho bạn. Bạn đang trong hàng chờ những chỗ trống ra.",
        "There is no table for you yet. You are in line for seats that become free.";
    differs_from_proposed: "Bạn đã sửa so với đề nghị của trợ lý", "What you changed from the assistant's proposal";
    proposed: "Trợ lý đề nghị", "Proposed";
    booked: "Đã đặt", "Booked";
}

// The confirmation form.
texts! {
    form_will_book:
        "Xác nhận sẽ đặt bàn này cho bạn ngay.",
        "Confirming books this table for you right away.";
    form_will_wait:
        "Giờ này đã hết bàn. Xác nhận sẽ đưa bạn vào danh sách chờ, chưa phải là có bàn.",
        "This time is full. Confirming puts you on the waiting list; you do not have a table then.";
    form_will_book_or_wait:
        "Nếu còn bàn, xác nhận sẽ đặt bàn cho bạn ngay. Nếu hết bàn, bạn sẽ vào danh sách chờ.",
        "If there is a table, confirming books it right away. If not, you join the waiting list.";
    field_date: "Ngày", "Date";
    field_date_help: "Theo lịch nơi nhà hàng.", "By the restaurant's calendar.";
    field_time: "Giờ", "Time";
    field_time_help: "Theo giờ nơi nhà hàng.", "By the restaurant's clock.";
    field_party: "Số người", "Party size";
    field_party_help: "Từ 1 đến 20 người.", "From 1 to 20 people.";
    field_note: "Lời nhắn cho nhà hàng (không bắt buộc)", "Note to the restaurant (optional)";
    field_note_help: "Tối đa 300 ký tự, ví dụ: bàn gần cửa sổ.", "Up to 300 characters, for example: a table by the window.";
    confirm_book: "Xác nhận đặt bàn", "Confirm booking";
    confirm_wait: "Vào danh sách chờ", "Join the waiting list";
    confirm_book_or_wait: "Đặt bàn hoặc vào danh sách chờ", "Book, or join the waiting list";
    decline: "Không đặt", "Do not book";
    sending_decision: "Đang gửi quyết định của bạn…", "Sending your decision…";
    decision_taken: "Đã nhận quyết định của bạn.", "Your decision was received.";
    form_has_errors: "Chưa gửi được: hãy sửa các ô được đánh dấu.", "Not sent: please correct the marked fields.";
    edit_changes_answer:
        "Bạn đã sửa thông tin. Chỗ trống sẽ được kiểm tra lại khi bạn xác nhận.",
        "You have changed the details. Availability is checked again when you confirm.";
    question_changed:
        "Câu hỏi này đã thay đổi. Hãy xem lại thẻ mới nhất trước khi quyết định.",
        "This question has changed. Look at the latest card before you decide.";
    past_deadline: "Đã quá hạn trả lời. Nếu vẫn muốn, hãy nhắn lại cho trợ lý.", "The time to answer is over. If you still want this, ask again.";
}

// A booking that is given back, and the list of bookings.
texts! {
    contact: "Liên hệ", "Contact";
    cancelled_reference: "Mã đặt bàn (đã huỷ)", "Booking reference (cancelled)";
    receipt_cancelled_body:
        "Bàn này đã được huỷ. Nhà hàng không còn giữ chỗ cho bạn.",
        "This booking is cancelled. The restaurant does not hold a table for you.";
    booking_was_cancelled: "Bàn này đã được huỷ", "This booking was cancelled";
    status_cancelled: "Đã huỷ", "Cancelled";
    bookings: "Các bàn bạn đã đặt", "Your bookings";
    bookings_loading: "Đang xem các bàn bạn đã đặt…", "Looking up your bookings…";
    bookings_none: "Bạn chưa đặt bàn nào.", "You have no bookings.";
    bookings_to_come: "Sắp tới", "To come";
    bookings_past: "Đã qua", "Past";
    bookings_pick:
        "Đổi và Huỷ gửi yêu cầu của bạn cho trợ lý. Bạn sẽ được hỏi trước khi có gì thay đổi.",
        "Change and Cancel send your wish to the assistant. You are asked before anything changes.";
    bookings_failed: "Chưa xem được các bàn đã đặt", "No bookings to show";
    bookings_cancelled: "Không xem các bàn đã đặt nữa", "Bookings not looked up";
    change: "Đổi", "Change";
    cancel: "Huỷ", "Cancel";
    cancel_draft: "Yêu cầu huỷ bàn", "Cancellation request";
    cancel_draft_note: "Chưa có gì bị huỷ. Bạn sẽ được hỏi trước.", "Nothing is cancelled. You will be asked first.";
    cancel_question: "Huỷ bàn này?", "Cancel this booking?";
    cancel_promise:
        "Xác nhận sẽ huỷ bàn này ngay. Chỗ của bạn sẽ được nhường cho người khác.",
        "Confirming cancels this booking right away. Your place goes to somebody else.";
    cancel_promise_waits:
        "Xác nhận sẽ rút bạn khỏi danh sách chờ ngay. Chỗ của bạn trong hàng sẽ mất.",
        "Confirming takes you off the waiting list right away. You lose your place in line.";
    cancel_confirm: "Huỷ bàn", "Cancel the booking";
    cancel_decline: "Giữ lại bàn", "Keep the booking";
    cancel_confirm_waits: "Rút khỏi danh sách chờ", "Leave the waiting list";
    cancel_decline_waits: "Tiếp tục chờ", "Keep waiting";
    cancel_running: "Đang huỷ bàn…", "Cancelling…";
    cancel_done: "Đã huỷ bàn", "Booking cancelled";
    cancel_failed: "Chưa huỷ bàn", "Not cancelled";
    cancel_before: "Bàn này đã được huỷ từ trước", "Cancelled before";
    cancel_denied: "Bạn đã chọn không huỷ", "You chose not to cancel";
    cancel_unknown: "Chưa rõ đã huỷ được hay chưa", "We do not know yet whether it is cancelled";
    cancel_unknown_body:
        "Chúng tôi đang kiểm tra với nhà hàng. Xin đừng thử lại.",
        "We are checking with the restaurant. Please do not try again.";
    nothing_cancelled: "Không có gì bị huỷ.", "Nothing was cancelled.";
}

// A booking that is changed.
texts! {
    change_draft: "Yêu cầu đổi bàn", "Change request";
    change_draft_note: "Chưa có gì thay đổi. Bạn sẽ được hỏi trước.", "Nothing is changed. You will be asked first.";
    change_question: "Đổi bàn này?", "Change this booking?";
    change_promise:
        "Xác nhận sẽ đổi ngay. Bàn cũ được giữ cho đến khi có bàn mới.",
        "Confirming changes it right away. The old place is kept until the new one is certain.";
    change_promise_waits:
        "Giờ mới đã hết bàn. Xác nhận sẽ đưa bạn vào danh sách chờ của giờ đó.",
        "The new time is full. Confirming puts you on the waiting list for it.";
    change_promise_table:
        "Giờ mới còn bàn. Xác nhận sẽ giữ bàn đó cho bạn ngay.",
        "The new time has room. Confirming gives you that table right away.";
    change_promise_either:
        "Nếu giờ mới còn bàn, xác nhận sẽ giữ bàn đó cho bạn. Nếu hết bàn, bạn sẽ vào danh sách chờ của giờ đó.",
        "If the new time has room, confirming gives you that table. If not, you join the waiting list for it.";
    change_now: "Hiện tại", "As it is now";
    change_fields: "Đổi thành", "Change to";
    change_nothing: "Chưa có gì khác với bàn hiện tại.", "Nothing differs from the booking as it is.";
    change_wanted: "Muốn đổi", "The change that was asked for";
    change_other_times: "Các giờ còn bàn:", "Times with room:";
    change_done: "Đã đổi bàn", "Booking changed";
    change_done_waits: "Đã đổi, đang trong danh sách chờ", "Changed, on the waiting list";
    change_confirm: "Xác nhận đổi", "Confirm the change";
    change_decline: "Giữ như cũ", "Keep it as it is";
    change_running: "Đang đổi bàn…", "Changing…";
    change_failed: "Chưa đổi được bàn", "Not changed";
    change_denied: "Bạn đã chọn giữ như cũ", "You chose to keep it as it is";
    change_unknown: "Chưa rõ đã đổi được hay chưa", "We do not know yet whether it is changed";
    change_unknown_body:
        "Chúng tôi đang kiểm tra với nhà hàng. Xin đừng thử lại.",
        "We are checking with the restaurant. Please do not try again.";
    change_to_be_made: "Sẽ đổi", "What will change";
    change_made: "Đã đổi", "What has changed";
    before: "Trước", "Before";
    after: "Sau", "After";
    nothing_changed: "Không có gì thay đổi.", "Nothing was changed.";
}

// getOrder.
texts! {
    order: "Đơn hàng", "Order";
    order_latest: "Đơn hàng gần nhất", "Your latest order";
    order_loading: "Đang xem đơn hàng…", "Looking up the order…";
    order_failed: "Chưa xem được đơn hàng", "No order to show";
    order_cancelled: "Không xem đơn hàng nữa", "Order not looked up";
    order_placed: "Đặt lúc", "Placed";
    order_items: "Các món", "What was ordered";
    order_total: "Tổng cộng", "Total";
    order_refunds: "Các lần hoàn tiền", "Refunds";
    order_provenance: "Từ sổ đơn hàng, vào lúc xem.", "From the record of orders, at the time it was looked up.";
    paid_with: "Thanh toán bằng", "Paid with";
    order_preparing: "Đang chuẩn bị", "Being prepared";
    order_delivered: "Đã giao", "Delivered";
    own_orders: "Đơn hàng của bạn:", "Your own orders:";
}

// refundOrder.
texts! {
    refund_draft: "Yêu cầu hoàn tiền", "Refund request";
    refund_draft_note:
        "Chưa có gì được hoàn. Bạn sẽ được hỏi trước.",
        "Nothing is refunded. You will be asked first.";
    refund_question: "Hoàn tiền đơn này?", "Refund this order?";
    refund_promise:
        "Xác nhận sẽ gửi yêu cầu hoàn tiền. Tiền chỉ về khi thẻ này báo đã hoàn.",
        "Confirming asks for this refund. The money is back only when this card says so.";
    refund_confirm: "Xác nhận hoàn tiền", "Confirm the refund";
    refund_decline: "Không hoàn tiền", "Do not refund";
    refund_running: "Đang gửi yêu cầu hoàn tiền…", "Asking for the refund…";
    refund_submitted: "Đã gửi yêu cầu hoàn tiền", "Refund asked for";
    refund_submitted_body:
        "Yêu cầu đã được gửi, tiền chưa về. Khi tiền về, thẻ này sẽ cho bạn biết.",
        "The refund was asked for; the money is not back yet. We will show it here when it is.";
    refund_succeeded: "Đã hoàn tiền", "Refunded";
    refund_failed: "Hoàn tiền không thành công", "The refund failed";
    refund_failed_body:
        "Khoản hoàn này đã thất bại: tiền không về.",
        "This refund failed: the money did not come back.";
    refund_failed_advice:
        "Bạn có thể yêu cầu hoàn tiền lần nữa, hoặc nhờ nhân viên giúp.",
        "You may ask for the refund again, or ask a person.";
    refund_not_done: "Chưa hoàn tiền", "Not refunded";
    refund_denied: "Bạn đã chọn không hoàn tiền", "You chose not to ask for a refund";
    refund_cancelled: "Không yêu cầu hoàn tiền", "No refund was asked for";
    refund_unknown: "Chưa rõ đã hoàn tiền hay chưa", "We do not know yet whether it is refunded";
    refund_unknown_body:
        "Chúng tôi chưa biết khoản hoàn tiền đã được thực hiện hay chưa. Chúng tôi đang kiểm tra; xin đừng yêu cầu lại.",
        "We do not know yet whether the refund went through. We are checking; do not try again.";
    nothing_refunded: "Yêu cầu này không hoàn khoản nào.", "Nothing was refunded by this request.";
    refund_ask: "Yêu cầu hoàn tiền", "Ask for a refund";
    refund_has_a_card:
        "Yêu cầu hoàn tiền của đơn này có thẻ riêng trong cuộc trò chuyện này.",
        "A refund of this order has a card of its own in this conversation.";
    refund_ask_again: "Yêu cầu lại", "Ask again for the refund";
    refund_asked_for: "Số tiền yêu cầu hoàn", "Asked for";
    refund_given_back: "Số tiền đã hoàn", "Refunded";
    refund_not_given_back: "Số tiền không hoàn được", "Not refunded";
    refund_amount: "Số tiền", "Amount";
    refund_reason: "Lý do", "Reason";
    refund_number: "Mã hoàn tiền", "Refund number";
    refund_created_at: "Yêu cầu lúc", "Asked for at";
    refund_settled_at: "Tiền về lúc", "Returned at";
    refund_failed_at: "Thất bại lúc", "Failed at";
    refund_left: "Còn có thể hoàn", "Can still be refunded";
    refund_being_checked: "Đang kiểm tra đã hoàn chưa", "Being checked whether it was refunded";
    refunded_so_far: "Đã hoàn hoặc đang hoàn", "Refunded or under way";
    refund_from_ledger: "Từ sổ hoàn tiền của chúng tôi.", "From our own ledger of refunds.";
    refund_from_stripe: "Theo Stripe, đơn vị thanh toán.", "As Stripe, the payment provider, has it.";
    payee: "Hoàn về", "Goes back to";
    all_that_is_left: "Toàn bộ phần còn lại", "All that is left";
    asked_for: "Đã yêu cầu", "Asked for";
    refund_status_submitted: "Đã gửi, tiền chưa về", "Submitted, not back yet";
    refund_status_succeeded: "Đã hoàn", "Refunded";
    refund_status_failed: "Không thành công", "Failed";
    refund_status_unknown: "Chưa rõ, đang kiểm tra", "Not known yet, being checked";
    field_amount: "Số tiền hoàn (đồng)", "Amount to refund (đồng)";
    field_reason: "Lý do", "Reason";
    field_reason_help: "Tối đa 300 ký tự.", "Up to 300 characters.";
}

// A tool that this version does not know.
texts! {
    untyped_title: "Công cụ không có trong phiên bản này", "A tool that this version does not have";
    untyped_input: "Thông tin gửi đi", "What was asked";
    untyped_preview: "Điều máy chủ tra được", "What the server looked up";
    untyped_output: "Kết quả", "Result";
    untyped_body:
        "Trang không biết cách trình bày công cụ này nên hiện nguyên dữ liệu đã ghi.",
        "The page does not know how to present this tool, so it shows the recorded data as it is.";
    untyped_waits:
        "Yêu cầu này đang chờ quyết định, nhưng phiên bản này không thể hỏi bạn. Không có gì được thực hiện.",
        "This request waits for a decision that this version cannot ask for. Nothing is carried out.";
    untyped_unknown:
        "Chưa rõ việc này đã được thực hiện hay chưa. Xin đừng thử lại.",
        "It is not known whether this was carried out. Please do not try again.";
}

// A turn's last line.
texts! {
    nothing_happened:
        "Không có gì được đặt, thay đổi hay thanh toán.",
        "Nothing was booked, changed or paid.";
    nothing_new_happened:
        "Không có gì mới được đặt, thay đổi hay thanh toán; kết quả trước vẫn giữ nguyên.",
        "Nothing new was booked, changed or paid; the earlier outcome stands.";
    nothing_yet:
        "Chưa có gì được đặt, thay đổi hay thanh toán.",
        "Nothing is booked, changed or paid yet.";
    nothing_else: "Ngoài ra không có gì được đặt, thay đổi hay thanh toán.", "Nothing else was booked, changed or paid.";
    outcome_of_turn: "Kết quả của lượt này", "Outcome of this turn";
}
