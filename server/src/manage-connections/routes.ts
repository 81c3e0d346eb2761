import { createHash } from 'node:crypto';
import {
  activateConnection,
  adminConnections,
  adminResumeConnection,
  adminSetAddresses,
  adminSuspendConnection,
  type BankConnection,
  checkConnection,
  createConnection,
  type DebitAccount,
  discardCredentials,
  getConnection,
  listConnections,
  orderConnections,
  ownBank,
  replaceCredentials,
  retireConnection,
  setDebitAccount,
  suspendConnection,
} from '@jangada/contract';
import { mayNeedApproval, type Order, requireApproval } from '../approvals/index.ts';
import { type ConnectionRow, debitAccountOf, selectConnections } from '../connections/index.ts';
import type { Deps } from '../deps.ts';
import { type Caller, type Route, route } from '../http/route.ts';
import { merchantKindOf, readMerchant, requireFactor } from '../identity/index.ts';
import { knownBanks, toConnectableBank } from '../psp/index.ts';
import { readPinState } from '../withdrawals/index.ts';
import {
  listForOperator,
  resumeByOperator,
  setAddresses,
  suspendByOperator,
} from './administer-connections.ts';
import * as manage from './manage-connections.ts';
import { toBankConnection, toOwnBank } from './present-connection.ts';
import { proveOwner } from './prove-owner.ts';

const actOf = ({ accountId, userId }: Caller) =>
  ({ merchantId: accountId, kind: 'connection', madeBy: userId }) as const;

/** Where the payments go is changed with other people's approval where the account's policy demands it. */
async function requireApprovedChange(
  deps: Deps,
  caller: Caller,
  action: string,
  connectionId: string,
  more: Order = {},
): Promise<void> {
  if (!(await mayNeedApproval(deps, caller.accountId))) return;
  const row = await manage.readOwn(deps, caller, connectionId);
  const { id, name, bank, pix_key, sealed_credentials } = row;
  const credentials = createHash('sha256')
    .update(sealed_credentials ?? '')
    .digest('hex');
  const order = {
    action,
    connection: id,
    name,
    bank,
    pix_key,
    credentials,
    debits: accountText(debitAccountOf(row)),
    ...more,
  };
  await requireApproval(deps, { ...actOf(caller), order });
}

function accountText(account: DebitAccount | null): string {
  return account === null ? '' : [account.type, account.branch ?? '', account.number].join(' ');
}

/** The endpoints with which merchants and administrators look after accounts at banks. */
export function connectionRoutes(deps: Deps): Route[] {
  const present = (row: ConnectionRow): BankConnection => toBankConnection(deps.config, row);
  const listOwn = async (merchantId: number) => (await selectConnections(deps.db, merchantId)).map(present);
  return [
    route(listConnections, async ({ caller: { accountId } }) => {
      const [connections, merchant, { has_pin }] = await Promise.all([
        listOwn(accountId),
        readMerchant(deps.db, accountId),
        readPinState(deps, { merchantId: accountId }),
      ]);
      const { merchantAccounts } = deps.config;
      return {
        connections,
        banks: merchantAccounts === 'pooled' ? [] : knownBanks(deps.config).map(toConnectableBank),
        merchant_accounts: merchantAccounts,
        merchant_kind: merchantKindOf(deps.config, merchant?.kind ?? 'pooled'),
        has_pin,
      };
    }),
    route(ownBank, async ({ caller: { accountId } }) => {
      const [rows, merchant] = await Promise.all([
        selectConnections(deps.db, accountId),
        readMerchant(deps.db, accountId),
      ]);
      return toOwnBank(deps.config, merchantKindOf(deps.config, merchant?.kind ?? 'pooled'), rows);
    }),
    route(getConnection, async ({ params, caller }) =>
      present(await manage.readOwn(deps, caller, params.id)),
    ),
    route(createConnection, async ({ body, caller }) =>
      present(await manage.createConnection(deps, caller, body)),
    ),
    route(checkConnection, async ({ params, caller }) =>
      present(await manage.requestCheck(deps, caller, params.id)),
    ),
    route(activateConnection, async ({ params, body, caller, stepUp }) => {
      await proveOwner(deps, caller, body, stepUp);
      await requireApprovedChange(deps, caller, 'Ativar', params.id);
      return present(await manage.activateConnection(deps, caller, params.id));
    }),
    route(replaceCredentials, async ({ params, body, caller, stepUp }) => {
      await proveOwner(deps, caller, body, stepUp);
      const { password, pin, ...sent } = body;
      // Only a keyed hash of the credentials stands in the text that is approved.
      const credentials = deps.secrets.hash('approval', JSON.stringify(sent)).toString('hex');
      await requireApprovedChange(deps, caller, 'Trocar as credenciais', params.id, { credentials });
      return present(await manage.replaceCredentials(deps, caller, params.id, body));
    }),
    route(setDebitAccount, async ({ params, body, caller, stepUp }) => {
      await proveOwner(deps, caller, body, stepUp);
      const { password, pin, ...account } = body;
      await requireApprovedChange(deps, caller, 'Informar a conta para débitos', params.id, {
        debits: accountText(account),
      });
      return present(await manage.setDebitAccount(deps, caller, params.id, account));
    }),
    route(discardCredentials, async ({ params, caller }) =>
      present(await manage.discardCredentials(deps, caller, params.id)),
    ),
    route(suspendConnection, async ({ params, caller }) =>
      present(await manage.suspendConnection(deps, caller, params.id)),
    ),
    route(retireConnection, async ({ params, body, caller, stepUp }) => {
      await proveOwner(deps, caller, body, stepUp);
      return present(await manage.retireConnection(deps, caller, params.id));
    }),
    route(orderConnections, async ({ body, caller, stepUp }) => {
      await proveOwner(deps, caller, body, stepUp);
      const order = { action: 'Mudar a ordem', accounts: body.ids };
      await requireApproval(deps, { ...actOf(caller), order });
      await manage.orderConnections(deps, caller, body.ids);
      return { connections: await listOwn(caller.accountId) };
    }),
    ...operatorRoutes(deps),
  ];
}

function operatorRoutes(deps: Deps): Route[] {
  return [
    route(adminConnections, ({ query }) => listForOperator(deps, query)),
    route(adminSuspendConnection, ({ params, body, caller }) =>
      suspendByOperator(deps, { actorId: caller.userId, id: params.id, reason: body.reason }),
    ),
    route(adminResumeConnection, async ({ params, body, caller, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      return resumeByOperator(deps, { actorId: caller.userId, id: params.id, reason: body.reason });
    }),
    route(adminSetAddresses, async ({ params, body, caller, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      const decision = { actorId: caller.userId, id: params.id, reason: body.reason };
      return setAddresses(deps, decision, { apiUrl: body.api_url, tokenUrl: body.token_url });
    }),
  ];
}
