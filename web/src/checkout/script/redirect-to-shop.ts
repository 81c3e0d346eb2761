const secondsToStay = 5;
const keyOf = (id: string) => `waited ${id}`;

/**
 * Records that this tab waited for a payment, in case the browser discards the page while the payer is at the bank.
 */
export function rememberWaiting(id: string): void {
  try {
    sessionStorage.setItem(keyOf(id), 'yes');
  } catch {
    // Without storage there is no automatic redirect; the link remains.
  }
}

/** Returns whether this tab waited for the payment, and clears the record. */
function takeWaited(id: string): boolean {
  try {
    const waited = sessionStorage.getItem(keyOf(id)) !== null;
    sessionStorage.removeItem(keyOf(id));
    return waited;
  } catch {
    return false;
  }
}

/**
 * Announces the payment to a payer who waited, then redirects to the shop after an announced number of seconds unless
 * the payer stays. Opening the page again later does not redirect.
 */
export function redirectToShop(page: HTMLElement): void {
  const { id, state } = page.dataset;
  if (state !== 'paid' || id === undefined || !takeWaited(id)) return;
  page.querySelector('h1')?.focus();
  const way = page.querySelector<HTMLAnchorElement>('[data-way-back]');
  const notice = page.querySelector<HTMLElement>('[data-leading]');
  const words = page.querySelector('[data-leading-words]');
  if (!way || !notice || !words) return;
  notice.hidden = false;
  // Written once rather than every second, because it is announced.
  words.textContent = `Você volta para ${new URL(way.href).host} em ${secondsToStay} segundos.`;
  const timer = setTimeout(() => location.assign(way.href), secondsToStay * 1000);
  const stay = () => {
    clearTimeout(timer);
    notice.hidden = true;
    way.focus();
  };
  page.querySelector('[data-stay]')?.addEventListener('click', stay);
  addEventListener('pagehide', () => clearTimeout(timer));
}
