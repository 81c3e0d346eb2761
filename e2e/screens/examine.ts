import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { insertLongValues } from './long-values.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const axeOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  // Only violations are collected, because collecting the rules that pass is most of axe's work.
  resultTypes: ['violations'],
  selectors: false,
};

type Violation = { id: string; nodes: { html: string; failureSummary: string }[] };

/**
 * Finds violations of WCAG 2.2 AA on the screen with axe, a library that checks accessibility: names, roles, contrast,
 * targets of at least 24 px. axe sometimes waits for a timer, so if the page's clock is stopped, the clock advances
 * while axe runs.
 */
export async function findAxeProblems(page: Page, { isTimeStopped = false } = {}): Promise<string[]> {
  // The debugger evaluates the script, so the page's content security policy does not block it.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axeSource);
  await layOutSkippedContent(page);
  const running = page.evaluate<Violation[]>(
    `axe.run(document, ${JSON.stringify(axeOptions)}).then(({ violations }) => violations)`,
  );
  const violations = await (isTimeStopped ? whileTimePasses(page, running) : running);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

/**
 * Lays out content that the browser skips while it is out of view (`content-visibility`). Until then such a box has an
 * estimated height, and axe would find that its elements overlap those of the next box.
 */
async function layOutSkippedContent(page: Page): Promise<void> {
  await page.evaluate(() => {
    const style = new CSSStyleSheet();
    style.replaceSync('* { content-visibility: visible !important; }');
    document.adoptedStyleSheets.push(style);
  });
}

/** Advances the stopped clock of a page until `work` is done. */
async function whileTimePasses<T>(page: Page, work: Promise<T>): Promise<T> {
  let isDone = false;
  const result = work.finally(() => {
    isDone = true;
  });
  while (!isDone) await page.clock.runFor(1);
  return result;
}

/**
 * Finds layout problems that remain for a second, because the layout needs some frames to settle after a change of
 * width.
 */
export async function findLastingLayoutProblems(page: Page): Promise<string[]> {
  let problems = await findLayoutProblems(page);
  for (let attempt = 0; attempt < 5 && problems.length > 0; attempt++) {
    await sleep(200);
    problems = await findLayoutProblems(page);
  }
  return problems;
}

/**
 * Finds elements that are wider than the screen, cut off unreadably, or broken within a word, and animations that run
 * although the browser asks for reduced motion.
 */
function findLayoutProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const problems: string[] = [];
    const nameOf = (element: Element) =>
      `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> ${(element.textContent ?? '').trim().slice(0, 60)}`;
    const root = document.documentElement;
    const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
    // Code, rows of pictures and zoomed pictures scroll on purpose.
    const scrollsOnPurpose = (box: Element) =>
      box.matches('pre, section:has(> img, > canvas)') || getComputedStyle(box).scrollSnapType !== 'none';
    const isVisible = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.getBoundingClientRect().width > 1;
    const hasOwnText = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
    // Shortened text must be readable after a press, because a finger cannot hover to see the full text.
    const isPressable = (element: Element) =>
      element.closest('button, a, label, summary, .table-open tr:not(.row-still)') !== null;
    if (root.scrollWidth > root.clientWidth) {
      const beyond = [...document.body.querySelectorAll('*')].filter(
        (element) => hasOwnText(element) && element.getBoundingClientRect().right > root.clientWidth + 1,
      );
      const first = beyond.slice(0, 3).map(nameOf).join(' ');
      problems.push(`wider than the screen by ${root.scrollWidth - root.clientWidth} px: ${first}`);
    }
    const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
    for (const box of dialog?.querySelectorAll('.modal-box, .modal-box *') ?? [])
      if (scrolls(box) && box.scrollWidth > box.clientWidth + 1 && !scrollsOnPurpose(box))
        problems.push(`scrolls sideways: ${nameOf(box)}`);
    for (const element of (dialog ?? document.body).querySelectorAll('*')) {
      if (!hasOwnText(element) || !isVisible(element) || element.closest('svg, option, .sr-only') !== null)
        continue;
      for (let box: Element | null = element; box !== null && box !== root; box = box.parentElement) {
        const { overflowX, textOverflow } = getComputedStyle(box);
        // Text in a box of one pixel is meant only for screen readers.
        if (scrolls(box) || box.clientWidth <= 1) break;
        if (overflowX === 'visible') continue;
        const range = document.createRange();
        range.selectNodeContents(element);
        const cutPixels = range.getBoundingClientRect().right - box.getBoundingClientRect().right;
        if (cutPixels <= 1) continue;
        if (textOverflow !== 'ellipsis') problems.push(`cut without a mark: ${nameOf(element)}`);
        else if (!isPressable(element)) problems.push(`cut, and nothing opens it: ${nameOf(element)}`);
        break;
      }
    }
    // Long values may break anywhere; the product's own words must stay whole, even on the smallest phone.
    const lines = document.createRange();
    const walker = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text !== null && root.clientWidth >= 300; text = walker.nextNode()) {
      const element = text.parentElement;
      if (element === null || !isVisible(element) || element.closest('svg, option, .sr-only, pre, code'))
        continue;
      if (getComputedStyle(element).wordBreak === 'break-all') continue;
      for (const { 0: word, index } of (text.nodeValue ?? '').matchAll(/(?<!\S)[\p{L}-]{2,14}(?!\S)/gu)) {
        // A hyphenated word may break at its hyphen, unless it is the whole label.
        if (word.includes('-') && text.nodeValue?.trim() !== word) continue;
        lines.setStart(text, index);
        lines.setEnd(text, index + word.length);
        const tops = new Set([...lines.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) problems.push(`broken within ${word}: ${nameOf(element)}`);
      }
    }
    for (const animation of document.getAnimations()) {
      const { duration, activeDuration } = animation.effect?.getComputedTiming() ?? {};
      const lasts = Number(duration) > 10 && activeDuration !== 0;
      if (animation.playState === 'running' && lasts)
        problems.push('moves, although less motion was asked for');
    }
    return [...new Set(problems)];
  });
}

