// After a payment, leads the payer back to the shop, at the URL that the merchant set for the charge.

/** After this many seconds, the page of a paid charge redirects to the shop, unless the payer chooses to stay. */
const redirectSeconds = 5;

/** The key in the storage of this browser tab under which its wait for a payment is recorded. */
const storageKeyOf = (id: string) => `waited ${id}`;

/**
 * Records that this tab waits for a payment. The record outlives the page, which the browser may discard while the
 * payer is in the app of their bank.
 */
export function rememberWaiting(id: string): void {
  try {
    sessionStorage.setItem(storageKeyOf(id), 'yes');
  } catch {
    // Without storage there is no automatic redirect; the link remains.
  }
}

/** Returns whether this tab waited for the payment, and deletes the record of it. */
function takeWaitingRecord(id: string): boolean {
  try {
    const hasWaited = sessionStorage.getItem(storageKeyOf(id)) !== null;
    sessionStorage.removeItem(storageKeyOf(id));
    return hasWaited;
  } catch {
    return false;
  }
}

/**
 * On the page of a paid charge, moves the focus to the heading, so that screen readers announce the payment, and
 * redirects to the shop after some seconds, unless the payer chooses to stay. Both happen only if this tab waited for
 * the payment, and only once: opening the page again later does not redirect.
 */
export function redirectToShop(page: HTMLElement): void {
  const { id, state } = page.dataset;
  if (state !== 'paid' || id === undefined || !takeWaitingRecord(id)) return;
  page.querySelector('h1')?.focus();
  const backLink = page.querySelector<HTMLAnchorElement>('[data-way-back]');
  const notice = page.querySelector<HTMLElement>('[data-leading]');
  const announcement = page.querySelector('[data-leading-words]');
  if (!backLink || !notice || !announcement) return;
  notice.hidden = false;
  // The text names the seconds once and does not count down, because screen readers announce every change.
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
