/** How long a copy button shows whether copying succeeded. */
const RESULT_LABEL_MS = 2000;
const STORAGE_KEY = 'docs-language';
/** A link within these margins of the top or bottom edge of the table of contents counts as out of view. */
const TOP_MARGIN_PX = 64;
const BOTTOM_MARGIN_PX = 32;

/**
 * Adds to the rendered documentation the parts that need a script: copy buttons, the language that the reader chose on
 * an earlier visit, and a mark for the current section in the table of contents. Returns a function that removes the
 * listeners.
 */
export function enhanceDocs(docs: HTMLElement): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  docs.addEventListener('click', (event) => void copyFrom(event, docs), { signal });
  docs.addEventListener('change', storeLanguage, { signal });
  restoreLanguage(docs);
  const observer = observeHeadings(docs);
  docs.dataset['ready'] = '';
  return () => {
    controller.abort();
    observer.disconnect();
  };
}

/** For each copy button that was pressed, the timer that resets its label. */
const labelResets = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

/** Copies the sample that is visible beside the pressed button, and shows the result on the button for a while. */
async function copyFrom(event: Event, docs: HTMLElement): Promise<void> {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy]') : null;
  if (button === null) return;
  const codes = [...(button.closest('[data-block]')?.querySelectorAll('code') ?? [])];
  const visibleCode = codes.find((code) => code.checkVisibility());
  const labelElement = button.querySelector('[data-copy-word]');
  const status = docs.querySelector('[data-copied]');
  const showResult = (label: string, announcement = label) => {
    if (labelElement !== null) labelElement.textContent = label;
    if (status !== null) status.textContent = announcement;
  };
  try {
    await navigator.clipboard.writeText(visibleCode?.textContent ?? '');
    showResult('Copiado');
  } catch {
    showResult('Não foi possível copiar');
  }
  clearTimeout(labelResets.get(button));
  labelResets.set(
    button,
    setTimeout(() => showResult('Copiar', ''), RESULT_LABEL_MS),
  );
}

function storeLanguage(event: Event): void {
  if (!(event.target instanceof HTMLInputElement) || event.target.name !== 'docs-language') return;
  try {
    localStorage.setItem(STORAGE_KEY, event.target.value);
  } catch {
    // Storage is unavailable: the choice lasts until the page is closed.
  }
}

function restoreLanguage(docs: HTMLElement): void {
  try {
    const storedLanguage = localStorage.getItem(STORAGE_KEY);
    for (const radio of docs.querySelectorAll<HTMLInputElement>('input[name="docs-language"]'))
      if (radio.value === storedLanguage) radio.checked = true;
  } catch {
    // Storage is unavailable: the default language stays selected.
  }
}

/** Highlights the entry of the table of contents for the section that is being read. */
function observeHeadings(docs: HTMLElement): IntersectionObserver {
  /** The links to each section, by its id. The table of contents exists twice: for wide and for narrow screens. */
  const linksById = new Map<string, HTMLElement[]>();
  for (const link of docs.querySelectorAll<HTMLAnchorElement>('nav a[href^="#"]')) {
    const id = link.hash.slice(1);
    linksById.set(id, [...(linksById.get(id) ?? []), link]);
  }
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        for (const [id, headingLinks] of linksById)
          for (const link of headingLinks) {
            if (id !== target.id) link.removeAttribute('aria-current');
            else {
              link.setAttribute('aria-current', 'true');
              scrollContentsTo(link);
            }
          }
      }
    },
    // A section counts as being read when its heading lies between 10 % and 25 % of the window height from the top.
    { rootMargin: '-10% 0px -75% 0px' },
  );
  for (const id of linksById.keys()) {
    const heading = docs.querySelector(`[id="${id}"]`);
    if (heading !== null) observer.observe(heading);
  }
  return observer;
}

/** Scrolls the table of contents to a link that is out of view, without scrolling the page. */
function scrollContentsTo(link: HTMLElement): void {
  const list = link.closest('nav');
  if (list === null || list.scrollHeight <= list.clientHeight) return;
  const { top, bottom } = link.getBoundingClientRect();
  const frame = list.getBoundingClientRect();
  if (top < frame.top + TOP_MARGIN_PX || bottom > frame.bottom - BOTTOM_MARGIN_PX)
    list.scrollTop += top - frame.top - frame.height / 2;
}
