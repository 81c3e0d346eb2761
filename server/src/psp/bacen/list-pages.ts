import type * as z from 'zod/mini';
import { PspUnknown } from '../psp.ts';
import type { BacenCall, BacenClient } from './client.ts';
import { page as pagePayload } from './payloads.ts';

export type BankList<S extends z.ZodMiniType, T> = Pick<BacenCall, 'path' | 'fromRoot'> & {
  readonly from: Date;
  readonly to: Date;
  readonly itemsPerPage: number;
  /** The field in which the items stand. */
  readonly field: 'pix' | 'infracoes';
  readonly item: S;
  readonly translate: (item: z.output<S>) => T;
  /** Some lists are "not found" while they are empty; for others that says nothing of what is in them. */
  readonly notFoundIsEmpty?: boolean;
};

/** Reads a bank's list over a window to its last page. What could be read is handed over before an odd item throws. */
export async function* listPages<S extends z.ZodMiniType, T>(
  client: BacenClient,
  list: BankList<S, T>,
): AsyncGenerator<T[]> {
  let unread = 0;
  for (let page = 0, pages = 1; page < pages; page += 1) {
    const query = new URLSearchParams({
      inicio: list.from.toISOString(),
      fim: list.to.toISOString(),
      'paginacao.paginaAtual': String(page),
      'paginacao.itensPorPagina': String(list.itemsPerPage),
    });
    const { path, fromRoot = false, notFoundIsEmpty = false } = list;
    const call = { method: 'GET', path: `${path}?${query}`, fromRoot, needsReason: notFoundIsEmpty } as const;
    const answer = await client.call(call, pagePayload);
    if (answer === undefined && notFoundIsEmpty && page === 0) return;
    const items = answer?.[list.field];
    if (answer === undefined || items === undefined) throw new PspUnknown(`the bank does not know ${path}`);
    pages = answer.parametros.paginacao.quantidadeDePaginas;
    const read = items.map((item) => list.item.safeParse(item));
    unread += read.filter(({ success }) => !success).length;
    yield read.flatMap(({ data }) => (data === undefined ? [] : [list.translate(data)]));
  }
  // The window is not done.
  if (unread > 0) throw new PspUnknown(`${unread} items of the bank's list ${list.path} could not be read`);
}
