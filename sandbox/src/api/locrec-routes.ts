import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Accounts } from '../accounts.ts';
import type { RecLocation } from '../automatic/automatic-records.ts';
import { formatRecLocation } from '../automatic/rec.ts';
import type { Bank } from '../bank.ts';
import type { BookRecord } from '../records.ts';
import { Problem } from '../refusal.ts';
import { asQuery, paginate, readFlag, readListQuery, readText } from './list-query.ts';
import { bankOf, requireScope } from './oauth-routes.ts';

interface IdPath {
  Params: { id: string };
}

/** The locations of mandates, the URLs inside their codes: BACEN's tag PayloadLocationRec. */
export function locrecRoutes(app: FastifyInstance, accounts: Accounts): void {
  const readAccess = { onRequest: requireScope(accounts, 'payloadlocationrec.read') };
  const writeAccess = { onRequest: requireScope(accounts, 'payloadlocationrec.write') };

  app.post('/v2/locrec', writeAccess, async (request, reply) => {
    const bank = bankOf(request);
    const recLocation: RecLocation = {
      id: bank.books.automatic.takeLocationId(),
      token: randomBytes(16).toString('hex'),
      createdAt: bank.books.clock.now(),
    };
    await bank.books.record({ t: 'rec-location', recLocation });
    return reply.status(201).send(formatRecLocation(bank, recLocation));
  });
  app.get<IdPath>('/v2/locrec/:id', readAccess, async (request) => {
    const bank = bankOf(request);
    const location = findRecLocation(bank, request.params.id);
    await bank.books.untilDurable();
    return formatRecLocation(bank, location);
  });
  app.get('/v2/locrec', readAccess, async (request) => {
    const bank = bankOf(request);
    await bank.books.untilDurable();
    return listRecLocations(bank, asQuery(request.query));
  });
  app.delete<IdPath>('/v2/locrec/:id/idRec', writeAccess, async (request) => {
    const bank = bankOf(request);
    const { idRec, ...recLocation } = findRecLocation(bank, request.params.id);
    await bank.books.record({ t: 'rec-location', recLocation }, ...unlinkRec(bank, idRec));
    return formatRecLocation(bank, recLocation);
  });
}

/** Returns the record by which the rec of a location no longer has it. */
function unlinkRec({ books }: Bank, idRec: string | undefined): BookRecord[] {
  const rec = books.automatic.recs.get(idRec ?? '');
  if (rec === undefined) return [];
  const { locationId: _, ...unlinked } = rec;
  return [{ t: 'rec', rec: unlinked }];
}

function findRecLocation(bank: Bank, id: string): RecLocation {
  const location = /^\d{1,15}$/.test(id) ? bank.books.automatic.locations.get(Number(id)) : undefined;
  if (location === undefined) {
    throw new Problem('PayloadLocationRecNaoEncontrado', 'Location não encontrada para o id informado.');
  }
  return location;
}

function listRecLocations(bank: Bank, query: Record<string, unknown>): object {
  const listQuery = readListQuery(query, 'PayloadLocationRecConsultaInvalida');
  const idRecPresente = readFlag(query, 'idRecPresente', 'PayloadLocationRecConsultaInvalida');
  const convenio = readText(query, 'convenio');
  const { recs, locations } = bank.books.automatic;
  const matches = [...locations.values()].filter(
    ({ createdAt, idRec }) =>
      createdAt >= listQuery.from &&
      createdAt <= listQuery.to &&
      (idRecPresente === undefined || (idRec !== undefined) === idRecPresente) &&
      (convenio === undefined || recs.get(idRec ?? '')?.terms.agreement === convenio),
  );
  const filters = { idRecPresente, ...(convenio !== undefined && { recebedor: { convenio } }) };
  const { parametros, page } = paginate(matches, listQuery, filters);
  return { parametros, loc: page.map((location) => formatRecLocation(bank, location)) };
}
