// The browser of the benches that measure pages, and how its network and processor are slowed down.
import { type Browser, type CDPSession, chromium } from 'playwright-core';
import { browserLaunchOptions } from '../../tools/browser.ts';

/**
 * Runs `use` with a browser that ignores Ctrl-C: if the browser ended first, this process would end before it stops the
 * product.
 */
export async function withBrowser(use: (browser: Browser) => Promise<void>): Promise<void> {
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const browser = await chromium.launch({ ...browserLaunchOptions({ whole: true }), ...signals });
  try {
    await use(browser);
  } finally {
    await browser.close();
  }
}

/** The throttling of the visitor's network and processor. Latency is added to every request. */
export type Throttle = {
  readonly latencyMs: number;
  readonly downBitsPerSecond: number;
  readonly upBitsPerSecond: number;
  readonly cpuSlowdown: number;
};

/**
 * Lighthouse's mobile "slow 4G", with the factors that Lighthouse uses for Chrome's own throttle: 3.75 times the
 * latency of 150 ms, and 0.9 times the rates of 1.6 Mbit/s down and 750 kbit/s up.
 */
export const slow4g: Throttle = {
  latencyMs: 562.5,
  downBitsPerSecond: 1_440_000,
  upBitsPerSecond: 675_000,
  cpuSlowdown: 4,
};

/** No throttling. The browser reads a throughput of -1 byte per second (-8 bits) as unlimited. */
export const unthrottled: Throttle = {
  latencyMs: 0,
  downBitsPerSecond: -8,
  upBitsPerSecond: -8,
  cpuSlowdown: 1,
};

export async function applyThrottle(devtools: CDPSession, throttle: Throttle): Promise<void> {
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: throttle.latencyMs,
    downloadThroughput: throttle.downBitsPerSecond / 8,
    uploadThroughput: throttle.upBitsPerSecond / 8,
  });
  await slowProcessor(devtools, throttle.cpuSlowdown);
}

export async function slowProcessor(devtools: CDPSession, slowdown: number): Promise<void> {
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
}
