const secondsToStay = 5;
const keyOf = (id: string) => `waited ${id}`;

/** Keeps that this tab waited for a payment, even if the browser drops the page while the payer is at the bank. */
export function rememberWaiting(id: string): void {
  try {
    sessionStorage.setItem(keyOf(id), 'yes');
  } catch {
    // Without it nobody is led back by itself: the link is there.
  }
}

/** Says whether this tab waited for the payment, once. */
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
 * Tells who waited that it is paid, and leads them back to the shop after some seconds that are said, unless they stay. Who
 * opens the page later, to see it again, is led nowhere.
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
  // Once, not each second: it is announced.
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
