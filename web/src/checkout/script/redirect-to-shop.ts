/** The seconds before a paid page redirects to the shop, in which the payer can choose to stay. */
const redirectSeconds = 5;
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
function consumeWaitingRecord(id: string): boolean {
  try {
    const hasWaited = sessionStorage.getItem(keyOf(id)) !== null;
    sessionStorage.removeItem(keyOf(id));
    return hasWaited;
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
  if (state !== 'paid' || id === undefined || !consumeWaitingRecord(id)) return;
  page.querySelector('h1')?.focus();
  const backLink = page.querySelector<HTMLAnchorElement>('[data-way-back]');
  const notice = page.querySelector<HTMLElement>('[data-leading]');
  const announcement = page.querySelector('[data-leading-words]');
  if (!backLink || !notice || !announcement) return;
  notice.hidden = false;
  // Written once rather than counted down, because screen readers announce every change.
  announcement.textContent = `Você volta para ${new URL(backLink.href).host} em ${redirectSeconds} segundos.`;
  const timer = setTimeout(() => location.assign(backLink.href), redirectSeconds * 1000);
  const stay = () => {
    clearTimeout(timer);
    notice.hidden = true;
    backLink.focus();
  };
  page.querySelector('[data-stay]')?.addEventListener('click', stay);
  addEventListener('pagehide', () => clearTimeout(timer));
}
