import { expect, freshEvening, test } from '../fixtures/chat.ts';

const LIST = { name: 'Các cuộc trò chuyện' };

test('conversations are listed, newest first, and the one that waits for the guest is marked', async ({ chat }) => {
  await chat.open();
  const rows = chat.page.getByRole('navigation', LIST).getByRole('listitem');
  await expect(chat.page.getByText('Các cuộc trò chuyện của bạn sẽ nằm ở đây.')).toBeVisible();
  await chat.ask('Thời tiết Đà Lạt hôm nay thế nào?');
  await expect(rows).toHaveText(['Thời tiết Đà Lạt hôm nay thế nào?']);
  const weather = await chat.conversation();

  await chat.page.getByRole('link', { name: 'Cuộc trò chuyện mới' }).click();
  await chat.alive();
  await expect(chat.messages).toHaveCount(0);
  const form = await chat.wishFor(freshEvening());
  await expect(rows).toHaveText([/^Đặt bàn Mây Núi.*Chờ bạn quyết định$/, 'Thời tiết Đà Lạt hôm nay thế nào?']);
  await expect(rows.first().getByRole('link')).toHaveAttribute('aria-current', 'page');

  // The other conversation, where the waiting one is still marked; and back to it.
  await rows.last().getByRole('link').click();
  await chat.page.waitForURL(`**/c/${weather}`);
  await chat.alive();
  await expect(chat.cards('getWeather', 'output-available')).toHaveCount(1);
  await expect(rows.first()).toContainText('Chờ bạn quyết định');
  await rows.first().getByRole('link').click();
  await expect(form.confirm).toBeEnabled();
  await form.confirm.click();
  await expect(chat.receipts).toHaveCount(1);
  await expect(rows.first()).not.toContainText('Chờ bạn quyết định');
});

test('back and forward lead between conversations', async ({ chat }) => {
  await chat.open();
  await chat.ask('Thời tiết Đà Lạt hôm nay thế nào?');
  await chat.page.goBack();
  await chat.alive();
  await expect(chat.page.getByRole('heading', { name: 'Hôm nay mình giúp gì cho bữa ăn của bạn?' })).toBeVisible();
  await chat.page.goForward();
  await chat.alive();
  await expect(chat.cards('getWeather', 'output-available')).toHaveCount(1);
});

test('an address that leads nowhere is told in a friendly way', async ({ chat, watch }) => {
  watch.allow(/status of 404/);
  const answer = await chat.page.goto('/c/01a22df0-0000-7000-8000-000000000000');
  expect(answer?.status()).toBe(404);
  await expect(chat.page.getByRole('heading', { name: 'Không tìm thấy trang này' })).toBeVisible();
  await chat.page.getByRole('link', { name: 'Bắt đầu cuộc trò chuyện mới' }).click();
  await chat.alive();
  await chat.ask('Xin chào');
});

test('another guest’s conversation does not exist', async ({ chat, openContext, watch }) => {
  watch.allow(/status of 404/);
  await chat.open();
  await (await chat.wishFor(freshEvening())).confirm.click();
  await expect(chat.receipts).toHaveCount(1);

  const stranger = await openContext();
  const answer = await stranger.goto(chat.page.url());
  expect(answer?.status()).toBe(404);
  await expect(stranger.getByRole('heading', { name: 'Không tìm thấy trang này' })).toBeVisible();
  await expect(stranger.locator('[data-receipt]')).toHaveCount(0);
  await expect(stranger.getByText('Mây Núi')).toHaveCount(0);
});

test('a suggestion on the empty page is sent with one press', async ({ chat }) => {
  await chat.open();
  await chat.page.getByRole('button', { name: 'So sánh thời tiết Hà Nội và Đà Nẵng 3 ngày tới' }).click();
  await expect(chat.cards('getWeather', 'output-available')).toHaveCount(2);
});
