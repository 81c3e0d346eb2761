import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** More than any screen has to tab through. */
const FARTHEST = 90;

type Focus = {
  /** Its accessible name, as far as labels and texts make one. */
  name: string;
  tag: string;
  /** Whether it can be seen that it has the focus, and that no other thing lies over it. */
  seen: boolean;
};

/** Somebody without a pointer: keys are all they have, and the focus is where they are. */
export type Typist = {
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Tab until the focus is on what is called so; `back` with Shift. Whatever it passes is seen to have the focus. */
  tabTo(name: string | RegExp, back?: 'back'): Promise<void>;
  /** Waits until the focus is on what is called so. */
  at(name: string | RegExp): Promise<void>;
  /** What live regions have said since it was asked last. */
  heard(): Promise<string[]>;
  /** Waits until a live region says it; answers all that they have said since it was asked last. */
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
        // After the last control the browser's own come, which this one does not have.
        if (now === null) continue;
        passed.push(now.name);
        // What slides in is free once it has arrived.
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

/** Keeps what a screen reader would say by itself: what changes in a live region that stands on the page already. */
function listen(): void {
  const said: string[] = [];
  Object.assign(globalThis, { said });
  const live = '[role="status"], [role="alert"], [aria-live="polite"]';
  const note = (region: Element) => {
    const heard = region.cloneNode(true) as Element;
    for (const silent of heard.querySelectorAll('[aria-hidden="true"]')) silent.remove();
    const text = heard.textContent?.trim() ?? '';
    // How long a screen loads depends on the machine.
    if (text !== '' && !/^Carrega(ndo|do)$/.test(text) && said.at(-1) !== text) said.push(text);
  };
  new MutationObserver((changes) => {
    const regions = new Set<Element>();
    for (const { target, addedNodes } of changes) {
      const around = (target instanceof Element ? target : target.parentElement)?.closest(live);
      if (around != null) regions.add(around);
      // Of what comes whole, only an alert is heard everywhere.
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
  // A field draws its focus around itself, a cell of the PIN beside it, a radio on its label.
  const drawn = [element, element.parentElement, ...labels, ...(element.nextElementSibling?.children ?? [])];
  const hasSign = drawn.some((one) => {
    if (!one) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
  });
  // A radio is where its label is.
  const place = element.offsetWidth <= 1 ? (labels[0] ?? element) : element;
  const { x, y, width, height } = place.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  const isFree = top !== null && [element, ...labels].some((one) => one.contains(top) || top.contains(one));
  return { name, tag: element.tagName.toLowerCase(), seen: hasSign && isFree };
}
