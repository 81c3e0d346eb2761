/** Where somebody goes on whose control is gone: as near to it as there is a place that says what it is. */
const places =
  'dialog[open], fieldset, table, :is(ul, section, nav):is([aria-label], [aria-labelledby]), main';

/**
 * Keeps the keyboard's place. A control that is removed or greyed while it has the focus would leave it to the page
 * itself, and a screen reader at its very beginning: it goes to what stood around that control instead.
 */
export function keepFocus(page: HTMLElement): () => void {
  /** What had the focus last, and all around it. */
  let path: readonly EventTarget[] = upFrom(document.activeElement);
  let frame = 0;
  const remember = (event: FocusEvent) => {
    path = event.composedPath();
  };
  const look = () => {
    frame = 0;
    // Browsers differ in whether what is greyed keeps the focus: no key reaches it either way.
    const now = document.activeElement;
    if (now !== document.body && now?.matches(':disabled') !== true) return;
    const place = path.find((one) => one instanceof HTMLElement && one.isConnected && one.matches(places));
    focusOn(place ?? document.querySelector('main'));
  };
  const observer = new MutationObserver(() => {
    const [last] = path;
    const isGone = last instanceof HTMLElement && (!last.isConnected || last.matches(':disabled'));
    // Once it is drawn: somebody may have put the focus elsewhere by then.
    if (isGone && frame === 0) frame = requestAnimationFrame(() => setTimeout(look));
  });
  page.addEventListener('focusin', remember);
  observer.observe(page, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  return () => {
    page.removeEventListener('focusin', remember);
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}

function upFrom(element: Element | null): Element[] {
  return element === null ? [] : [element, ...upFrom(element.parentElement)];
}

function focusOn(place: EventTarget | null): void {
  if (!(place instanceof HTMLElement)) return;
  const target = place.matches('dialog') ? (place.querySelector('h2') ?? place) : place;
  if (!target.hasAttribute('tabindex')) {
    target.tabIndex = -1;
    target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
  }
  target.focus({ preventScroll: true });
}
