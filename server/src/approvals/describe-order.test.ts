import { expect, test } from 'vitest';
import { describeRequest } from './describe-order.ts';
import { type Order, writeDocument } from './document.ts';
import { type Known, knownOf, nothingKnown } from './look-up-names.ts';
import { noPolicy } from './replay-history.ts';

const known: Known = {
  people: new Map([
    [13, { name: 'Carlos Lima', email: 'carlos@example.com' }],
    [7, { name: 'Padaria da Ana', email: 'ana@example.com' }],
  ]),
  connections: new Map([[4, 'Efí principal']]),
  members: new Map([[13, { role: 'cashier', refundLimit: null, withdrawalLimit: null }]]),
  keys: new Map([['k1', { name: 'ERP', scopes: ['charges'] }]]),
  policy: undefined,
};
const state = {
  ...noPolicy,
  isOn: true,
  fromCents: 10_000,
  passkeysOnly: true,
  destinations: new Map([['maria@example.com', 10_000]]),
};

type Asked = Parameters<typeof writeDocument>[0]['kind'];
function describe(kind: Asked, order: Order, { account = 1, status = 'open' as const } = {}) {
  const document = writeDocument({
    origin: 'https://pix.example',
    account,
    request: 'r',
    kind,
    order,
    maker: 1,
    made_at: '2026-11-21T12:00:00.000Z',
    expires_at: '2026-11-24T12:00:00.000Z',
  });
  const { summary, facts } = describeRequest({ kind, document }, knownOf(known, state, { status }));
  return { summary, facts: Object.fromEntries(facts.map(({ label, value }) => [label, plain(value)])) };
}
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('a member whose role changes is named, with the role and the limits before and after', () => {
  const { summary, facts } = describe('member', {
    person: '13',
    role: 'Financeiro',
    refund_limit: null,
    withdrawal_limit: 800,
  });
  expect(summary).toBe(
    'Membro que move dinheiro: Carlos Lima, carlos@example.com (pessoa 13), Caixa → Financeiro',
  );
  expect(facts).toMatchObject({
    Pessoa: 'Carlos Lima, carlos@example.com (pessoa 13)',
    Papel: 'Caixa → Financeiro',
    'Limite de saques por dia': 'não se aplica → R$ 800,00',
  });
});

test('two invitations are told apart by address and role', () => {
  expect(
    describe('member', {
      person: 'rui@example.com',
      role: 'Dono',
      refund_limit: null,
      withdrawal_limit: null,
    }).summary,
  ).toBe('Membro que move dinheiro: rui@example.com, Dono');
});

test('a destination says in its title how much leaves there without anybody', () => {
  const order = { pix_key: 'maria@example.com', pix_key_type: 'email', day_limit_cents: 99_999_999_999 };
  const { summary, facts } = describe('destination', order);
  expect(plain(summary)).toBe(
    'Novo destino de saque por API: maria@example.com, até R$ 100,00 → R$ 999.999.999,99 por dia sem aprovação',
  );
  expect(facts['Limite por dia, sem aprovação']).toBe('R$ 100,00 → R$ 999.999.999,99');
  const other = describe('destination', { ...order, pix_key: 'rui@example.com', day_limit_cents: 500 });
  expect(plain(other.summary)).toMatch(/rui@example\.com, até R\$ 5,00 por dia/);
});

test('a change of the policy names in its title what it changes, and from what', () => {
  const order = {
    enabled: true,
    from_cents: 99_999_999,
    approvals: 1,
    expires_hours: 72,
    passkeys_only: false,
  };
  const { summary, facts } = describe('policy', order);
  expect(plain(summary)).toBe(
    'Mudança da política de aprovação: a partir de: R$ 100,00 → R$ 999.999,99; só chaves de acesso: sim → não',
  );
  expect(facts).toMatchObject({
    'A partir de': 'R$ 100,00 → R$ 999.999,99',
    Aprovações: '1',
    Prazo: '3 dias',
  });
});

test('the policy of the operator, which has no amount, names none', () => {
  const order = { enabled: true, from_cents: 0, approvals: 1, expires_hours: 72, passkeys_only: false };
  const { summary, facts } = describe('policy', { ...order, approvers: [] }, { account: 0 });
  expect(summary).toBe(
    'Ligar a política de aprovação: aprovações: 1; prazo: 3 dias; só chaves de acesso: não',
  );
  expect(facts).not.toHaveProperty('A partir de');
});

test('the acts of the operator name the merchant, and what changes with a promotion in words', () => {
  const release = {
    user: '7',
    id: 'w',
    amount_cents: 500,
    pix_key: 'maria@example.com',
    reason: 'Conferido',
  };
  expect(plain(describe('held-withdrawal', release, { account: 0 }).summary)).toBe(
    'Liberar um saque retido de R$ 5,00 para maria@example.com, de Padaria da Ana (conta 7)',
  );
  expect(describe('held-withdrawal', release, { account: 0 }).facts).toMatchObject({
    Lojista: 'Padaria da Ana (conta 7)',
  });
  const promotion = { user: 13, name: 'Carlos Lima', email: 'carlos@example.com', role: 'ADMIN' };
  const { facts } = describe('administrator', { ...promotion, changes: { apiActive: true } }, { account: 0 });
  expect(facts).toMatchObject({ 'Também muda: API ligada': 'sim' });
  expect(Object.keys(facts)).not.toContain('changes');
  const recovery = { user: 13, name: 'Carlos Lima', lost_email: 'a@example.com', email: 'b@example.com' };
  expect(describe('recovery', recovery, { account: 0 })).toMatchObject({
    summary: 'Devolver o acesso a uma conta: Carlos Lima, com o e-mail b@example.com',
    facts: { 'E-mail que se perdeu': 'a@example.com', 'E-mail novo': 'b@example.com' },
  });
});

test('an account at a bank is named, and a key says what it may do and what it could', () => {
  const order = { id: 'w', amount_cents: 500, fee_cents: 0, connection: 4 };
  expect(describe('withdrawal', order).facts['Conta bancária']).toBe('Efí principal (conta bancária 4)');
  expect(
    describe('key', { action: 'Alterar', id: 'k1', name: 'ERP', scopes: ['withdrawals'] }).facts['Escopos'],
  ).toMatch(/^.+ → .+$/);
});

test('what a request that ended changed is not told from what is in force now', () => {
  const document = writeDocument({
    origin: 'https://pix.example',
    account: 1,
    request: 'r',
    kind: 'member',
    order: { person: '13', role: 'Financeiro', refund_limit: null, withdrawal_limit: null },
    maker: 1,
    made_at: '2026-11-21T12:00:00.000Z',
    expires_at: '2026-11-24T12:00:00.000Z',
  });
  const ended = knownOf(known, state, { status: 'done' });
  expect(describeRequest({ kind: 'member', document }, ended).summary).toMatch(/\(pessoa 13\), Financeiro$/);
  expect(describeRequest({ kind: 'member', document }, nothingKnown).summary).toMatch(/: 13, Financeiro$/);
});
