import { CommandFailure } from './failure.ts';
import type { GatewayConnection } from './gateway.ts';

/** A Pix that was paid. `endToEndId` identifies it nationwide; `amount` is in reais. */
export type PaidPix = { readonly endToEndId: string; readonly amount: number };

/**
 * Pays a BR Code, the text of a Pix copia e cola, as a payer would. `amount` is needed only for a code without an
 * amount. Throws if the gateway moves real money.
 */
export async function payAtSandbox(
  gateway: GatewayConnection,
  brCode: string,
  amount?: number,
): Promise<PaidPix> {
  const answer = await callBank(gateway, '/sandbox/payments', {
    brCode,
    ...(amount !== undefined && { amount }),
  });
  const { amount: paidAmount } = answer;
  if (typeof paidAmount !== 'number') throw unreadableAnswerError();
  return { endToEndId: readText(answer, 'endToEndId'), amount: paidAmount };
}

/** Disputes a Pix as its payer would. Returns the id of the dispute at the bank. */
export async function disputeAtSandbox(gateway: GatewayConnection, endToEndId: string): Promise<string> {
  const dispute = { endToEndId, reason: 'Compra não reconhecida' };
  return readText(await callBank(gateway, '/sandbox/disputes', dispute), 'id');
}

/** Closes a dispute in the merchant's favour. */
export async function rejectDispute(gateway: GatewayConnection, disputeId: string): Promise<void> {
  await callBank(gateway, `/sandbox/disputes/${encodeURIComponent(disputeId)}/resolution`, {
    accepted: false,
  });
}

/** Returns the URL of the sandbox's bank. Throws on a gateway with real money. */
export function requireSandbox({ url, bankUrl }: GatewayConnection): string {
  if (bankUrl !== undefined) return bankUrl;
  throw new CommandFailure(
    `${url} não está em modo sandbox: ali o dinheiro é de verdade, e este comando não faz nada. Entre em um sandbox: jangada login --profile sandbox`,
  );
}

type Answer = Readonly<Record<string, unknown>>;

async function callBank(gateway: GatewayConnection, path: string, body: object): Promise<Answer> {
  const bank = requireSandbox(gateway);
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await fetch(bank + path, request).catch(() => undefined);
  if (response === undefined)
    throw new CommandFailure(`O Banco Sandbox não respondeu em ${bank}. Ele inicia com o gateway: npm start`);
  const answer: unknown = await response.json().catch(() => undefined);
  if (!isObject(answer)) throw new CommandFailure(`O que responde em ${bank} não é o Banco Sandbox.`);
  if (response.ok) return answer;
  const { error } = answer;
  if (!isObject(error)) throw new CommandFailure(`O Banco Sandbox respondeu ${response.status}.`);
  const hint = error['code'] === 'AMOUNT_REQUIRED' ? ' Use --amount.' : '';
  throw new CommandFailure(`O Banco Sandbox recusou: ${error['message']}${hint} (${error['code']})`);
}

function isObject(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null;
}

function readText(answer: Answer, name: string): string {
  const value = answer[name];
  if (typeof value !== 'string') throw unreadableAnswerError();
  return value;
}

function unreadableAnswerError(): CommandFailure {
  return new CommandFailure(
    'A resposta do Banco Sandbox não foi entendida. Veja se foi pago: jangada events',
  );
}
