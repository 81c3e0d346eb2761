import { call } from './call.ts';
import type { Visitor } from './visit.ts';

/** A page as it is measured: its address, what it is called, and who visits it. */
export type MeasuredPage = Visitor & { readonly name: string; readonly path: string };

/** Makes two charges of the sandbox's demo merchant, pays one, and answers the pages that their payers see. */
export async function makePayerPages(origin: string, token: string): Promise<MeasuredPage[]> {
  const charge = () => call(origin, '/pix/new', { amount: 1250, expires_in: 3600, image: false }, token);
  const [waiting, paid] = [await charge(), await charge()];
  const { bankUrl } = await call(origin, '/settings');
  await fetch(`${bankUrl}/sandbox/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ brCode: paid['content'] }),
  });
  const [open, over] = [pathOf(waiting), pathOf(paid)];
  while ((await (await fetch(`${origin}${over}/status`)).text()).includes('"waiting"'));
  return [
    { name: '/pagar, waiting', path: open },
    { name: '/pagar, paid', path: over },
    { name: '/comprovante', path: over.replace('/pagar/', '/comprovante/') },
  ];
}

function pathOf(charge: Record<string, unknown>): string {
  return new URL(String(charge['checkout_url'])).pathname;
}
