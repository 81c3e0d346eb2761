import { setTimeout as sleep } from 'node:timers/promises';
import { payAtBank } from '../../../e2e/bank.ts';
import { callApi } from '../../../e2e/stack.ts';
import type { VisitorState } from './visit.ts';

/** A page to measure, and the state of the browser that visits it. */
export type MeasuredPage = VisitorState & { readonly name: string; readonly path: string };

/** Creates two charges of the sandbox's demo merchant, pays one, and returns their payers' pages. */
export async function makePayerPages(origin: string, token: string): Promise<MeasuredPage[]> {
  const body = { amount: 1250, expires_in: 3600, image: false };
  const createCharge = () => callApi({ url: origin }, 'POST', '/pix/new', { token, body });
  const [waiting, paid] = [await createCharge(), await createCharge()];
  const { bankUrl } = await callApi({ url: origin }, 'GET', '/settings');
  await payAtBank({ bankUrl: String(bankUrl) }, paid['content']);
  const [waitingPath, paidPath] = [pathOf(waiting), pathOf(paid)];
  const readStatus = async () => (await fetch(`${origin}${paidPath}/status`)).text();
  while ((await readStatus()).includes('"waiting"')) await sleep(100);
  return [
    { name: '/pagar, waiting', path: waitingPath },
    { name: '/pagar, paid', path: paidPath },
    { name: '/comprovante', path: paidPath.replace('/pagar/', '/comprovante/') },
  ];
}

function pathOf(charge: Record<string, unknown>): string {
  return new URL(String(charge['checkout_url'])).pathname;
}
