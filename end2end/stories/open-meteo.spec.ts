import { expectAccessible } from '../fixtures/accessibility.ts';
import { expect } from '../fixtures/chat.ts';
import { test } from '../fixtures/open-meteo.ts';

test('a forecast comes as a card that names its source, its time and its place', async ({
  chat,
  openMeteo,
  startServer,
}) => {
  const server = await startServer(openMeteo.settings);
  await chat.open(server.url);
  await chat.ask('Thời tiết Đà Lạt 3 ngày tới thế nào?');

  const card = chat.cards('getWeather', 'output-available');
  await expect(card).toHaveCount(1);
  await expect(card.getByRole('heading', { name: 'Thời tiết · Đà Lạt' })).toBeVisible();
  await expect(card.getByText('Đà Lạt, Lâm Đồng, Vietnam', { exact: true })).toBeVisible();
  await expect(card.getByText('Dự báo', { exact: true })).toBeVisible();
  await expect(card.getByText(/mẫu/)).toHaveCount(0);
  await expect(card).toContainText(/Dự báo: Open-Meteo, \d\d:\d\d ngày \d\d\/\d\d \(giờ địa phương\)\./);

  // A plain link, which nobody follows by itself.
  const link = card.getByRole('link', { name: 'Dữ liệu thời tiết của Open-Meteo.com' });
  await expect(link).toHaveAttribute('href', 'https://open-meteo.com/');
  await expect(link).toHaveAttribute('rel', 'noreferrer noopener');
  await expect(card).toContainText('CC BY 4.0');

  const rows = card.getByRole('table', { name: 'Thời tiết theo ngày' }).getByRole('row');
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText('Tuyết');
  await expect(rows.nth(1)).toContainText('40%');
  await expect(rows.nth(1)).toContainText('-3°');
  await expect(rows.nth(1)).toContainText('22°');
  await expect(rows.nth(2)).toContainText('không có số liệu');
  await expect(rows.nth(3)).toContainText('Dông kèm mưa đá');
  await expectAccessible(chat.page);

  // The same after a reload: it is the record that is shown.
  const time = await card.locator('.card__provenance').textContent();
  await chat.page.reload();
  await chat.alive();
  await expect(card.locator('.card__provenance')).toHaveText(time!);
  expect(openMeteo.fake.asked.map(({ pathname }) => pathname)).toEqual(['/v1/search', '/v1/forecast']);
});

test('a failing source is an honest card, and asking again works', async ({ chat, openMeteo, startServer }) => {
  const server = await startServer(openMeteo.settings);
  await chat.open(server.url);
  openMeteo.fake.refuse(429, 'Minutely API request limit exceeded. Please try again in one minute.');
  await chat.ask('Thời tiết Đà Lạt hôm nay thế nào?');

  const failed = chat.cards('getWeather', 'output-error');
  await expect(failed.getByRole('heading', { name: 'Không lấy được thời tiết' })).toBeVisible();
  await expect(failed).toContainText('Hệ thống đang gặp sự cố.');
  await expect(failed.getByRole('link')).toHaveCount(0);
  await expect(failed).not.toContainText(/limit|API|429/);
  await expect(chat.outcomes).toContainText('Không có gì được đặt');

  await chat.ask('Thời tiết Đà Lạt hôm nay thế nào?');
  await expect(chat.cards('getWeather', 'output-available')).toHaveCount(1);
});

test.describe('in English, on a phone', () => {
  test.use({ locale: 'en-GB', viewport: { width: 360, height: 740 } });

  test('of two places of one name the greater is taken, and the card says which', async ({
    chat,
    openMeteo,
    startServer,
  }) => {
    const server = await startServer(openMeteo.settings);
    await chat.open(server.url);
    await chat.ask('What is the weather in Paris for the next 3 days?');

    const card = chat.cards('getWeather', 'output-available');
    await expect(card.getByRole('heading', { name: 'Weather · Paris' })).toBeVisible();
    await expect(card.getByText('Paris, Île-de-France, France', { exact: true })).toBeVisible();
    await expect(card.getByText('Forecast', { exact: true })).toBeVisible();
    await expect(card).toContainText(/Forecast: Open-Meteo, \d{1,2}:\d\d [ap]m on \d{1,2} [A-Z][a-z]{2} \(local time\)\./);
    await expect(card.getByRole('link', { name: 'Weather data by Open-Meteo.com' })).toBeVisible();
    const width = await chat.page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(360);
  });

  test('a place that nobody knows is told as such', async ({ chat, openMeteo, startServer }) => {
    const server = await startServer(openMeteo.settings);
    await chat.open(server.url);
    await chat.ask('What is the weather in Atlantis today?');

    const card = chat.cards('getWeather', 'output-error');
    await expect(card).toContainText('We have nothing for this place.');
    expect(openMeteo.fake.asked.map(({ pathname }) => pathname)).toEqual(['/v1/search']);
  });
});
