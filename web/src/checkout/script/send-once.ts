/** Blocks a second submit of a form in flight; a page restored from the browser's cache may submit again. */
export function sendOnce(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-once]')) {
    let sent = false;
    form.addEventListener('submit', (event) => {
      if (sent) event.preventDefault();
      sent = true;
    });
    addEventListener('pageshow', () => {
      sent = false;
    });
  }
}