/** Finds focusable elements that look no different when they have the focus. */
export async function findFocusProblems(page: Page): Promise<string[]> {
  // The browser shows the focus only after a key press.
  await page.keyboard.press('Tab');
  return page.evaluate(() => {
    const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
    const focusable =
      'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]';
    const styleOf = (element: Element) => {
      const { outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor } =
        getComputedStyle(element);
      const outline = outlineStyle === 'none' ? '' : outlineWidth;
      return [outline, boxShadow, borderColor, backgroundColor].join(' ');
    };
    const stylesAround = (element: Element) => {
      const boxes = [
        element,
        element.parentElement,
        element.parentElement?.parentElement,
        element.nextElementSibling,
      ];
      return boxes.map((box) => (box ? styleOf(box) : '')).join('|');
    };
    return [...(dialog ?? document.body).querySelectorAll<HTMLElement>(focusable)].flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true })) return [];
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      const stylesBefore = stylesAround(element);
      element.focus({ preventScroll: true });
      if (document.activeElement !== element || stylesAround(element) !== stylesBefore) return [];
      return [`focus is not seen: ${element.outerHTML.slice(0, 160)}`];
    });
  });
}

/** The widths at which nothing may be cut or wider than the screen. */
const checkedWidths: readonly number[] = [250, 320, 390, 768, 1440];

/** Finds layout problems that long names, addresses, texts and amounts cause, at every width or at the given ones. */
export async function findLongValueProblems(page: Page, widths = checkedWidths): Promise<string[]> {
  const problems: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    // At some widths tables become lists, which show the original values again, so the long values are set afterwards.
    await page.evaluate(() =>
      new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame)),
    );
    await insertLongValues(page);
    problems.push(
      ...(await findLayoutProblems(page)).map((problem) => `${width} px, long values: ${problem}`),
    );
  }
  return problems;
}
