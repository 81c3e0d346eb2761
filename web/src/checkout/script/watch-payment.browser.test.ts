import { afterEach, expect, test, vi } from 'vitest';
import { serverClock, watchPayment } from './watch-payment.ts';

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

test('checking by hand without a connection does not leave the page, and says that there is no connection', async () => {
  vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
  document.body.innerHTML = `<main data-id="00000001abc" data-state="waiting"
      data-status-path="/pagar/00000001abc/status">
    <p data-status>Aguardando o pagamento</p><a href="/pagar/00000001abc" data-check>Verificar pagamento</a></main>`;
  const page = document.querySelector<HTMLElement>('main');
  const link = page?.querySelector('a');
  if (!page || !link) throw new Error('no page');
  watchPayment(page, serverClock('2026-11-22T12:00:00.000Z'));

  const wasPrevented = !link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));

  expect(wasPrevented).toBe(true);
  await expect
    .poll(() => page.querySelector('[data-status]')?.textContent)
    .toBe('Sem conexão. Tentando de novo…');
});
