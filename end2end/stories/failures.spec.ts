import { expect, freshEvening, RESTAURANT } from '../fixtures/chat.ts';
import { test } from '../fixtures/model.ts';
import { VI } from '../fixtures/words.ts';

test('arguments that are no good are two cards of failure; the third proposal is asked about', async ({ chat }) => {
  await chat.open('/?persona=sloppy');
  await chat.wishFor(freshEvening());

  const failed = chat.cards('createBooking', 'output-error');
  await expect(failed).toHaveCount(2);
  for (const card of await failed.all()) {
    await expect(card.getByRole('heading', { name: 'Chưa đặt được bàn' })).toBeVisible();
    await expect(card).toContainText('Chưa có gì được đặt.');
    await expect(card).toContainText('Trợ lý đưa thông tin chưa hợp lệ.');
    await expect(card.getByRole('button')).toHaveCount(0);
  }
  await chat.form.confirm.click();
  await expect(chat.receipts).toHaveCount(1);
  await expect(chat.outcomes).toContainText('2 yêu cầu không được thực hiện.');
});

test('a time at which the restaurant is closed is refused with its opening hours', async ({ chat }) => {
  await chat.open();
  await chat.wishFor(freshEvening());
  await chat.declineForm();
  await chat.ask('đổi sang 23 giờ');

  const card = chat.cards('createBooking', 'output-error');
  await expect(card).toContainText('Chưa có gì được đặt.');
  await expect(card).toContainText('Nhà hàng đóng cửa vào giờ này. Hôm đó mở cửa 10:00–22:00.');
  await expect(chat.outcomes.last()).toContainText(VI.nothing);
  await expect(chat.form.card).toHaveCount(0);
});

test('a city without restaurants is refused with the cities that have some', async ({ chat }) => {
  await chat.open();
  await chat.ask('Tìm bàn ở Huế cho 2 người lúc 7 giờ tối mai');

  const card = chat.cards('findTables', 'output-error');
  await expect(card.getByRole('heading', { name: 'Chưa tìm được bàn' })).toBeVisible();
  await expect(card).toContainText('Chưa có dữ liệu cho nơi này. Hiện có:');
  await expect(card).toContainText('Đà Lạt');
});

test('a stream that breaks off in the middle of a call runs nothing, and the guest can ask again', async ({ chat }) => {
  await chat.open('/?persona=cut');
  await chat.ask(VI.wish(freshEvening()));

  const card = chat.cards('createBooking', 'output-cancelled');
  await expect(card).toContainText('Lượt của trợ lý kết thúc giữa chừng nên việc này không được thực hiện.');
  await expect(card).toContainText('Chưa có gì được đặt.');
  await expect(chat.outcomes).toContainText(VI.nothing);
  const ended = chat.page.locator('[data-run-status="interrupted"]');
  await expect(ended).toContainText('Kết nối với trợ lý bị ngắt giữa chừng.');
  await expect(ended).toContainText('Cần người giúp?');
  await expect(ended.locator('code')).not.toBeEmpty();

  // It breaks off again; the page is none the worse for it.
  await ended.getByRole('button', { name: 'Hỏi lại' }).click();
  await expect(card).toHaveCount(2);
  await expect(chat.outcomes).toHaveCount(2);
  await expect(ended).toBeVisible();
  await expect(chat.receipts).toHaveCount(0);
});

test('a question that nobody answers in time expires by itself', async ({ chat, startServer }) => {
  const server = await startServer({ TRUTHTABLE_APPROVAL_SECONDS: '1' });
  await chat.open(server.url);
  await chat.say(VI.wish(freshEvening()));

  const card = chat.cards('createBooking', 'output-cancelled');
  await expect(card).toContainText('Đã quá hạn trả lời nên yêu cầu này không còn hiệu lực.');
  await expect(card).toContainText('Chưa có gì được đặt.');
  await expect(card.getByRole('button')).toHaveCount(0);
  await expect(chat.outcomes).toContainText(VI.nothing);
  await expect(chat.page.locator('[data-run-status="cancelled"]')).toBeVisible();
});

