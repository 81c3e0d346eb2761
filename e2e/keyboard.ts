import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** No screen has more tab stops. A search that needs more has gone through the whole screen without success. */
const MAX_TAB_STOPS = 90;

/** The element that has the focus. */
type Focus = {
  /** The accessible name of the element, as far as labels and text define it. */
  name: string;
  tag: string;
  /** Whether the element shows that it has the focus, and no other element covers it. */
  isVisible: boolean;
};

/** A user without a pointer: all input goes through keys to the focused element. */
export type Typist = {
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  /**
   * Presses Tab, or Shift+Tab if `back`, until the element with this name has the focus. Every element on the way must
   * show its focus.
   */
  tabTo(name: string | RegExp, back?: 'back'): Promise<void>;
  /** Waits until the element with this name has the focus. */
  waitForFocus(name: string | RegExp): Promise<void>;
  /** Waits until the screen with this title has the focus. A menu link with the same name does not count. */
  waitForScreen(title: string | RegExp): Promise<void>;
  /** Returns the announcements of a screen reader since the last call, and forgets them. */
  takeAnnouncements(): Promise<string[]>;
  /** Waits for an announcement with these words. Returns all announcements since the last call. */
  waitForAnnouncement(words: RegExp): Promise<string[]>;
};

/** Creates a typist for a page. Call it before the page is opened, so that announcements are recorded. */
export async function createTypist(page: Page): Promise<Typist> {
  await page.addInitScript(recordAnnouncements);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const readFocus = () => page.evaluate(findFocus);
  const waitForFocus = async (name: string | RegExp, expectedTag?: string) => {
    await expect
      .poll(
        async () => {
          const { name: focusedName, tag } = (await readFocus()) ?? { name: 'lost', tag: 'body' };
          const isExpected = matches(focusedName, name) && (expectedTag ?? tag) === tag;
          return isExpected ? 'there' : `${tag} “${focusedName}” has the focus`;
        },
        { message: `the focus on ${expectedTag ?? ''} ${name}` },
      )
      .toBe('there');
  };
  const takeAnnouncements = () =>
    page.evaluate(() => (globalThis as { announcements?: string[] }).announcements?.splice(0) ?? []);
  return {
    press,
    type: (text) => page.keyboard.type(text),
    async tabTo(name, back) {
      const passedNames: string[] = [];
      for (let step = 0; step < MAX_TAB_STOPS; step += 1) {
        await press(back === undefined ? 'Tab' : 'Shift+Tab');
        const current = await readFocus();
        // Between the last control and the first, the focus is in the browser's own controls, outside the page.
        if (current === null) continue;
        passedNames.push(current.name);
        // An element that slides in is covered until it has arrived.
        if (!current.isVisible)
          await expect.poll(readFocus).toMatchObject({ isVisible: true, name: current.name });
        if (matches(current.name, name)) return;
      }
      throw new Error(`${name} is not reached by Tab: ${passedNames.join(' · ')}`);
    },
    waitForFocus: (name) => waitForFocus(name),
    waitForScreen: (title) => waitForFocus(title, 'main'),
    takeAnnouncements,
    async waitForAnnouncement(words) {
      const all: string[] = [];
      await expect
        .poll(
          async () => {
            all.push(...(await takeAnnouncements()));
            return all.some((announcement) => words.test(announcement)) ? 'heard' : all;
          },
          { message: `${words} is said` },
        )
        .toBe('heard');
      return all;
    },
  };
}

function matches(name: string, expected: string | RegExp): boolean {
  return typeof expected === 'string' ? name === expected : expected.test(name);
}

/**
 * Runs in the page: records what a screen reader announces unasked: changes in live regions that are already on the
 * page, and new alerts.
 */
function recordAnnouncements(): void {
  const announcements: string[] = [];
  Object.assign(globalThis, { announcements });
  const liveRegions = '[role="status"], [role="alert"], [aria-live="polite"]';
  const recordRegion = (region: Element) => {
    const copy = region.cloneNode(true) as Element;
    for (const hidden of copy.querySelectorAll('[aria-hidden="true"]')) hidden.remove();
    const text = copy.textContent?.trim() ?? '';
    // Loading times depend on the machine, so loading states do not count.
    const isLoadingState = /^Carrega(ndo|do)$/.test(text);
    if (text !== '' && !isLoadingState && announcements.at(-1) !== text) announcements.push(text);
  };
  new MutationObserver((changes) => {
    const regions = new Set<Element>();
    for (const { target, addedNodes } of changes) {
      const liveRegion = (target instanceof Element ? target : target.parentElement)?.closest(liveRegions);
      if (liveRegion != null) regions.add(liveRegion);
      // A live region that is inserted together with its text is announced by every screen reader only if it is an
      // alert.
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches('[role="alert"]')) regions.add(node);
        for (const alert of node.querySelectorAll('[role="alert"]')) regions.add(alert);
      }
    }
    for (const region of regions) recordRegion(region);
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

/** Runs in the page: describes the focused element, or returns null if none has the focus. */
function findFocus(): Focus | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const labels =
    'labels' in element && element.labels instanceof NodeList
      ? [...((element as HTMLInputElement).labels ?? [])]
      : [];
  const labelId = element.getAttribute('aria-labelledby');
  const texts = [
    element.getAttribute('aria-label'),
    labelId === null ? null : document.getElementById(labelId)?.textContent,
    labels.map((label) => label.textContent).join(' '),
    /^(MAIN|SECTION|FORM|UL|DIV)$/.test(element.tagName) ? null : element.textContent,
  ];
  const name = (texts.find((text) => text != null && text.trim() !== '') ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  // A field shows the focus around itself, a PIN cell beside it, a radio on its label.
  const possibleIndicators = [
    element,
    element.parentElement,
    ...labels,
    ...(element.nextElementSibling?.children ?? []),
  ];
  const hasIndicator = possibleIndicators.some((candidate) => {
    if (!candidate) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(candidate);
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
  });
  // A radio button of ours is invisible, and its label is drawn instead.
  const drawnElement = element.offsetWidth <= 1 ? (labels[0] ?? element) : element;
  const { x, y, width, height } = drawnElement.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  const isUncovered =
    top !== null && [element, ...labels].some((part) => part.contains(top) || top.contains(part));
  return { name, tag: element.tagName.toLowerCase(), isVisible: hasIndicator && isUncovered };
}
