// The script of the payers' pages. The pages are complete without the script, which adds updates of the payment's
// status, a countdown, and buttons to copy and print.

import { enableCopyButton } from './copy-code.ts';
import { countDown } from './count-down.ts';
import { redirectToShop } from './redirect-to-shop.ts';
import { serverClock, watchPayment } from './watch-payment.ts';

const payment = document.querySelector<HTMLElement>('main[data-state]');
if (payment !== null) {
  const clock = serverClock(payment.dataset['now'] ?? '');
  const { check } = watchPayment(payment, clock);
  if (payment.dataset['state'] === 'waiting') countDown(payment, clock, check);
  redirectToShop(payment);
}
enableCopyButton();
enablePrintButtons();
preventSecondSubmit();

/** Shows the print buttons, which are hidden until this script makes them work. */
function enablePrintButtons(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-print]')) {
    button.hidden = false;
    button.addEventListener('click', () => print());
  }
}

/**
 * Blocks a second submit of a form that was just sent. After the browser restores the page from its cache, the form may
 * be sent again.
 */
function preventSecondSubmit(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-once]')) {
    let wasSent = false;
    form.addEventListener('submit', (event) => {
      if (wasSent) event.preventDefault();
      wasSent = true;
    });
    addEventListener('pageshow', () => {
      wasSent = false;
    });
  }
}
