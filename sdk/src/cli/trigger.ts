import { sleep } from '../call.ts';
import type { EventType } from '../index.ts';
import { CommandFailure, USAGE_EXIT_CODE } from './failure.ts';
import { connectToGateway, findNewestEventId, type GatewayConnection } from './gateway.ts';
import { readArguments, readReais } from './read-arguments.ts';
import { disputeAtSandbox, payAtSandbox, rejectDispute, requireSandbox } from './sandbox-bank.ts';
import { formatReais, paint, printLine } from './terminal.ts';

/** The charge with which a scenario begins. `amount` is in reais. */
type NewCharge = { readonly amount: number; readonly external_id: string | undefined };
type Scenario = (context: ScenarioContext, charge: NewCharge) => Promise<unknown>;

/** For each type of event, the function that causes such an event by real actions. */
const scenarios: Partial<Record<EventType, Scenario>> = {
  'payment.paid': payCharge,
  'payment.expired': expireCharge,
  'payment.refunded': refundPayment,
  'refund.failed': failRefund,
  'dispute.opened': openDispute,
  'dispute.closed': closeDispute,
};

/** Causes an event in the sandbox by real actions; no event is faked. */
export async function trigger(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    amount: { type: 'string' },
    'external-id': { type: 'string' },
  });
  const [type = '', ...more] = positionals;
  const scenario = findScenario(type);
  if (scenario === undefined || more.length > 0)
    throw new CommandFailure(
      `Diga um evento que se pode causar: ${Object.keys(scenarios).join(', ')}.`,
      USAGE_EXIT_CODE,
    );
  const amount = values.amount === undefined ? 25.9 : readReais(values.amount);
  const gateway = await connectToGateway(values);
  requireSandbox(gateway);
  const context = { gateway, after: await findNewestEventId(gateway.jangada) };
  await scenario(context, { amount, external_id: values['external-id'] });
}

function findScenario(type: string): Scenario | undefined {
  return Object.entries(scenarios).find(([name]) => name === type)?.[1];
}

/** The gateway, and the id of the newest event before the scenario began. */
type ScenarioContext = { readonly gateway: GatewayConnection; readonly after: string | undefined };

async function createCharge({ gateway: { jangada } }: ScenarioContext, charge: NewCharge) {
  const { amount, external_id } = charge;
  const payment = await jangada.payments.create({ amount, external_id, image: false });
  printLine(`Cobrança de ${formatReais(amount)}: ${payment.id}`);
  return payment;
}

async function payCharge(context: ScenarioContext, charge: NewCharge) {
  const payment = await createCharge(context, charge);
  const { endToEndId } = await payAtSandbox(context.gateway, payment.content);
  await waitForEvent(context, 'payment.paid', payment.id);
  return { id: payment.id, endToEndId };
}

async function expireCharge(context: ScenarioContext, charge: NewCharge): Promise<void> {
  const { id } = await createCharge(context, charge);
  await context.gateway.jangada.payments.cancel(id);
  await waitForEvent(context, 'payment.expired', id);
}

async function refundPayment(context: ScenarioContext, charge: NewCharge): Promise<void> {
  const { id } = await payCharge(context, charge);
  await context.gateway.jangada.refunds.create(id);
  await waitForEvent(context, 'payment.refunded', id);
}

/** The amount, in reais, at which the sandbox's bank always refuses a refund. */
const refusedRefundAmount = 15.01;

async function failRefund(context: ScenarioContext, charge: NewCharge): Promise<void> {
  if (charge.amount < refusedRefundAmount)
    throw new CommandFailure(
      `refund.failed: o valor precisa ser de ${formatReais(refusedRefundAmount)} ou mais.`,
      USAGE_EXIT_CODE,
    );
  const { id } = await payCharge(context, charge);
  await context.gateway.jangada.refunds.create(id, { amount: refusedRefundAmount });
  await waitForEvent(context, 'refund.failed', id);
}

async function openDispute(context: ScenarioContext, charge: NewCharge) {
  const { id, endToEndId } = await payCharge(context, charge);
  const disputeId = await disputeAtSandbox(context.gateway, endToEndId);
  await waitForEvent(context, 'dispute.opened', id);
  return { id, disputeId };
}

async function closeDispute(context: ScenarioContext, charge: NewCharge): Promise<void> {
  const { id, disputeId } = await openDispute(context, charge);
  await rejectDispute(context.gateway, disputeId);
  await waitForEvent(context, 'dispute.closed', id);
}

/** Events usually follow within seconds. After this time the command tells the user how to look for the event later. */
const longestWaitMs = 60_000;

/** Waits for an event of a payment, and prints its id. */
async function waitForEvent(context: ScenarioContext, type: EventType, paymentId: string): Promise<void> {
  const { events } = context.gateway.jangada;
  const deadline = Date.now() + longestWaitMs;
  while (Date.now() < deadline) {
    for await (const { id, data } of events.listAll({ after: context.after, type }))
      if ('paymentId' in data && data.paymentId === paymentId)
        return printLine(`${paint('green', type.padEnd(18))}  ${id}`);
    await sleep(250);
  }
  throw new CommandFailure(
    `O evento ${type} ainda não aconteceu. Veja depois: jangada events --type ${type}`,
  );
}
