import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Accounts } from '../accounts.ts';
import type { AutomaticWebhookKind } from '../automatic/automatic-records.ts';
import type { Bank } from '../bank.ts';
import { formatMoment } from '../clock.ts';
import type { Webhook } from '../records.ts';
import { Problem } from '../refusal.ts';
import { bankOf, requireScope } from './oauth-routes.ts';

const bodySchema = z.object({ webhookUrl: z.url({ protocol: /^https?$/ }).max(2048) });

const NAMES = { rec: 'WebhookRec', cobr: 'WebhookCobR' } as const;

/**
 * The webhooks for mandates and for recurring charges, of which an account has one each: BACEN's tags WebhookRec and
 * WebhookCobR. Plain HTTP is also accepted, for tests on one machine.
 */
export function automaticWebhookRoutes(app: FastifyInstance, accounts: Accounts): void {
  for (const kind of ['rec', 'cobr'] as const) {
    const path = `/v2/webhook${kind}`;
    const readAccess = { onRequest: requireScope(accounts, `webhook${kind}.read`) };
    const writeAccess = { onRequest: requireScope(accounts, `webhook${kind}.write`) };
    app.put(path, writeAccess, async (request) => {
      const bank = bankOf(request);
      const webhook = { url: readUrl(kind, request.body), createdAt: bank.books.clock.now() };
      await bank.books.record({ t: 'automatic-webhook', kind, webhook });
      return formatWebhook(webhook);
    });
    app.get(path, readAccess, async (request) => {
      const bank = bankOf(request);
      const webhook = findWebhook(bank, kind);
      await bank.books.untilDurable();
      return formatWebhook(webhook);
    });
    app.delete(path, writeAccess, async (request, reply) => {
      const bank = bankOf(request);
      findWebhook(bank, kind);
      await bank.books.record({ t: 'automatic-webhook', kind, webhook: null });
      return reply.status(204).send();
    });
  }
}

function readUrl(kind: AutomaticWebhookKind, body: unknown): string {
  const { data } = bodySchema.safeParse(body);
  if (data !== undefined) return data.webhookUrl;
  throw new Problem(
    `${NAMES[kind]}OperacaoInvalida`,
    'A presente requisição busca criar um webhook inválido.',
    { violations: [{ razao: 'O campo webhookUrl não respeita o schema.', propriedade: 'webhookUrl' }] },
  );
}

/** The official file has no problem type of its own for a webhook that is not there. */
function findWebhook({ books }: Bank, kind: AutomaticWebhookKind): Webhook {
  const webhook = books.automatic.webhooks.get(kind);
  if (webhook === undefined) throw new Problem('NaoEncontrado', 'O webhook não se encontra estabelecido.');
  return webhook;
}

function formatWebhook({ url, createdAt }: Webhook): object {
  return { webhookUrl: url, criacao: formatMoment(createdAt) };
}
