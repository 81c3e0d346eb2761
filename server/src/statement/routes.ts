import { brlFromCents, exportStatement, getReserves, getStatement } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { createStatementExporter } from './export-statement.ts';
import { readStatement } from './read-statement.ts';
import { sumReservesByReleaseDay } from './store.ts';

/** The endpoints of the statement and of the reserves that wait for their release. */
export function statementRoutes(deps: Deps): Route[] {
  const exportFile = createStatementExporter(deps);
  return [
    route(getStatement, ({ query, caller }) => readStatement(deps, caller.accountId, query)),
    route(exportStatement, ({ params, query, caller }) =>
      exportFile(caller.accountId, { ...params, ...query }),
    ),
    route(getReserves, async ({ caller }) => {
      const releases = await sumReservesByReleaseDay(deps.db, caller.accountId);
      return {
        total: brlFromCents(releases.reduce((sum, { cents }) => sum + cents, 0)),
        releases: releases.map(({ day, cents, payments }) => ({
          day,
          amount: brlFromCents(cents),
          payments,
        })),
      };
    }),
  ];
}
