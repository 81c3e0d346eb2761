/**
 * The elements that can take the focus when a control inside them is gone: those with a name or a role that screen
 * readers announce.
 */
const FOCUS_FALLBACKS =
  'dialog[open], fieldset, table, :is(ul, section, nav):is([aria-label], [aria-labelledby]), main';

/**
 * Keeps the keyboard focus in place. When the focused control is removed or disabled, the focus would fall back to the
 * document, and a screen reader would start again from the top. So the focus moves to the nearest suitable element
 * around the control. Returns a function that stops the observation.
 */
export function keepFocus(page: HTMLElement): () => void {
  /** The last focused element and its ancestors, innermost first. */
  let lastFocusPath: readonly EventTarget[] = elementAndAncestors(document.activeElement);
  let frame = 0;
  const remember = (event: FocusEvent) => {
    lastFocusPath = event.composedPath();
  };
  const moveLostFocus = () => {
    frame = 0;
    // Some browsers leave the focus on a disabled control, others do not; such a control receives no keys either way.
    const focused = document.activeElement;
    if (focused !== document.body && focused?.matches(':disabled') !== true) return;
    const fallback = lastFocusPath.find(
      (element) => element instanceof HTMLElement && element.isConnected && element.matches(FOCUS_FALLBACKS),
    );
    focusOn(fallback ?? document.querySelector('main'));
  };
  const observer = new MutationObserver(() => {
    const [control] = lastFocusPath;
    const isGone = control instanceof HTMLElement && (!control.isConnected || control.matches(':disabled'));
    // Waits until the change is drawn, because the screen may have moved the focus itself by then.
    if (isGone && frame === 0) frame = requestAnimationFrame(() => setTimeout(moveLostFocus));
  });
  page.addEventListener('focusin', remember);
  observer.observe(page, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  return () => {
    page.removeEventListener('focusin', remember);
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}

function elementAndAncestors(element: Element | null): Element[] {
  return element === null ? [] : [element, ...elementAndAncestors(element.parentElement)];
}

function focusOn(element: EventTarget | null): void {
  if (!(element instanceof HTMLElement)) return;
  const target = element.matches('dialog') ? (element.querySelector('h2') ?? element) : element;
  if (!target.hasAttribute('tabindex')) {
    target.tabIndex = -1;
    target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
  }
  target.focus({ preventScroll: true });
}

/** After a failed submit, focuses the first invalid field as soon as it is marked. One listener serves every form. */
export function focusFirstInvalidField(page: HTMLElement): () => void {
  const focusInvalid = ({ target }: SubmitEvent) => {
    if (!(target instanceof HTMLFormElement)) return;
    setTimeout(() => target.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  page.addEventListener('submit', focusInvalid);
  return () => page.removeEventListener('submit', focusInvalid);
}
