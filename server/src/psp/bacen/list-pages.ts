import { setTimeout as pause } from 'node:timers/promises';
import type * as z from 'zod/mini';
import { PspUnknown } from '../psp.ts';
import type { BacenCall, BacenClient } from './client.ts';
import { page as pagePayload } from './payloads.ts';

/** Describes a list in the bank's API: the window to read, and the schema and the translation of its items. */
export type BankList<S extends z.ZodMiniType, T> = Pick<BacenCall, 'path' | 'fromRoot' | 'scopes'> & {
  readonly from: Date;
  readonly to: Date;
  readonly itemsPerPage: number;
  /** Further query parameters. */
  readonly filter?: Readonly<Record<string, string>>;
  /** The response field that holds the items. */
  readonly field: 'pix' | 'cobs' | 'infracoes' | 'recs' | 'cobsr';
  readonly item: S;
  readonly translate: (item: z.output<S>) => T;
  /**
   * Whether "not found" is the bank's answer for an empty list. For any other list, "not found" says nothing about the
   * contents, so PspUnknown is thrown.
   */
  readonly notFoundIsEmpty?: boolean;
};

/** So many pages are read without a pause: few windows of time have more. */
const pagesWithoutPause = 3;

/**
 * Reads a bank's list for a time window, to the last page. Yields all readable items; if there were unreadable ones, or
 * more pages than are read, throws PspUnknown after the last page.
 */
export async function* listPages<S extends z.ZodMiniType, T>(
  client: BacenClient,
  list: BankList<S, T>,
): AsyncGenerator<T[]> {
  let unreadableCount = 0;
  for (let page = 0, pageCount = 1; page < pageCount; page += 1) {
    if (page >= client.listLimits.listPages)
      throw new PspUnknown(`the bank's list ${list.path} has more pages than are read`);
    if (page >= pagesWithoutPause) await pause(client.listLimits.listPauseMs);
    const query = new URLSearchParams({
      ...list.filter,
      inicio: list.from.toISOString(),
      fim: list.to.toISOString(),
      'paginacao.paginaAtual': String(page),
      'paginacao.itensPorPagina': String(list.itemsPerPage),
    });
    const { path, fromRoot = false, notFoundIsEmpty = false, scopes } = list;
    const call = {
      method: 'GET',
      path: `${path}?${query}`,
      fromRoot,
      needsReason: notFoundIsEmpty,
      ...(scopes && { scopes }),
    } as const;
    const response = await client.call(call, pagePayload);
    if (response === undefined && notFoundIsEmpty && page === 0) return;
    const items = response?.[list.field];
    if (response === undefined || items === undefined) throw new PspUnknown(`the bank does not know ${path}`);
    pageCount = response.parametros.paginacao.quantidadeDePaginas;
    const parsedItems = items.map((item) => list.item.safeParse(item));
    unreadableCount += parsedItems.filter(({ success }) => !success).length;
    yield parsedItems.flatMap(({ data }) => (data === undefined ? [] : [list.translate(data)]));
  }
  // Thrown even though the other items were yielded, so that the window does not count as completely read.
  if (unreadableCount > 0)
    throw new PspUnknown(`${unreadableCount} items of the bank's list ${list.path} could not be read`);
}
