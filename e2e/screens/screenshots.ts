// npm run screenshots: takes a picture of every screen in each of its states, at three widths and in both
// themes, into screenshots/. `--only NAME` selects screens by a part of their name, `--width 390|768|1440`
// and `--theme light|dark` one width or theme, `--scale 2` doubles the resolution.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { browserLaunchOptions, installBrowsers } from '../../tools/browser.ts';
import { buildStaleWorkspaces } from '../../tools/build.ts';
import { startStack } from '../stack.ts';
import { catalogue } from './catalogue.ts';
import { type Viewport, viewports } from './screen.ts';
import { themes } from './stage.ts';
import { takeScreenshots, writeContactSheet } from './take-screenshots.ts';
import { makeWorld, worldSettings } from './world.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    width: { type: 'string' },
    theme: { type: 'string' },
    scale: { type: 'string', default: '1' },
  },
});
const widths = (Object.keys(viewports) as Viewport[]).filter(
  (name) => options.width === undefined || String(viewports[name].width) === options.width,
);
const screenshotOptions = {
  folder: fileURLToPath(new URL('../../screenshots', import.meta.url)),
  widths,
  themes: themes.filter((theme) => options.theme === undefined || theme === options.theme),
  scale: Number(options.scale),
};
const screens = catalogue.filter(({ name }) => name.includes(options.only));
if (screens.length === 0 || widths.length === 0 || screenshotOptions.themes.length === 0)
  throw new Error('No screen of the catalogue matches.');

Object.assign(process.env, installBrowsers());
buildStaleWorkspaces();
const startedAt = Date.now();
const stack = await startStack(worldSettings);
const browser = await chromium.launch(browserLaunchOptions({ whole: true }));
try {
  const world = await makeWorld(stack, browser);
  console.log(`Taking pictures of ${screens.length} screens ...`);
  const unreached = await takeScreenshots(browser, world, screens, screenshotOptions);
  writeContactSheet(screens, screenshotOptions);
  const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
  console.log(
    `${screens.length - unreached.length} of ${screens.length} screens in ${minutes} min: ${screenshotOptions.folder}`,
  );
  if (unreached.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await stack.stop();
  stack.remove();
}
