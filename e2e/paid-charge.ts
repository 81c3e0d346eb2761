import { expect } from 'vitest';
import { payAtBank } from './bank.ts';
import { type CreatedCharge, callApi, createCharge, type SharedStack } from './stack.ts';

export type PaidCharge = CreatedCharge & { readonly endToEndId: string };

/** Creates a charge of `amount` BRL, pays it at the bank, and waits until it is credited. */
export async function createPaidCharge(
  stack: SharedStack,
  token: string,
  amount: number,
): Promise<PaidCharge> {
  const charge = await createCharge(stack, token, amount);
  const endToEndId = await payAtBank(stack, charge.content);
  const readStatus = async () =>
    (await callApi(stack, 'GET', `/pix/status/${charge.id}`, { token }))['status'];
  await expect.poll(readStatus).toBe('paid');
  return { ...charge, endToEndId };
}
