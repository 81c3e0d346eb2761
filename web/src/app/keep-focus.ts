/** Elements that take the focus when a control inside them is gone: those that have a name or a role. */
const FOCUS_FALLBACKS =
  'dialog[open], fieldset, table, :is(ul, section, nav):is([aria-label], [aria-labelledby]), main';

/**
 * Keeps keyboard focus in place. When the focused control is removed or disabled, focus would fall back to the
 * document and a screen reader would restart from the top, so focus moves to the nearest element around the control.
 * Returns a function that stops this.
 */
export function keepFocus(page: HTMLElement): () => void {
  /** The last focused element and its ancestors. */
  let path: readonly EventTarget[] = upFrom(document.activeElement);
  let frame = 0;
  const remember = (event: FocusEvent) => {
    path = event.composedPath();
  };
  const moveLostFocus = () => {
    frame = 0;
    // Browsers differ on whether a disabled control keeps focus; it receives no keys either way.
    const focused = document.activeElement;
    if (focused !== document.body && focused?.matches(':disabled') !== true) return;
    const fallback = path.find(
      (element) => element instanceof HTMLElement && element.isConnected && element.matches(FOCUS_FALLBACKS),
    );
    focusOn(fallback ?? document.querySelector('main'));
  };
  const observer = new MutationObserver(() => {
    const [control] = path;
    const isGone = control instanceof HTMLElement && (!control.isConnected || control.matches(':disabled'));
    // Wait until the change is drawn: the screen may have moved the focus itself by then.
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

function upFrom(element: Element | null): Element[] {
  return element === null ? [] : [element, ...upFrom(element.parentElement)];
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

/** After a failed submit, focuses the first invalid field once it is marked. One listener serves every form. */
export function focusFirstInvalidField(page: HTMLElement): () => void {
  const focusInvalid = ({ target }: SubmitEvent) => {
    if (!(target instanceof HTMLFormElement)) return;
    setTimeout(() => target.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  page.addEventListener('submit', focusInvalid);
  return () => page.removeEventListener('submit', focusInvalid);
}
