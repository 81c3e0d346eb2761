import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from './screens/catalogue.ts';
import { axeProblems, focusProblems, layoutAtRest, lengthProblems } from './screens/examine.ts';
import { type Screen, viewports } from './screens/screen.ts';
import { createStage, type Stage, themes, untilShown, useTheme, widthsOf } from './screens/stage.ts';
import { makeWorld, worldSettings } from './screens/world.ts';
import { type Stack, startStack } from './stack.ts';
import { openBrowser } from './visitor.ts';

/** A short run leaves this to the other tests, which check most screens on their way. */
const seen = process.env['LONG'] ? catalogue : [];

let stack: Stack | undefined;
let browser: Browser | undefined;
let stage: Stage | undefined;

beforeAll(async () => {
  if (seen.length === 0) return;
  stack = await startStack(worldSettings);
  browser = await openBrowser();
  stage = createStage(browser, await makeWorld(stack, browser));
});

afterAll(async () => {
  await stage?.close();
  expect(await stack?.stop()).toBe(stack && 0);
  stack?.remove();
});

/** Half of 1440 and of 768, as at 200 % zoom, and the width at which WCAG requires a single column. */
const magnified = [
  { width: 720, height: 450 },
  { width: 384, height: 512 },
  { width: 320, height: 568 },
];

test('the screens of the catalogue have unique names', () => {
  const names = catalogue.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test.each(seen)(
  '$name is accessible in both themes, at every width, magnified, and by keyboard',
  async (screen) => {
    const problems: string[] = [];
    await stage?.show(screen, async (page) => {
      problems.push(...(await lookOver(page, screen)));
    });
    expect(problems).toEqual([]);
  },
);

async function lookOver(page: Page, screen: Screen): Promise<string[]> {
  const problems: string[] = [];
  const note = (where: string, found: readonly string[]) =>
    problems.push(...found.map((problem) => `${screen.name}, ${where}: ${problem}`));
  for (const width of widthsOf(screen)) {
    await page.setViewportSize(viewports[width]);
    await untilShown(page, screen);
    note(width, await layoutAtRest(page));
    for (const theme of themes) {
      await useTheme(page, theme);
      // Widths in between differ in layout only, not in names or colours.
      if (width !== 'tablet') note(`${width}, ${theme}`, await axeProblems(page, { still: screen.passing }));
    }
  }
  if (screen.widths === undefined) {
    for (const viewport of magnified) {
      await page.setViewportSize(viewport);
      await untilShown(page, screen);
      note(`${viewport.width} px`, await layoutAtRest(page));
    }
    if (!screen.passing) note('by keyboard', await focusProblems(page));
    // Comes last, since it changes the screen.
    if (!screen.passing && !screen.loading) note('all', await lengthProblems(page));
  }
  return problems;
}
