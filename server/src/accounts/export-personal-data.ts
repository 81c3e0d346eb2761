import type { Db } from '../db/pool.ts';
import type { Deps } from '../deps.ts';
import { createConcurrencySlots } from '../http/concurrency-slots.ts';
import { FileAnswer } from '../http/file-answer.ts';
import type { Caller } from '../http/route.ts';
import { requirePassword } from '../identity/index.ts';
import { readNotificationsAfter, readSubjects } from './personal-store.ts';

const exportsAtOnce = 4;
const pageSize = 1000;

/** Exports are read while they are sent; few may run at once. */
export function createPersonalExports(deps: Pick<Deps, 'db' | 'clock'>) {
  const takePlace = createConcurrencySlots(exportsAtOnce);

  /**
   * Exports the caller's personal data (LGPD, art. 18) as one JSON object. Money movements are only summarised, since
   * the statement is a separate file. Refused with PASSWORD_REQUIRED unless the password was given recently, and with
   * OVERLOADED while too many exports, or another of the same account, are running.
   */
  return async (caller: Caller): Promise<FileAnswer> => {
    await requirePassword(deps, caller, undefined);
    const onEnd = takePlace(caller.userId);
    return new FileAnswer({
      contentType: 'application/json; charset=utf-8',
      fileName: 'dados-pessoais.json',
      content: write(deps.db, caller.userId, deps.clock.now()),
      onEnd,
    });
  };
}

const note =
  'Dados pessoais que este gateway guarda sobre você. Valores em centavos, taxas em centésimos de por cento. Os movimentos de dinheiro estão no extrato, em GET /api/authed/statement/export/csv.';

async function* write(db: Db, userId: number, now: Date): AsyncGenerator<string> {
  yield `{\n"aviso": ${JSON.stringify(note)},\n"gerado_em": ${JSON.stringify(now)}`;
  for await (const [name, rows] of readSubjects(db, userId))
    yield `,\n${JSON.stringify(name)}: ${JSON.stringify(rows)}`;
  yield ',\n"notificacoes": [';
  let separator = '';
  for (let after = '00000000-0000-0000-0000-000000000000', left = true; left; ) {
    const page = await readNotificationsAfter(db, userId, after, pageSize);
    for (const row of page) {
      yield `${separator}\n${JSON.stringify(row)}`;
      separator = ',';
    }
    after = page.at(-1)?.id ?? after;
    left = page.length === pageSize;
  }
  yield ']\n}\n';
}
