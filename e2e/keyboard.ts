import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** More than the tab stops of any screen. */
const FARTHEST = 90;

type Focus = {
  /** Its accessible name, as far as labels and text define it. */
  name: string;
  tag: string;
  /** Whether the focus is visible and not covered by another element. */
  seen: boolean;
};

/** A user without a pointer: all input goes through keys to the focused element. */
export type Typist = {
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  /**
   * Tabs until the focus is on the element with this name, with Shift if `back`. Every element on the way must show its
   * focus.
   */
  tabTo(name: string | RegExp, back?: 'back'): Promise<void>;
  /** Waits until the focus is on the element with this name. */
  at(name: string | RegExp): Promise<void>;
  /** The announcements of live regions since the last call. */
  heard(): Promise<string[]>;
  /** Waits for an announcement; returns all announcements since the last call. */
  hears(words: RegExp): Promise<string[]>;
};

export async function typist(page: Page): Promise<Typist> {
  await page.addInitScript(listen);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focus = () => page.evaluate(focused);
  const heard = () => page.evaluate(() => (globalThis as { said?: string[] }).said?.splice(0) ?? []);
  return {
    press,
    type: (text) => page.keyboard.type(text),
    async tabTo(name, back) {
      const passed: string[] = [];
      for (let step = 0; step < FARTHEST; step += 1) {
        await press(back === undefined ? 'Tab' : 'Shift+Tab');
        const now = await focus();
        // After the last control comes the browser's own interface, which is missing here.
        if (now === null) continue;
        passed.push(now.name);
        // An element that slides in is covered until it has arrived.
        if (!now.seen) await expect.poll(focus).toMatchObject({ seen: true, name: now.name });
        if (matches(now.name, name)) return;
      }
      throw new Error(`${name} is not reached by Tab: ${passed.join(' · ')}`);
    },
    async at(name) {
      await expect
        .poll(
          async () => {
            const { name: now, tag } = (await focus()) ?? { name: 'lost', tag: 'body' };
            return matches(now, name) ? 'there' : `${tag} “${now}” has the focus`;
          },
          { message: `the focus on ${name}` },
        )
        .toBe('there');
    },
    heard,
    async hears(words) {
      const all: string[] = [];
      await expect
        .poll(
          async () => {
            all.push(...(await heard()));
            return all.some((said) => words.test(said)) ? 'heard' : all;
          },
          { message: `${words} is said` },
        )
        .toBe('heard');
      return all;
    },
  };
}

function matches(name: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? name === wanted : wanted.test(name);
}

/** Records a screen reader's unprompted announcements: changes in live regions that already exist on the page. */
function listen(): void {
  const said: string[] = [];
  Object.assign(globalThis, { said });
  const live = '[role="status"], [role="alert"], [aria-live="polite"]';
  const note = (region: Element) => {
    const heard = region.cloneNode(true) as Element;
    for (const silent of heard.querySelectorAll('[aria-hidden="true"]')) silent.remove();
    const text = heard.textContent?.trim() ?? '';
    // Loading times depend on the machine, so loading states do not count.
    if (text !== '' && !/^Carrega(ndo|do)$/.test(text) && said.at(-1) !== text) said.push(text);
  };
  new MutationObserver((changes) => {
    const regions = new Set<Element>();
    for (const { target, addedNodes } of changes) {
      const around = (target instanceof Element ? target : target.parentElement)?.closest(live);
      if (around != null) regions.add(around);
      // Of regions that are inserted with their text, only alerts are announced everywhere.
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches('[role="alert"]')) regions.add(node);
        for (const alert of node.querySelectorAll('[role="alert"]')) regions.add(alert);
      }
    }
    for (const region of regions) note(region);
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

function focused(): Focus | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const labels =
    'labels' in element && element.labels instanceof NodeList
      ? [...((element as HTMLInputElement).labels ?? [])]
      : [];
  const named = element.getAttribute('aria-labelledby');
  const texts = [
    element.getAttribute('aria-label'),
    named === null ? null : document.getElementById(named)?.textContent,
    labels.map((label) => label.textContent).join(' '),
    /^(MAIN|SECTION|FORM|UL|DIV)$/.test(element.tagName) ? null : element.textContent,
  ];
  const name = (texts.find((text) => text != null && text.trim() !== '') ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  // A field shows the focus around itself, a PIN cell beside it, a radio on its label.
  const drawn = [element, element.parentElement, ...labels, ...(element.nextElementSibling?.children ?? [])];
  const hasSign = drawn.some((one) => {
    if (!one) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
  });
  // A radio is drawn at its label.
  const place = element.offsetWidth <= 1 ? (labels[0] ?? element) : element;
  const { x, y, width, height } = place.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  const isFree = top !== null && [element, ...labels].some((one) => one.contains(top) || top.contains(one));
  return { name, tag: element.tagName.toLowerCase(), seen: hasSign && isFree };
}
