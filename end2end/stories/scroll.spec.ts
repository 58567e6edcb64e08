import { type Chat, expect, test } from '../fixtures/chat.ts';

test.use({ viewport: { width: 1000, height: 520 } });

const toEnd = (chat: Chat) =>
  chat.page.evaluate(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    return scrollHeight - clientHeight - window.scrollY;
  });

const jump = (chat: Chat) => chat.page.getByRole('button', { name: 'Xuống tin mới nhất' });

test('the view follows the end of the conversation', async ({ chat }) => {
  await chat.open();
  for (const city of ['Đà Lạt', 'Hà Nội', 'Đà Nẵng']) {
    await chat.ask(`Thời tiết ${city} 7 ngày tới`);
    await expect.poll(() => toEnd(chat)).toBeLessThanOrEqual(1);
    await expect(jump(chat)).toHaveCount(0);
    await expect(chat.outcomes.last()).toBeInViewport();
  }
  // Also after a load.
  await chat.page.reload();
  await chat.alive();
  await expect.poll(() => toEnd(chat)).toBeLessThanOrEqual(1);
});

test('a reader who has scrolled up is left alone, and a button brings them to the end', async ({ chat }) => {
  await chat.open();
  await chat.ask('Thời tiết Đà Lạt 7 ngày tới');
  await expect.poll(() => toEnd(chat)).toBeLessThanOrEqual(1);
  await chat.page.mouse.move(500, 200);
  await chat.page.mouse.wheel(0, -300);
  await expect(jump(chat)).toBeVisible();
  const before = await chat.page.evaluate(() => window.scrollY);

  await chat.sayElsewhere('Thời tiết Hà Nội 7 ngày tới');
  await expect(chat.outcomes).toHaveCount(2);
  await chat.settled();
  expect(await chat.page.evaluate(() => window.scrollY)).toBe(before);
  await expect(jump(chat)).toBeVisible();

  await jump(chat).click();
  await expect.poll(() => toEnd(chat)).toBeLessThanOrEqual(1);
  await expect(jump(chat)).toHaveCount(0);
  // And from there on it follows again.
  await chat.sayElsewhere('Thời tiết Huế 7 ngày tới');
  await expect(chat.outcomes).toHaveCount(3);
  await chat.settled();
  await expect.poll(() => toEnd(chat)).toBeLessThanOrEqual(1);
});

test('a message of one’s own brings the view to the end', async ({ chat }) => {
  await chat.open();
  await chat.ask('Thời tiết Đà Lạt 7 ngày tới');
  await chat.page.mouse.move(500, 200);
  await chat.page.mouse.wheel(0, -300);
  await expect(jump(chat)).toBeVisible();

  await chat.ask('Thời tiết Hà Nội 7 ngày tới');
  await expect.poll(() => toEnd(chat)).toBeLessThanOrEqual(1);
  await expect(jump(chat)).toHaveCount(0);
});

test('a time that is pressed in the same moment as a scroll brings the view to the end', async ({ chat }) => {
  await chat.open();
  await chat.ask('Tìm bàn ở Đà Lạt cho 4 người lúc 7 giờ tối mai');
  await expect.poll(() => toEnd(chat)).toBeLessThanOrEqual(1);

  const time = chat.cards('findTables', 'output-available').getByRole('button', { name: /19:00/ }).first();
  // Scrolls to it and presses at once, before the browser has told of the scroll.
  await time.click();
  await expect(chat.form.card).toBeVisible();
  await expect.poll(() => toEnd(chat)).toBeLessThanOrEqual(1);
  await expect(jump(chat)).toHaveCount(0);
});
