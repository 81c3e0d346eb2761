import { setTimeout as sleep } from 'node:timers/promises';
import { payAtBank } from '../../../e2e/bank.ts';
import { callApi } from '../../../e2e/stack.ts';
import type { VisitorState } from './visit.ts';

/** A page to measure: its address, name and visitor. */
export type MeasuredPage = VisitorState & { readonly name: string; readonly path: string };

/** Creates two charges of the sandbox's demo merchant, pays one, and returns their payers' pages. */
export async function makePayerPages(origin: string, token: string): Promise<MeasuredPage[]> {
  const body = { amount: 1250, expires_in: 3600, image: false };
  const charge = () => callApi({ url: origin }, 'POST', '/pix/new', { token, body });
  const [waiting, paid] = [await charge(), await charge()];
  const { bankUrl } = await callApi({ url: origin }, 'GET', '/settings');
  await payAtBank({ bankUrl: String(bankUrl) }, paid['content']);
  const [open, over] = [pathOf(waiting), pathOf(paid)];
  const status = async () => (await fetch(`${origin}${over}/status`)).text();
  while ((await status()).includes('"waiting"')) await sleep(100);
  return [
    { name: '/pagar, waiting', path: open },
    { name: '/pagar, paid', path: over },
    { name: '/comprovante', path: over.replace('/pagar/', '/comprovante/') },
  ];
}

function pathOf(charge: Record<string, unknown>): string {
  return new URL(String(charge['checkout_url'])).pathname;
}
