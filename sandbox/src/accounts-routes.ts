import { randomUUID } from 'node:crypto';
import { isCanonicalPixKey, isCnpj } from '@jangada/pix';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Accounts } from './accounts.ts';
import type { Bank } from './bank.ts';
import { clientSettingsOf } from './client-settings.ts';
import { SandboxRefusal } from './refusal.ts';

/** A text that still has a letter or digit in a code, whose texts are reduced to ASCII. */
const codeText = (message: string) =>
  z
    .string(message)
    .trim()
    .max(200, message)
    .regex(/[\dA-Za-z]/, message);

const requestSchema = z.strictObject(
  {
    name: codeText('Informe o nome do titular, com até 200 caracteres.'),
    /** A CNPJ, without punctuation. */
    document: z
      .string('Informe o CNPJ do titular.')
      .refine((text) => text.length === 14 && isCnpj(text), 'O CNPJ do titular não é válido.'),
    city: codeText('Informe a cidade do titular, com até 200 caracteres.'),
    /** By default a random key. */
    key: z
      .string('Informe a chave Pix como texto.')
      .refine(
        isCanonicalPixKey,
        'A chave Pix deve ser um CPF, CNPJ, e-mail, celular com +55 ou chave aleatória.',
      )
      .optional(),
    /** How long the client certificate is valid that the account then demands. 0: it has expired already. */
    certificateDays: z
      .int('Informe os dias de validade do certificado, de 0 a 3650.')
      .min(0, 'O certificado vale de 0 a 3650 dias.')
      .max(3650, 'O certificado vale de 0 a 3650 dias.')
      .optional(),
  },
  'Envie um objeto com name, document, city e, se quiser, key e certificateDays.',
);

/** Calls that open accounts, list them, and say how to connect to one. */
export function accountsRoutes(app: FastifyInstance, accounts: Accounts): void {
  app.get('/sandbox/accounts', async () => {
    await accounts.untilDurable();
    return accounts.all.map(formatBank);
  });
  app.post('/sandbox/accounts', async (request, reply) => {
    const { data, error } = requestSchema.safeParse(request.body);
    if (data === undefined) {
      throw new SandboxRefusal('INVALID_REQUEST', error.issues.map(({ message }) => message).join(' '));
    }
    const { ispb } = accounts.first.account;
    const { certificateDays, ...holder } = data;
    const account = { ...holder, key: holder.key ?? randomUUID(), ispb };
    const bank = await accounts.add(account, certificateDays);
    return reply.status(201).send({ ...formatBank(bank), ...clientSettingsOf(bank) });
  });
  app.get<{ Params: { id: string } }>('/sandbox/accounts/:id/credentials', async (request) => {
    const bank = accounts.named(request.params.id);
    if (bank === undefined) throw new SandboxRefusal('NOT_FOUND', 'Esta conta não existe.');
    if (bank === accounts.first) {
      throw new SandboxRefusal(
        'NOT_FOUND',
        'As credenciais da primeira conta estão na configuração do banco.',
      );
    }
    return clientSettingsOf(bank);
  });
  app.get<{ Params: { id: string } }>('/sandbox/accounts/:id/certificate', async (request, reply) => {
    const bank = accounts.named(request.params.id);
    if (bank?.certificate === undefined)
      throw new SandboxRefusal('NOT_FOUND', 'Esta conta não existe ou não pede certificado.');
    return sendPem(reply, `conta-${bank.id}.pem`, bank.certificate.pem);
  });
  app.get('/sandbox/authority', async (_request, reply) => {
    const { authority } = accounts.first;
    if (authority === undefined)
      throw new SandboxRefusal('NOT_FOUND', 'Este banco foi iniciado sem SANDBOX_MTLS_PORT.');
    return sendPem(reply, 'banco-sandbox.pem', authority.cert);
  });
}

function sendPem(reply: FastifyReply, name: string, pem: string): FastifyReply {
  return reply
    .type('application/x-pem-file')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(pem);
}

function formatBank({ id, account, books }: Bank): object {
  return { id, ...account, balance: books.balanceCents / 100 };
}
