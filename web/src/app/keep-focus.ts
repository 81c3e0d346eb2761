/** Where focus goes when its control is gone: the nearest surrounding element that has a name or a role. */
const places =
  'dialog[open], fieldset, table, :is(ul, section, nav):is([aria-label], [aria-labelledby]), main';

/**
 * Keeps keyboard focus in place. When the focused control is removed or disabled, focus would fall back to the document
 * and a screen reader would restart from the top, so it moves to what surrounded the control.
 */
export function keepFocus(page: HTMLElement): () => void {
  /** The last focused element and its ancestors. */
  let path: readonly EventTarget[] = upFrom(document.activeElement);
  let frame = 0;
  const remember = (event: FocusEvent) => {
    path = event.composedPath();
  };
  const look = () => {
    frame = 0;
    // Browsers differ on whether a disabled control keeps focus; it receives no keys either way.
    const now = document.activeElement;
    if (now !== document.body && now?.matches(':disabled') !== true) return;
    const place = path.find((one) => one instanceof HTMLElement && one.isConnected && one.matches(places));
    focusOn(place ?? document.querySelector('main'));
  };
  const observer = new MutationObserver(() => {
    const [last] = path;
    const isGone = last instanceof HTMLElement && (!last.isConnected || last.matches(':disabled'));
    // Wait until it is drawn: focus may have been moved elsewhere by then.
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

/** After a failed submit, focuses the first invalid field once it is marked. One listener serves every form. */
export function focusFirstInvalidField(page: HTMLElement): () => void {
  const lead = ({ target }: SubmitEvent) => {
    if (!(target instanceof HTMLFormElement)) return;
    setTimeout(() => target.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  page.addEventListener('submit', lead);
  return () => page.removeEventListener('submit', lead);
}
