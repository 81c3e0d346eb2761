import * as z from 'zod/mini';

/** A calendar day in America/Sao_Paulo. */
export const day = z.iso.date('Use a data como AAAA-MM-DD.');

type Period = { readonly from?: string | undefined; readonly to?: string | undefined };

/** Adds a check to a query: its last day must not precede its first. Both days are inclusive. */
export function periodInOrder<S extends z.ZodMiniType<Period>>(query: S): S {
  return query.check(
    z.refine(({ from, to }: Period) => from === undefined || to === undefined || from <= to, {
      error: 'O primeiro dia (from) deve ser o último (to) ou um dia antes dele.',
      path: ['from'],
    }),
  );
}
