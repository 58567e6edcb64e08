import { expect, freshEvening, test } from '../fixtures/chat.ts';

const isStream = (request: { url(): string }) => new URL(request.url()).pathname.endsWith('/events');

test('the server restarts while a form waits: the page comes back, and the decision counts', async ({
  chat,
  startServer,
  watch,
}) => {
  watch.allow(/ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE/);
  const server = await startServer();
  await chat.open(server.url);
  const form = await chat.wishFor(freshEvening());
  await form.note.fill('Bàn yên tĩnh');

  await server.stop('SIGKILL');
  await expect(chat.page.getByText('Mất kết nối, đang kết nối lại…')).toBeVisible();
  await server.start();
  await expect(chat.page.getByText('Mất kết nối, đang kết nối lại…')).toHaveCount(0);

  // What was typed meanwhile is still there.
  await expect(form.note).toHaveValue('Bàn yên tĩnh');
  await form.confirm.click();
  await expect(chat.receipts).toHaveCount(1);
  await expect(chat.receipts).toContainText('Bàn yên tĩnh');
  await chat.settled();
  await expect(chat.outcomes).toHaveCount(1);
});

test('the form is there again where the page is opened after a restart', async ({ chat, startServer, watch }) => {
  watch.allow(/ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE/);
  const server = await startServer();
  await chat.open(server.url);
  await chat.wishFor(freshEvening());
  await server.restart();

  await chat.page.reload();
  await chat.alive();
  await chat.form.confirm.click();
  await expect(chat.receipts).toHaveCount(1);
});

test('offline and back: the page says so, then shows once what has happened meanwhile', async ({ chat, watch }) => {
  watch.allow(/ERR_INTERNET_DISCONNECTED/);
  const banner = chat.page.getByText('Bạn đang ngoại tuyến. Trang sẽ tự cập nhật khi có mạng.');
  await chat.open();
  await chat.ask('Thời tiết Đà Lạt hôm nay thế nào?');

  await chat.page.context().setOffline(true);
  await expect(banner).toBeVisible();
  await chat.sayElsewhere('Thời tiết Hà Nội hôm nay thế nào?');
  // What cannot be sent stays in the box, with a way on.
  await chat.say('Thời tiết Huế hôm nay thế nào?');
  await expect(chat.page.getByRole('alert')).toContainText('Không kết nối được với máy chủ.');
  await expect(chat.composer).toHaveValue('Thời tiết Huế hôm nay thế nào?');

  await chat.page.context().setOffline(false);
  await expect(banner).toHaveCount(0);
  await expect(chat.outcomes).toHaveCount(2);
  await expect(chat.messages.filter({ hasText: 'Thời tiết Hà Nội hôm nay' })).toHaveCount(1);
  await chat.settled();
  await chat.page.getByRole('alert').getByRole('button', { name: 'Thử lại' }).click();
  await expect(chat.outcomes).toHaveCount(3);
  await expect(chat.composer).toHaveValue('');
  await expect(chat.cards('getWeather', 'output-available')).toHaveCount(3);

  const shown = await chat.messages.allInnerTexts();
  expect(shown).toHaveLength(6);
  await chat.page.reload();
  await chat.alive();
  expect(await chat.messages.allInnerTexts()).toEqual(shown);
});

test('a message whose answer got lost is not sent twice', async ({ chat, watch }) => {
  watch.allow(/ERR_CONNECTION_RESET/);
  await chat.open();
  await chat.ask('Thời tiết Đà Lạt hôm nay thế nào?');
  // It arrives; the answer does not.
  await chat.page.route(
    '**/messages',
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await chat.say('Thời tiết Hà Nội hôm nay thế nào?');

  await expect(chat.outcomes).toHaveCount(2);
  await expect(chat.messages).toHaveCount(4);
  // The stream has shown it, so nothing is left to be sent again.
  await expect(chat.composer).toHaveValue('');
  await expect(chat.page.getByRole('alert')).toHaveCount(0);
});

test('a hidden tab gives its stream back, and catches up once it is seen', async ({ chat }) => {
  await chat.open();
  await chat.ask('Thời tiết Đà Lạt hôm nay thế nào?');

  const closed = chat.page.waitForEvent('requestfailed', isStream);
  await chat.turn('hidden');
  await closed;
  await chat.sayElsewhere('Thời tiết Hà Nội hôm nay thế nào?');
  const other = await chat.anotherTab();
  await expect(other.outcomes).toHaveCount(2);
  // Not a word of it came here.
  await expect(chat.messages).toHaveCount(2);

  const opened = chat.page.waitForRequest(isStream);
  await chat.turn('visible');
  expect((await opened).url()).toMatch(/after=[1-9]\d*$/);
  await expect(chat.outcomes).toHaveCount(2);
  await expect(chat.messages).toHaveCount(4);
});

test('a stream that the server refuses is opened again', async ({ chat, watch }) => {
  watch.allow(/status of 503/);
  let refused = 0;
  await chat.page.route('**/events*', async (route) => {
    if (refused < 2) {
      refused += 1;
      await route.fulfill({ status: 503, body: '' });
    } else {
      await route.continue();
    }
  });
  await chat.open();
  await chat.ask('Thời tiết Đà Lạt hôm nay thế nào?');

  expect(refused).toBe(2);
  await expect(chat.messages).toHaveCount(2);
  await expect(chat.page.locator('.link__words')).toHaveCount(0);
});

test('a stream that ends in the middle of an answer goes on where it was', async ({ chat, startServer, watch }) => {
  watch.allow(/ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE/);
  const server = await startServer({ TRUTHTABLE_DEMO_PACE: '1' });
  await chat.open(server.url);
  await chat.say('Bạn làm được gì?');
  await chat.messages.nth(1).locator('.message__text').waitFor();
  await server.restart();

  await expect(chat.outcomes).toHaveCount(1);
  await chat.settled();
  const shown = await chat.messages.allInnerTexts();
  await chat.page.reload();
  await chat.alive();
  expect(await chat.messages.allInnerTexts()).toEqual(shown);
});
