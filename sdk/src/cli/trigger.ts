import { sleep } from '../call.ts';
import type { EventType } from '../index.ts';
import { CommandFailure } from './failure.ts';
import { type GatewayConnection, newestEvent, reachGateway } from './gateway.ts';
import { readArguments, readReais } from './read-arguments.ts';
import { contestAtSandbox, payAtSandbox, rejectContest, sandboxOf } from './sandbox-bank.ts';
import { formatReais, paint, say } from './terminal.ts';

type Charge = { readonly amount: number; readonly external_id: string | undefined };
type Story = (stage: Stage, charge: Charge) => Promise<unknown>;

/** The real actions that cause each kind of event. */
const stories: Partial<Record<EventType, Story>> = {
  'payment.paid': paid,
  'payment.expired': expired,
  'payment.refunded': refunded,
  'refund.failed': refundFailed,
  'dispute.opened': disputed,
  'dispute.closed': disputeClosed,
};

/** Causes an event in the sandbox by real actions; no event is faked. */
export async function trigger(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    amount: { type: 'string' },
    'external-id': { type: 'string' },
  });
  const [type = '', ...more] = positionals;
  const story = storyOf(type);
  if (story === undefined || more.length > 0)
    throw new CommandFailure(`Diga um evento que se pode causar: ${Object.keys(stories).join(', ')}.`, 2);
  const amount = values.amount === undefined ? 25.9 : readReais(values.amount);
  const gateway = await reachGateway(values);
  sandboxOf(gateway);
  const stage = { gateway, after: await newestEvent(gateway.jangada) };
  await story(stage, { amount, external_id: values['external-id'] });
}

function storyOf(type: string): Story | undefined {
  return Object.entries(stories).find(([name]) => name === type)?.[1];
}

type Stage = { readonly gateway: GatewayConnection; readonly after: string | undefined };

async function charged({ gateway: { jangada } }: Stage, charge: Charge) {
  const { amount, external_id } = charge;
  const payment = await jangada.payments.create({ amount, external_id, image: false });
  say(`Cobrança de ${formatReais(amount)}: ${payment.id}`);
  return payment;
}

async function paid(stage: Stage, charge: Charge) {
  const payment = await charged(stage, charge);
  const { endToEndId } = await payAtSandbox(stage.gateway, payment.content);
  await happened(stage, 'payment.paid', payment.id);
  return { id: payment.id, endToEndId };
}

async function expired(stage: Stage, charge: Charge): Promise<void> {
  const { id } = await charged(stage, charge);
  await stage.gateway.jangada.payments.cancel(id);
  await happened(stage, 'payment.expired', id);
}

async function refunded(stage: Stage, charge: Charge): Promise<void> {
  const { id } = await paid(stage, charge);
  await stage.gateway.jangada.refunds.create(id);
  await happened(stage, 'payment.refunded', id);
}

/** The payer's bank refuses a refund of this amount. */
const refusedRefund = 15.01;

async function refundFailed(stage: Stage, charge: Charge): Promise<void> {
  if (charge.amount < refusedRefund)
    throw new CommandFailure(
      `refund.failed: o valor precisa ser de ${formatReais(refusedRefund)} ou mais.`,
      2,
    );
  const { id } = await paid(stage, charge);
  await stage.gateway.jangada.refunds.create(id, { amount: refusedRefund });
  await happened(stage, 'refund.failed', id);
}

async function disputed(stage: Stage, charge: Charge) {
  const { id, endToEndId } = await paid(stage, charge);
  const disputeId = await contestAtSandbox(stage.gateway, endToEndId);
  await happened(stage, 'dispute.opened', id);
  return { id, disputeId };
}

async function disputeClosed(stage: Stage, charge: Charge): Promise<void> {
  const { id, disputeId } = await disputed(stage, charge);
  await rejectContest(stage.gateway, disputeId);
  await happened(stage, 'dispute.closed', id);
}

const longestWaitMs = 60_000;

/** Waits for an event of a payment, and prints its id. */
async function happened(stage: Stage, type: EventType, paymentId: string): Promise<void> {
  const { events } = stage.gateway.jangada;
  const end = Date.now() + longestWaitMs;
  while (Date.now() < end) {
    for await (const { id, data } of events.listAll({ after: stage.after, type }))
      if ('paymentId' in data && data.paymentId === paymentId)
        return say(`${paint('green', type.padEnd(18))}  ${id}`);
    await sleep(250);
  }
  throw new CommandFailure(
    `O evento ${type} ainda não aconteceu. Veja depois: jangada events --type ${type}`,
  );
}
