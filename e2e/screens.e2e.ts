import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from './screens/catalogue.ts';
import {
  findAxeProblems,
  findFocusProblems,
  findLastingLayoutProblems,
  findLongValueProblems,
} from './screens/examine.ts';
import { type Screen, viewports } from './screens/screen.ts';
import { createStage, type Stage, switchTheme, themes, waitUntilShown, widthsOf } from './screens/stage.ts';
import { makeWorld, worldSettings } from './screens/world.ts';
import { type Stack, startStack } from './stack.ts';
import { openBrowser } from './visitor.ts';

/** The screens to check. A short run leaves them to the other tests, which check most screens on their way. */
const checkedScreens = process.env['LONG'] ? catalogue : [];

let stack: Stack | undefined;
let browser: Browser | undefined;
let stage: Stage | undefined;

beforeAll(async () => {
  if (checkedScreens.length === 0) return;
  stack = await startStack(worldSettings);
  browser = await openBrowser();
  stage = createStage(browser, await makeWorld(stack, browser));
});

afterAll(async () => {
  await stage?.close();
  expect(await stack?.stop()).toBe(stack && 0);
  stack?.remove();
});

/** Half of 1440 and of 768 pixels, as at 200 % zoom, and the width at which WCAG requires a single column. */
const magnifiedViewports = [
  { width: 720, height: 450 },
  { width: 384, height: 512 },
  { width: 320, height: 568 },
];

test('the screens of the catalogue have unique names', () => {
  const names = catalogue.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test.each(checkedScreens)(
  '$name is accessible in both themes, at every width, magnified, and by keyboard',
  async (screen) => {
    const problems: string[] = [];
    await stage?.show(screen, async (page) => {
      problems.push(...(await problemsOf(page, screen)));
    });
    expect(problems).toEqual([]);
  },
);

async function problemsOf(page: Page, screen: Screen): Promise<string[]> {
  const problems: string[] = [];
  const addProblems = (where: string, descriptions: readonly string[]) =>
    problems.push(...descriptions.map((problem) => `${screen.name}, ${where}: ${problem}`));
  for (const width of widthsOf(screen)) {
    await page.setViewportSize(viewports[width]);
    await waitUntilShown(page, screen);
    addProblems(width, await findLastingLayoutProblems(page));
    for (const theme of themes) {
      await switchTheme(page, theme);
      // A tablet's width differs from the others in layout only, not in names or colours.
      if (width !== 'tablet')
        addProblems(`${width}, ${theme}`, await findAxeProblems(page, { isTimeStopped: screen.isTransient }));
    }
  }
  if (screen.widths === undefined) {
    for (const viewport of magnifiedViewports) {
      await page.setViewportSize(viewport);
      await waitUntilShown(page, screen);
      addProblems(`${viewport.width} px`, await findLastingLayoutProblems(page));
    }
    if (!screen.isTransient) addProblems('by keyboard', await findFocusProblems(page));
    // This check comes last, since it changes the screen.
    if (!screen.isTransient && !screen.isLoading) addProblems('all', await findLongValueProblems(page));
  }
  return problems;
}
