const COPIED_MS = 2000;
const KEPT_AS = 'docs-language';

/**
 * What the documentation gains by a script: copying, the language that was chosen before, and the place in the table of
 * contents. Without it everything is there and can be read. Answers how to end it.
 */
export function enhanceDocs(docs: HTMLElement): () => void {
  const over = new AbortController();
  const { signal } = over;
  docs.addEventListener('click', (event) => void copyFrom(event, docs), { signal });
  docs.addEventListener('change', keepLanguage, { signal });
  chooseKeptLanguage(docs);
  const spy = followReading(docs);
  docs.dataset['ready'] = '';
  return () => {
    over.abort();
    spy.disconnect();
  };
}

/** When a button's word goes back to what it was: two seconds after it was last pressed. */
const wordsBack = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

async function copyFrom(event: Event, docs: HTMLElement): Promise<void> {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy]') : null;
  if (button === null) return;
  const codes = [...(button.closest('[data-block]')?.querySelectorAll('code') ?? [])];
  const shown = codes.find((code) => code.checkVisibility());
  const word = button.querySelector('[data-copy-word]');
  const status = docs.querySelector('[data-copied]');
  const tell = (said: string, announced = said) => {
    if (word !== null) word.textContent = said;
    if (status !== null) status.textContent = announced;
  };
  try {
    await navigator.clipboard.writeText(shown?.textContent ?? '');
    tell('Copiado');
  } catch {
    tell('Não foi possível copiar');
  }
  clearTimeout(wordsBack.get(button));
  wordsBack.set(
    button,
    setTimeout(() => tell('Copiar', ''), COPIED_MS),
  );
}

function keepLanguage(event: Event): void {
  if (!(event.target instanceof HTMLInputElement) || event.target.name !== 'docs-language') return;
  try {
    localStorage.setItem(KEPT_AS, event.target.value);
  } catch {
    // Storage is closed to this page: the choice holds until it is left.
  }
}

function chooseKeptLanguage(docs: HTMLElement): void {
  try {
    const kept = localStorage.getItem(KEPT_AS);
    for (const radio of docs.querySelectorAll<HTMLInputElement>('input[name="docs-language"]'))
      if (radio.value === kept) radio.checked = true;
  } catch {
    // As above.
  }
}

/** Marks in the table of contents what is being read. */
function followReading(docs: HTMLElement): IntersectionObserver {
  const links = new Map<string, HTMLElement[]>();
  for (const link of docs.querySelectorAll<HTMLAnchorElement>('nav a[href^="#"]')) {
    const id = link.hash.slice(1);
    links.set(id, [...(links.get(id) ?? []), link]);
  }
  const spy = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        for (const [id, ofId] of links)
          for (const link of ofId) {
            if (id !== target.id) link.removeAttribute('aria-current');
            else {
              link.setAttribute('aria-current', 'true');
              keepInView(link);
            }
          }
      }
    },
    { rootMargin: '-10% 0px -75% 0px' },
  );
  for (const id of links.keys()) {
    const heading = docs.querySelector(`[id="${id}"]`);
    if (heading !== null) spy.observe(heading);
  }
  return spy;
}

/** Moves the table of contents, and never the page. */
function keepInView(link: HTMLElement): void {
  const list = link.closest('nav');
  if (list === null || list.scrollHeight <= list.clientHeight) return;
  const { top, bottom } = link.getBoundingClientRect();
  const frame = list.getBoundingClientRect();
  if (top < frame.top + 64 || bottom > frame.bottom - 32)
    list.scrollTop += top - frame.top - frame.height / 2;
}
