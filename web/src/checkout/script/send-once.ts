/** A form that is on its way is not sent again; one that the browser kept may be. */
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
