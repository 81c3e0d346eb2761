import type { Endpoint, ErrorCode, ResponseOf } from '@jangada/contract';
import { errors } from '@jangada/contract';
import type { Locator, Page, Route } from 'playwright-core';
import type { Person, World } from './world.ts';

export const viewports = {
  phone: { width: 390, height: 844 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1440, height: 900 },
} as const;
export type Viewport = keyof typeof viewports;

/** One screen or dialog of the product in one of its states. */
export type Screen = {
  /** The name of its pictures. */
  readonly name: string;
  readonly who: Person | 'nobody';
  /** A path of the dashboard, or a full address. */
  readonly at: string | ((world: World) => string);
  /** Replacements for answers of the gateway. */
  readonly answers?: readonly StubbedCall[];
  /** Steps after the page has loaded. */
  readonly steps?: (page: Page, world: World) => Promise<unknown>;
  /** Must be visible, at every width, before the screen is checked. */
  readonly shows: string | RegExp | ((page: Page) => Locator);
  /** The widths at which it exists; the steps run at the first. */
  readonly widths?: readonly Viewport[];
  /** The screen is its loading skeleton. */
  readonly loading?: true;
  /** Scripts are disabled. */
  readonly scriptless?: true;
  /** Its effects on the browser would disturb other screens, so it gets a browser of its own. */
  readonly apart?: true;
  /** It is visible only briefly, so time is stopped once it appears. */
  readonly passing?: true;
};

/** The answer to one call of the API. */
export type StubbedCall = { readonly endpoint: Endpoint; readonly reply: (route: Route) => Promise<unknown> };

/** A success. */
export function answer<E extends Endpoint>(endpoint: E, body: ResponseOf<E>): StubbedCall {
  return { endpoint, reply: (route) => route.fulfill({ status: endpoint.status ?? 200, json: body }) };
}

/** A refusal with the contract's text. */
export function refuse(endpoint: Endpoint, code: ErrorCode, details?: Record<string, unknown>): StubbedCall {
  const { status, message } = errors[code];
  const json = { success: false, message, error: { code, message, details }, requestId: 'req_7k2m9x4q' };
  return { endpoint, reply: (route) => route.fulfill({ status, json }) };
}

/** The failure of a broken gateway. */
export function fail(endpoint: Endpoint): StubbedCall {
  return refuse(endpoint, 'INTERNAL');
}

/** A lost connection. */
export function lose(endpoint: Endpoint): StubbedCall {
  return { endpoint, reply: (route) => route.abort('connectionreset') };
}

const held = new WeakMap<Page, Route[]>();

/** No answer as long as the page is open. */
export function hold(endpoint: Endpoint): StubbedCall {
  return {
    endpoint,
    reply: async (route) => {
      const page = route.request().frame().page();
      held.set(page, [...(held.get(page) ?? []), route]);
    },
  };
}

/** Ends the held calls, so that none reaches the gateway when its page closes. */
export async function dropHeld(page: Page): Promise<void> {
  for (const route of held.get(page) ?? []) await route.abort().catch(() => undefined);
}

/** Replaces an answer of the gateway from now on; the last replacement counts. */
export async function intercept(page: Page, ...answers: readonly StubbedCall[]): Promise<void> {
  for (const { endpoint, reply } of answers) {
    const path = endpoint.path.replace(/\{\w+\}/g, '[^/?]+');
    await page.route(new RegExp(`/api${path}(\\?.*)?$`), (route) =>
      route.request().method() === endpoint.method ? reply(route) : route.fallback(),
    );
  }
}
