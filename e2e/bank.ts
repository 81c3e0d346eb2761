import type { LentStack } from './stack.ts';

/** Pays a code at Banco Sandbox, as the app of a payer's bank does. Returns the endToEndId. */
export async function payAtBank(stack: Pick<LentStack, 'bankUrl'>, brCode: unknown): Promise<string> {
  const { endToEndId } = await askBank(stack, 'POST', '/sandbox/payments', { brCode });
  return String(endToEndId);
}

/** Moves the bank's time; the gateway follows within seconds. */
export async function advanceClock(stack: LentStack, advanceSeconds: number): Promise<void> {
  await askBank(stack, 'POST', '/sandbox/clock', { advanceSeconds });
}

/** Makes the bank accept the creation of charges, or refuse it as if it were down. */
export async function setCharges(stack: LentStack, charges: 'normal' | 'down'): Promise<void> {
  await askBank(stack, 'PUT', '/sandbox/behaviour', { charges });
}

/** Makes the bank execute payouts, or refuse them. */
export async function setPayouts(stack: LentStack, payouts: 'normal' | 'refused'): Promise<void> {
  await askBank(stack, 'PUT', '/sandbox/behaviour', { payouts });
}

/** Makes the bank execute returns, or refuse them. */
export async function setRefunds(stack: LentStack, refunds: 'normal' | 'refused'): Promise<void> {
  await askBank(stack, 'PUT', '/sandbox/behaviour', { refunds });
}

export async function askBank(
  stack: Pick<LentStack, 'bankUrl'>,
  method: string,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const answer = await fetch(stack.bankUrl + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}