test('a new message withdraws the question that waits', async ({ chat }) => {
  await chat.open();
  await chat.wishFor(freshEvening());
  await expect(chat.hint).toHaveText('Có yêu cầu đang chờ bạn quyết định. Gửi tin nhắn mới sẽ bỏ yêu cầu đó.');
  await chat.say('Thời tiết Đà Lạt hôm nay thế nào?');

  const card = chat.cards('createBooking', 'output-cancelled');
  await expect(card).toContainText('Bạn đã gửi tin nhắn mới nên yêu cầu này không còn hiệu lực.');
  await expect(card.getByRole('button')).toHaveCount(0);
  await expect(chat.cards('getWeather', 'output-available')).toHaveCount(1);
  await chat.settled();
  await expect(chat.outcomes).toHaveText([new RegExp(VI.nothing), new RegExp(VI.nothing)]);
});

test('the same request once more points to the first card and books nothing', async ({ chat }) => {
  const evening = freshEvening();
  await chat.open();
  await (await chat.wishFor(evening)).confirm.click();
  await expect(chat.receipts).toHaveCount(1);
  await chat.settled();
  await chat.ask(VI.wish(evening));

  const repeated = chat.cards('createBooking', 'output-cancelled');
  await expect(repeated).toContainText('Yêu cầu này trùng với yêu cầu trước');
  await expect(chat.receipts).toHaveCount(1);
  await expect(chat.outcomes.last()).toContainText('Không có gì mới được đặt');
  const first = await chat.receipts.getAttribute('id');
  await expect(repeated.getByRole('link', { name: 'Xem kết quả trước' })).toHaveAttribute('href', `#${first}`);
});

test('the same restaurant and time for other people is told as a conflict', async ({ chat }) => {
  const evening = freshEvening();
  await chat.open();
  await (await chat.wishFor(evening, 2)).confirm.click();
  await expect(chat.receipts).toHaveCount(1);
  await chat.settled();
  await chat.ask(VI.wish(evening, 3));

  await expect(chat.cards('createBooking', 'output-error')).toContainText(
    'Bạn đã có một yêu cầu cho đúng nhà hàng và giờ này với thông tin khác.',
  );
  await expect(chat.receipts).toHaveCount(1);
  await expect(chat.receipts).toContainText('2 người');
});

test('a tool that does not exist is an honest card with nothing to press', async ({
  chat,
  scriptModel,
  startServer,
}) => {
  const model = await scriptModel(
    { blocks: [{ call: 'orderCake', input: { layers: 3 } }] },
    { blocks: [{ text: 'Bánh đã được đặt!' }] },
  );
  const server = await startServer(model);
  await chat.open(server.url);
  await chat.ask('Đặt giúp tôi một cái bánh');

  const card = chat.page.locator('[data-tool="orderCake"]');
  await expect(card).toHaveAttribute('data-state', 'output-error');
  await expect(card).toContainText('Trợ lý gọi một công cụ không có.');
  await expect(card.getByRole('button')).toHaveCount(0);
  await expect(chat.receipts).toHaveCount(0);
  await expect(chat.outcomes).toContainText(VI.nothing);
});

test('too many tool errors end the turn in plain words, with a reference and a person', async ({
  chat,
  startServer,
}) => {
  const server = await startServer({ TRUTHTABLE_MAX_TOOL_ERRORS: '2' });
  await chat.open(`${server.url}/?persona=sloppy`);
  await chat.ask(VI.wish(freshEvening()));

  const ended = chat.page.locator('[data-run-status="too-many-tool-errors"]');
  await expect(ended).toContainText('Trợ lý gặp lỗi quá nhiều lần nên dừng lại mà chưa trả lời xong.');
  await expect(ended).toContainText('Cần người giúp?');
  await expect(ended.locator('code')).not.toBeEmpty();
  await expect(chat.receipts).toHaveCount(0);
});

test('a booking that another device has declined is shown as declined, whatever is pressed here', async ({
  chat,
  watch,
}) => {
  watch.allow(/status of 409/);
  await chat.open();
  const form = await chat.wishFor(freshEvening());
  // A tab that is not seen hears nothing of what happens elsewhere.
  await chat.turn('hidden');
  const other = await chat.anotherTab();
  await other.form.decline.click();
  await expect(other.cards('createBooking', 'output-denied')).toBeVisible();

  await form.confirm.click();
  await expect(form.card).toContainText('Yêu cầu này đã bị từ chối trước đó; không có gì được đặt hay thay đổi.');
  await expect(form.confirm).toBeDisabled();
  await expect(chat.receipts).toHaveCount(0);
  await expect(form.card).toContainText(RESTAURANT);
});
