import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Accounts } from '../accounts.ts';
import type { Bank } from '../bank.ts';
import { formatMoment } from '../clock.ts';
import type { Webhook } from '../records.ts';
import { Problem } from '../refusal.ts';
import { asQuery, paginate, readListQuery } from './list-query.ts';
import { bankOf, requireScope } from './oauth-routes.ts';

interface KeyPath {
  Params: { chave: string };
}

const bodySchema = z.object({ webhookUrl: z.url({ protocol: /^https?$/ }).max(2048) });

/** The webhook for received Pix: BACEN's tag Webhook. Plain HTTP is also accepted, for tests on one machine. */
export function webhookRoutes(app: FastifyInstance, accounts: Accounts): void {
  const readAccess = { onRequest: requireScope(accounts, 'webhook.read') };
  const writeAccess = { onRequest: requireScope(accounts, 'webhook.write') };

  app.put<KeyPath>('/v2/webhook/:chave', writeAccess, async (request) => {
    const { chave } = request.params;
    const bank = bankOf(request);
    if (chave !== bank.account.key) {
      throw invalidWebhook(
        'O parâmetro chave não corresponde a uma chave DICT deste usuário recebedor.',
        'chave',
        chave,
      );
    }
    const { data } = bodySchema.safeParse(request.body);
    if (data === undefined)
      throw invalidWebhook('Campo webhook.webhookUrl não respeita o schema.', 'webhook.webhookUrl');
    const webhook = { url: data.webhookUrl, createdAt: bank.books.clock.now() };
    await bank.books.record({ t: 'webhook', key: chave, webhook });
    return formatWebhook(bank, chave, webhook);
  });
  app.get<KeyPath>('/v2/webhook/:chave', readAccess, async (request) => {
    const bank = bankOf(request);
    const webhook = findWebhook(bank, request.params.chave);
    await bank.books.untilDurable();
    return formatWebhook(bank, request.params.chave, webhook);
  });
  app.delete<KeyPath>('/v2/webhook/:chave', writeAccess, async (request, reply) => {
    const bank = bankOf(request);
    findWebhook(bank, request.params.chave);
    await bank.books.record({ t: 'webhook', key: request.params.chave, webhook: null });
    return reply.status(204).send();
  });
  app.get('/v2/webhook', readAccess, async (request) => {
    const bank = bankOf(request);
    await bank.books.untilDurable();
    return listWebhooks(bank, asQuery(request.query));
  });
}

function listWebhooks(bank: Bank, query: Record<string, unknown>): object {
  const listQuery = readListQuery(query, 'WebhookConsultaInvalida', { from: 0, to: bank.books.clock.now() });
  const matches = [...bank.books.webhooks].filter(
    ([, { createdAt }]) => createdAt >= listQuery.from && createdAt <= listQuery.to,
  );
  const { parametros, page } = paginate(matches, listQuery, {});
  return { parametros, webhooks: page.map(([key, webhook]) => formatWebhook(bank, key, webhook)) };
}

function findWebhook(bank: Bank, key: string): Webhook {
  const webhook = bank.books.webhooks.get(key);
  if (webhook === undefined) {
    throw new Problem('WebhookNaoEncontrado', 'O webhook da chave não se encontra estabelecido.');
  }
  return webhook;
}

function formatWebhook(bank: Bank, key: string, webhook: Webhook): object {
  return {
    webhookUrl: webhook.url,
    chave: key,
    cnpj: bank.account.document,
    criacao: formatMoment(webhook.createdAt),
  };
}

function invalidWebhook(razao: string, propriedade: string, valor?: string): Problem {
  return new Problem('WebhookOperacaoInvalida', 'A presente requisição busca criar um webhook inválido.', {
    violations: [{ razao, propriedade, ...(valor !== undefined && { valor }) }],
  });
}
