import { expect, test } from '../fixtures/chat.ts';

test('the weather comes as a card that says that its figures are samples', async ({ chat }) => {
  await chat.open();
  await chat.ask('Thời tiết Đà Lạt 3 ngày tới thế nào?');

  const card = chat.cards('getWeather', 'output-available');
  await expect(card).toHaveCount(1);
  await expect(card.getByRole('heading', { name: 'Thời tiết · Đà Lạt' })).toBeVisible();
  await expect(card.getByText('Dữ liệu mẫu', { exact: true })).toBeVisible();
  await expect(card.getByText(/không phải dự báo/)).toBeVisible();

  const table = card.getByRole('table', { name: 'Thời tiết theo ngày' });
  await expect(table.getByRole('columnheader')).toHaveText(['Ngày', 'Trời', 'Mưa', 'Thấp', 'Cao']);
  await expect(table.getByRole('rowheader')).toHaveCount(3);
  await expect(table.getByRole('row').nth(1).getByRole('cell').last()).toHaveText(/^\d+° độ C$/);
  await expect(chat.outcomes).toHaveText(/Không có gì được đặt, thay đổi hay thanh toán\.$/);
});

test('while the weather is on its way, a skeleton keeps its place', async ({ chat, startServer }) => {
  const server = await startServer({ TRUTHTABLE_DEMO_PACE: '1' });
  await chat.open(server.url);
  const skeleton = chat.glimpse('[data-tool="getWeather"][data-state="input-streaming"] [aria-busy="true"] .skeleton');
  await chat.say('Thời tiết Đà Lạt 7 ngày tới');

  expect(await skeleton).toBe(true);
  const card = chat.cards('getWeather');
  await expect(card.getByRole('table')).toBeVisible();
  await expect(card.locator('.skeleton')).toHaveCount(0);
});

test('two cities in one question are two cards', async ({ chat }) => {
  await chat.open();
  await chat.ask('So sánh thời tiết Hà Nội và Đà Nẵng 3 ngày tới');

  const cards = chat.cards('getWeather', 'output-available');
  await expect(cards.getByRole('heading')).toHaveText(['Thời tiết · Hà Nội', 'Thời tiết · Đà Nẵng']);
  await expect(chat.cards('getWeather')).toHaveCount(2);
  // One turn, so one last line.
  await expect(chat.outcomes).toHaveCount(1);
});

test.describe('in English', () => {
  test.use({ locale: 'en-GB' });

  test('the weather of two cities reads in English', async ({ chat }) => {
    await chat.open();
    await chat.ask('Compare the weather in Hanoi and Da Nang for the next 3 days');

    const cards = chat.cards('getWeather', 'output-available');
    await expect(cards.getByRole('heading')).toHaveText(['Weather · Hà Nội', 'Weather · Đà Nẵng']);
    await expect(cards.first().getByText('Sample data', { exact: true })).toBeVisible();
    await expect(cards.first().getByRole('columnheader')).toHaveText(['Day', 'Sky', 'Rain', 'Low', 'High']);
  });
});
