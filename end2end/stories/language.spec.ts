import { expect, freshEvening, test } from '../fixtures/chat.ts';
import { EN, VI } from '../fixtures/words.ts';

test('the switch changes every text at once, without a load and without losing what is being written', async ({
  chat,
}) => {
  const evening = freshEvening();
  await chat.open();
  const form = await chat.wishFor(evening);
  await form.party.fill('7');
  await form.note.fill('Gần cửa sổ');
  await chat.composer.fill('Một câu còn dở');
  let loads = 0;
  chat.page.on('framenavigated', () => (loads += 1));

  await chat.page.getByRole('link', { name: 'English' }).click();

  await expect(chat.page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(chat.page.getByRole('textbox', { name: EN.message })).toHaveValue('Một câu còn dở');
  const card = chat.cards('createBooking', 'approval-requested');
  await expect(card.getByRole('heading', { name: 'Confirm your booking' })).toBeVisible();
  await expect(card.getByLabel(EN.party, { exact: true })).toHaveValue('7');
  await expect(card.getByLabel(EN.note)).toHaveValue('Gần cửa sổ');
  await expect(card).toContainText(`7:00 pm, ${EN.day(evening)} · 7 people`);
  await expect(chat.cards('findTables')).toContainText(`7:00 pm, ${EN.day(evening)} · 4 people`);
  await expect(chat.outcomes).toContainText('Waiting for your decision.');
  expect(loads).toBe(0);

  // Kept for the next page, whatever the browser asks for.
  await chat.page.reload();
  await expect(chat.page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(card.getByRole('button', { name: EN.confirm })).toBeEnabled();

  await chat.page.getByRole('link', { name: 'Tiếng Việt' }).click();
  await expect(chat.page.locator('html')).toHaveAttribute('lang', 'vi');
  await expect(chat.cards('findTables')).toContainText(`19:00, ${VI.day(evening)} · 4 người`);
});

test.describe('a browser that asks for English', () => {
  test.use({ locale: 'en-GB' });

  test('gets the page in English, with its dates and numbers', async ({ chat }) => {
    const evening = freshEvening();
    await chat.open();
    await expect(chat.page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(chat.page).toHaveTitle('Truthtable – Table booking assistant');
    const form = await chat.wishFor(evening, 1, '12:30');
    await expect(form.card).toContainText(`12:30 pm, ${EN.day(evening)} · 1 person`);
  });
});

test.describe('a browser in another zone and language', () => {
  test.use({ locale: 'de-DE', timezoneId: 'America/Los_Angeles' });

  test('shows the restaurant by the restaurant’s clock, in Vietnamese', async ({ chat }) => {
    const evening = freshEvening();
    await chat.open();
    await expect(chat.page.locator('html')).toHaveAttribute('lang', 'vi');
    const form = await chat.wishFor(evening);
    await expect(form.time).toHaveValue('19:00');
    await expect(form.date).toHaveValue(evening.iso);
    await form.confirm.click();
    await expect(chat.receipts).toContainText(`19:00, ${VI.day(evening)}`);
  });
});
