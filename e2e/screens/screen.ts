// The form in which the catalogue describes a screen, for screenshots and for checks of accessibility. Also the stubs
// that replace the gateway's responses to the calls of a screen.
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
  /** The name of the screen, and of its pictures. */
  readonly name: string;
  /** The person who is signed in. */
  readonly visitor: Person | 'nobody';
  /** A path of the dashboard, or a full URL. */
  readonly path: string | ((world: World) => string);
  /** Calls that get a prepared response instead of the gateway's. */
  readonly stubs?: readonly StubbedCall[];
  /** Steps after the page has loaded. */
  readonly steps?: (page: Page, world: World) => Promise<unknown>;
  /** A text or an element that must be visible, at every width, before the screen is checked. */
  readonly shows: string | RegExp | ((page: Page) => Locator);
  /** The widths at which the screen exists; by default all. The steps run at the first width. */
  readonly widths?: readonly Viewport[];
  /** Set if the screen is examined while it still loads and shows its placeholders. */
  readonly isLoading?: true;
  /** Set if the page's scripts must not be loaded. */
  readonly isWithoutScripts?: true;
  /** Set if the screen gets a browser context of its own, because its effects would disturb other screens. */
  readonly needsOwnContext?: true;
  /** Set if the screen is visible only briefly. The page's clock is stopped once the screen appears. */
  readonly isTransient?: true;
};

/** The prepared response to one call of the API. */
export type StubbedCall = { readonly endpoint: Endpoint; readonly reply: (route: Route) => Promise<unknown> };

/** Makes a call respond with success. */
export function answer<E extends Endpoint>(endpoint: E, body: ResponseOf<E>): StubbedCall {
  return { endpoint, reply: (route) => route.fulfill({ status: endpoint.status ?? 200, json: body }) };
}

/** Makes a call respond with an expected error, in the text of the contract. */
export function refuse(endpoint: Endpoint, code: ErrorCode, details?: Record<string, unknown>): StubbedCall {
  const { status, message } = errors[code];
  const json = { success: false, message, error: { code, message, details }, requestId: 'req_7k2m9x4q' };
  return { endpoint, reply: (route) => route.fulfill({ status, json }) };
}

/** Makes a call respond with an internal error of the gateway. */
export function fail(endpoint: Endpoint): StubbedCall {
  return refuse(endpoint, 'INTERNAL');
}

/** Breaks the connection of a call instead of responding. */
export function disconnect(endpoint: Endpoint): StubbedCall {
  return { endpoint, reply: (route) => route.abort('connectionreset') };
}

const stalledCalls = new WeakMap<Page, Route[]>();

/** Leaves a call without a response as long as the page is open. */
export function stall(endpoint: Endpoint): StubbedCall {
  return {
    endpoint,
    reply: async (route) => {
      const page = route.request().frame().page();
      stalledCalls.set(page, [...(stalledCalls.get(page) ?? []), route]);
    },
  };
}

/** Aborts the stalled calls of a page, so that none of them reaches the gateway when the page closes. */
export async function abortStalled(page: Page): Promise<void> {
  for (const route of stalledCalls.get(page) ?? []) await route.abort().catch(() => undefined);
}

/** Installs stubs on a page. If a call has several stubs, the last one counts. */
export async function intercept(page: Page, ...stubs: readonly StubbedCall[]): Promise<void> {
  for (const { endpoint, reply } of stubs) {
    const path = endpoint.path.replace(/\{\w+\}/g, '[^/?]+');
    await page.route(new RegExp(`/api${path}(\\?.*)?$`), (route) =>
      route.request().method() === endpoint.method ? reply(route) : route.fallback(),
    );
  }
}
