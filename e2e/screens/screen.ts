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
  /** What its pictures are called. */
  readonly name: string;
  readonly who: Person | 'nobody';
  /** A path of the dashboard, or a whole address. */
  readonly at: string | ((world: World) => string);
  /** What the gateway is made to answer, instead of what it would. */
  readonly answers?: readonly StubbedCall[];
  /** What is done once the page is there. */
  readonly steps?: (page: Page, world: World) => Promise<unknown>;
  /** What must be seen, at every width, before anybody looks. */
  readonly shows: string | RegExp | ((page: Page) => Locator);
  /** Where it exists; at the first of them it is walked to. */
  readonly widths?: readonly Viewport[];
  /** Its skeleton is what is looked at. */
  readonly loading?: true;
  /** No script of the page runs. */
  readonly scriptless?: true;
  /** What is done to its browser would be felt by others: it has one of its own. */
  readonly apart?: true;
  /** It stands for a moment only: time is stopped once it is there. */
  readonly passing?: true;
};

/** What one call of the API is answered with. */
export type StubbedCall = { readonly endpoint: Endpoint; readonly reply: (route: Route) => Promise<unknown> };

/** Answers with success. */
export function answer<E extends Endpoint>(endpoint: E, body: ResponseOf<E>): StubbedCall {
  return { endpoint, reply: (route) => route.fulfill({ status: endpoint.status ?? 200, json: body }) };
}

/** Refuses with the contract's sentence. */
export function refuse(endpoint: Endpoint, code: ErrorCode, details?: Record<string, unknown>): StubbedCall {
  const { status, message } = errors[code];
  const json = { success: false, message, error: { code, message, details }, requestId: 'req_7k2m9x4q' };
  return { endpoint, reply: (route) => route.fulfill({ status, json }) };
}

/** Fails as a broken gateway does. */
export function fail(endpoint: Endpoint): StubbedCall {
  return refuse(endpoint, 'INTERNAL');
}

/** Is lost on the way. */
export function lose(endpoint: Endpoint): StubbedCall {
  return { endpoint, reply: (route) => route.abort('connectionreset') };
}

const held = new WeakMap<Page, Route[]>();

/** Never answers, as long as the page is open. */
export function hold(endpoint: Endpoint): StubbedCall {
  return {
    endpoint,
    reply: async (route) => {
      const page = route.request().frame().page();
      held.set(page, [...(held.get(page) ?? []), route]);
    },
  };
}

/** Ends the calls that were held, so that none goes on to the gateway when its page closes. */
export async function dropHeld(page: Page): Promise<void> {
  for (const route of held.get(page) ?? []) await route.abort().catch(() => undefined);
}

/** Makes the gateway answer so from now on; what came last counts. */
export async function intercept(page: Page, ...answers: readonly StubbedCall[]): Promise<void> {
  for (const { endpoint, reply } of answers) {
    const path = endpoint.path.replace(/\{\w+\}/g, '[^/?]+');
    await page.route(new RegExp(`/api${path}(\\?.*)?$`), (route) =>
      route.request().method() === endpoint.method ? reply(route) : route.fallback(),
    );
  }
}
