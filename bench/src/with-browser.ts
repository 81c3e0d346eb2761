import { type Browser, chromium } from 'playwright-core';
import { browserLaunch } from '../../tools/browser.ts';

/** Hands out a browser that leaves Ctrl-C to us: one that ended by itself would end this process before the product. */
export async function withBrowser(use: (browser: Browser) => Promise<void>): Promise<void> {
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const browser = await chromium.launch({ ...browserLaunch({ whole: true }), ...signals });
  try {
    await use(browser);
  } finally {
    await browser.close();
  }
}
