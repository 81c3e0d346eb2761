import {
  activateConnection,
  type BankConnection,
  type BodyInput,
  checkConnection,
  createConnection,
  type DebitAccount,
  discardCredentials,
  getConnection,
  listConnections,
  orderConnections,
  type ReplacingCredentials,
  replaceCredentials,
  retireConnection,
  setDebitAccount,
  suspendConnection,
} from '@jangada/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { ownBankQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import type { PasswordAndPin } from '../../panel/confirm/owner-proof.tsx';

/** The merchant's own bank accounts, and the banks that can be connected. Beyond the specification. */
export const connectionsQuery = queryOptions({
  queryKey: ['connections'],
  queryFn: ({ signal }) => call(listConnections, { signal }),
});

/** How often a running check is looked at: its steps appear while the merchant watches. */
export const POLL_CHECK_MS = 1000;

/** One connection, polled while its check runs. */
export const connectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['connection', id],
    queryFn: async ({ signal }) => {
      const connection = await call(getConnection, { params: { id }, signal });
      keepInList(connection);
      return connection;
    },
    placeholderData: () => connectionInList(id),
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => (data?.check?.result === 'running' ? POLL_CHECK_MS : false),
  });

/** The calls that change connections. Each puts what it returns into the cache. */
export const connectionActions = {
  create: (body: BodyInput<typeof createConnection>) => keep(call(createConnection, { body })),
  check: (id: string) => keep(call(checkConnection, { params: { id } }), id),
  activate: (id: string, proof: PasswordAndPin) =>
    keep(call(activateConnection, { params: { id }, body: proofFields(proof) }), id),
  replaceCredentials: (id: string, credentials: ReplacingCredentials, proof: PasswordAndPin) =>
    keep(call(replaceCredentials, { params: { id }, body: { ...credentials, ...proofFields(proof) } }), id),
  setDebitAccount: (id: string, account: DebitAccount, proof: PasswordAndPin) =>
    keep(call(setDebitAccount, { params: { id }, body: { ...account, ...proofFields(proof) } }), id),
  discardCredentials: (id: string) => keep(call(discardCredentials, { params: { id } }), id),
  suspend: (id: string) => keep(call(suspendConnection, { params: { id } }), id),
  retire: (id: string, proof: PasswordAndPin) =>
    keep(call(retireConnection, { params: { id }, body: proofFields(proof) }), id),
  order: async (ids: string[], proof: PasswordAndPin) => {
    try {
      const { connections } = await call(orderConnections, { body: { ids, ...proofFields(proof) } });
      for (const connection of connections) keepInList(connection);
    } finally {
      refetchLists();
    }
  },
};

/** An account without a PIN sends none. */
const proofFields = ({ password, pin }: PasswordAndPin) => ({ password, ...(pin !== '' && { pin }) });

/**
 * Puts the connection that a call returned into the cache, and fetches the list again. After a failure the connection is
 * fetched again too, because a refusal usually means that what the screen shows is out of date.
 */
async function keep(response: Promise<BankConnection>, id?: string): Promise<BankConnection> {
  try {
    const connection = await response;
    // An earlier poll that is still under way would bring back what was before the call.
    await queryClient.cancelQueries({ queryKey: connectionQuery(connection.id).queryKey });
    queryClient.setQueryData(connectionQuery(connection.id).queryKey, connection);
    keepInList(connection);
    return connection;
  } catch (error) {
    if (id !== undefined) void queryClient.invalidateQueries(connectionQuery(id));
    throw error;
  } finally {
    refetchLists();
  }
}

function refetchLists(): void {
  void queryClient.invalidateQueries(connectionsQuery);
  void queryClient.invalidateQueries(ownBankQuery);
}

function connectionInList(id: string): BankConnection | undefined {
  const list = queryClient.getQueryData(connectionsQuery.queryKey);
  return list?.connections.find((connection) => connection.id === id);
}

function keepInList(connection: BankConnection): void {
  queryClient.setQueryData(
    connectionsQuery.queryKey,
    (list) =>
      list && {
        ...list,
        connections: [...list.connections.filter(({ id }) => id !== connection.id), connection].toSorted(
          (one, other) => one.position - other.position,
        ),
      },
  );
}
