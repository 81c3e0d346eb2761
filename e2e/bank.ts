import type { SharedStack } from './stack.ts';

/** Pays a BR Code at Banco Sandbox, as the app of a payer's bank does. Returns the payment's endToEndId. */
export async function payAtBank(stack: Pick<SharedStack, 'bankUrl'>, brCode: unknown): Promise<string> {
  const { endToEndId } = await callBank(stack, 'POST', '/sandbox/payments', { brCode });
  return String(endToEndId);
}

/** Moves the bank's time. The gateway's time follows within seconds. */
export async function advanceClock(stack: SharedStack, advanceSeconds: number): Promise<void> {
  await callBank(stack, 'POST', '/sandbox/clock', { advanceSeconds });
}

/** Makes the bank create charges, or respond as if it were down. */
export async function setChargeBehaviour(stack: SharedStack, charges: 'normal' | 'down'): Promise<void> {
  await callBank(stack, 'PUT', '/sandbox/behaviour', { charges });
}

/** Makes the bank execute payouts, or refuse them. */
export async function setPayoutBehaviour(stack: SharedStack, payouts: 'normal' | 'refused'): Promise<void> {
  await callBank(stack, 'PUT', '/sandbox/behaviour', { payouts });
}

/** Makes the bank execute refunds, or refuse them. */
export async function setRefundBehaviour(stack: SharedStack, refunds: 'normal' | 'refused'): Promise<void> {
  await callBank(stack, 'PUT', '/sandbox/behaviour', { refunds });
}

/** Calls the API with which tests control Banco Sandbox. Returns the parsed body; throws on a refusal. */
export async function callBank(
  stack: Pick<SharedStack, 'bankUrl'>,
  method: string,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(stack.bankUrl + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}
