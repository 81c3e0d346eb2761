import { expect, test } from 'vitest';
import { specification } from './gather.ts';
import { printSpecification } from './print-specification.ts';
import { readTests } from './read-tests.ts';

const chapters = specification();

test.each(chapters)('$title: every item lives somewhere, and a test proves it', ({ rows }) => {
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.flatMap(({ problems }) => problems)).toEqual([]);
});

test('no two items have one id', () => {
  const ids = chapters.flatMap(({ title, rows }) => (title === 'Texts' ? [] : rows.map(({ id }) => id)));
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

test('docs/specification.md is what would be printed (vitest -u prints it anew)', async () => {
  await expect(printSpecification(chapters)).toMatchFileSnapshot('../../docs/specification.md');
});

test('a text counts as looked for where a test expects it, not where it is given, denied or only mentioned', () => {
  const text = `
    const LATER = 'named before';
    const sees = (text) => expect.element(screen.getByText(text)).toBeVisible();
    test.each([['in a table']])('title', async (said) => {
      // in a comment
      gateway.answer(profile, { message: 'given to a stand-in' });
      await field.fill('typed into a field');
      await expect.element(screen.getByText('not there')).not.toBeInTheDocument();
      expect(screen.getByText('counted as none').elements()).toEqual([]);
      await page.getByText('gone by now').waitFor({ state: 'hidden' });
      await expect.element(screen.getByText('drawn on the screen')).toBeVisible();
      await expect.element(screen.getByText(/^R\\$\\s1,50 by a pattern\\.$/)).toBeVisible();
      for (const one of ['in a loop', 'or another']) await expect.element(screen.getByText(one)).toBeVisible();
      await expect.element(screen.getByText(LATER)).toBeVisible();
      await sees('by a helper');
      await page.getByRole('heading', { name: 'waited for' }).waitFor();
      expect(answer).toMatchObject({ body: { message: 'answered' } });
    });`;
  const [found] = readTests({ path: 'a.test.ts', text });
  expect(found?.looksFor.toSorted()).toEqual(
    [
      '^R$ 1,50 by a pattern.$',
      'answered',
      'by a helper',
      'drawn on the screen',
      'heading',
      'in a loop',
      'in a table',
      'named before',
      'or another',
      'waited for',
    ].toSorted(),
  );
});
