import { type Browser, chromium } from 'playwright-core';
import { browserLaunch } from '../../tools/browser.ts';

/** Runs with a browser that ignores Ctrl-C: if it exited first, this process would end before stopping the product. */
export async function withBrowser(use: (browser: Browser) => Promise<void>): Promise<void> {
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const browser = await chromium.launch({ ...browserLaunch({ whole: true }), ...signals });
  try {
    await use(browser);
  } finally {
    await browser.close();
  }
}
