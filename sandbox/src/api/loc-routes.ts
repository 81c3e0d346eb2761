import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Accounts } from '../accounts.ts';
import type { Bank } from '../bank.ts';
import { formatLocation } from '../charge.ts';
import type { BookRecord, Location } from '../records.ts';
import { Problem } from '../refusal.ts';
import { withoutTxid } from './link-location.ts';
import { asQuery, paginate, readFlag, readListQuery, readText } from './list-query.ts';
import { bankOf, requireScope } from './oauth-routes.ts';

interface IdPath {
  Params: { id: string };
}

/** A `cob` is an immediate charge, a `cobv` one with a due date. */
const bodySchema = z.object({ tipoCob: z.enum(['cob', 'cobv']) });

/** Payload locations, the URLs inside dynamic codes: BACEN's tag PayloadLocation. */
export function locRoutes(app: FastifyInstance, accounts: Accounts): void {
  const readAccess = { onRequest: requireScope(accounts, 'payloadlocation.read') };
  const writeAccess = { onRequest: requireScope(accounts, 'payloadlocation.write') };

  app.post('/v2/loc', writeAccess, async (request, reply) => {
    const bank = bankOf(request);
    const location = newLocation(bank, request.body);
    await bank.books.record({ t: 'location', location });
    return reply.status(201).send(formatLocation(bank, location));
  });
  app.get<IdPath>('/v2/loc/:id', readAccess, async (request) => {
    const bank = bankOf(request);
    const location = findLocation(bank, request.params.id);
    await bank.books.untilDurable();
    return formatLocation(bank, location);
  });
  app.get('/v2/loc', readAccess, async (request) => {
    const bank = bankOf(request);
    await bank.books.untilDurable();
    return listLocations(bank, asQuery(request.query));
  });
  app.delete<IdPath>('/v2/loc/:id/txid', writeAccess, async (request) => {
    const bank = bankOf(request);
    const location = findLocation(bank, request.params.id);
    const unlinked = withoutTxid(location);
    await bank.books.record({ t: 'location', location: unlinked }, ...unlinkCharge(bank, location));
    return formatLocation(bank, unlinked);
  });
}

/** Returns the record by which the charge that a location shows no longer has it. */
function unlinkCharge({ books }: Bank, { kind, txid = '' }: Location): BookRecord[] {
  if (kind === 'cobv') {
    const cobv = books.cobvs.get(txid);
    return cobv === undefined ? [] : [{ t: 'cobv', cobv: { ...cobv, locationId: undefined } }];
  }
  const charge = books.charges.get(txid);
  return charge === undefined ? [] : [{ t: 'charge', charge: { ...charge, locationId: undefined } }];
}

function newLocation(bank: Bank, body: unknown): Location {
  const { data } = bodySchema.safeParse(body);
  if (data === undefined) {
    throw new Problem('PayloadLocationOperacaoInvalida', 'A location não respeita o schema.', {
      violations: [{ razao: 'O campo tipoCob não respeita o schema.', propriedade: 'tipoCob' }],
    });
  }
  return {
    id: bank.books.takeLocationId(),
    token: randomBytes(16).toString('hex'),
    createdAt: bank.books.clock.now(),
    kind: data.tipoCob,
  };
}

function findLocation(bank: Bank, id: string): Location {
  const location = /^\d{1,15}$/.test(id) ? bank.books.locations.get(Number(id)) : undefined;
  if (location === undefined) {
    throw new Problem('PayloadLocationNaoEncontrado', 'Location não encontrada para o id informado.');
  }
  return location;
}

function listLocations(bank: Bank, query: Record<string, unknown>): object {
  const listQuery = readListQuery(query, 'PayloadLocationConsultaInvalida');
  const txIdPresente = readFlag(query, 'txIdPresente', 'PayloadLocationConsultaInvalida');
  const tipoCob = readText(query, 'tipoCob');
  const matches = [...bank.books.locations.values()].filter(
    (location) =>
      location.createdAt >= listQuery.from &&
      location.createdAt <= listQuery.to &&
      (tipoCob === undefined || location.kind === tipoCob) &&
      (txIdPresente === undefined || (location.txid !== undefined) === txIdPresente),
  );
  const { parametros, page } = paginate(matches, listQuery, { txIdPresente, tipoCob });
  return { parametros, loc: page.map((location) => formatLocation(bank, location)) };
}
