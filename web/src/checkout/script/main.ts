import { offerCopying } from './copy-code.ts';
import { countDown } from './count-down.ts';
import { offerPrinting } from './offer-printing.ts';
import { redirectToShop } from './redirect-to-shop.ts';
import { sendOnce } from './send-once.ts';
import { serverClock } from './server-clock.ts';
import { watchPayment } from './watch-payment.ts';

// The entry point for the payers' pages, which are complete without it.
const payment = document.querySelector<HTMLElement>('main[data-state]');
if (payment !== null) {
  const clock = serverClock(payment.dataset['now'] ?? '');
  const { check } = watchPayment(payment, clock);
  if (payment.dataset['state'] === 'waiting') countDown(payment, clock, check);
  redirectToShop(payment);
}
offerCopying();
offerPrinting();
sendOnce();
