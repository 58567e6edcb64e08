import { expectAccessible } from '../fixtures/accessibility.ts';
import { expect, test } from '../fixtures/page.ts';

test('the page opens, says that a demo model answers, and is ready to type', { tag: '@phone' }, async ({ page }) => {
  const files: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/pkg/')) files.push(`${response.status()} ${pathname}`);
  });

  await page.goto('/');

  await expect(page.locator('html')).toHaveAttribute('lang', 'vi');
  await expect(page.getByText('Mô hình mẫu', { exact: true })).toBeVisible();
  const composer = page.getByRole('textbox', { name: 'Tin nhắn của bạn' });
  await composer.focus();
  await expect(composer).toBeFocused();
  await composer.pressSequentially('Xin chào');
  await expect(composer).toHaveValue('Xin chào');

  // Each of the site's files is found, and loaded once.
  await expect.poll(() => [...files].sort()).toEqual([
    '200 /pkg/truthtable.css',
    '200 /pkg/truthtable.js',
    '200 /pkg/truthtable.wasm',
  ]);
  await expectAccessible(page);
});

test.describe('on a small phone', () => {
  test.use({ viewport: { width: 390, height: 664 } });

  test('the start page is read from its top', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('textbox', { name: 'Tin nhắn của bạn' })).toBeEnabled();
    await expect(page.getByRole('button', { name: 'Gửi', exact: true })).toBeVisible();
    // Long enough for whatever would move the page once it is alive.
    await page.waitForTimeout(500);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  });
});
