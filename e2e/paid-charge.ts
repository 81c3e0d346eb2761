import { expect } from 'vitest';
import { payAtBank } from './bank.ts';
import { type CreatedCharge, callApi, type LentStack, newCharge } from './stack.ts';

export type PaidCharge = CreatedCharge & { readonly endToEndId: string };

/** A payment of `amount` BRL that has been credited. */
export async function paidCharge(stack: LentStack, token: string, amount: number): Promise<PaidCharge> {
  const charge = await newCharge(stack, token, amount);
  const endToEndId = await payAtBank(stack, charge.content);
  const status = async () => (await callApi(stack, 'GET', `/pix/status/${charge.id}`, { token }))['status'];
  await expect.poll(status).toBe('paid');
  return { ...charge, endToEndId };
}
