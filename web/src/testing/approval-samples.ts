// Sample requests for approval, and the policy that asks for them, for tests of screens.
import type { ApprovalDetail, ApprovalRequest, getApprovalPolicy, ResponseOf } from '@jangada/contract';

const maker = { id: 'u1', name: 'Marina Albuquerque' };

/** A withdrawal that somebody else asked for, and that waits for the person's approval. */
export const openRequest: ApprovalRequest = {
  id: '0f6b9a52-1111-4d0e-9b3a-61f2d8c07a55',
  kind: 'withdrawal',
  order_id: '8b41c7de-2f60-4a53-9d0e-5a1b7c3e9f12',
  status: 'open',
  summary: 'Saque de R$ 4.200,00 para fornecedor@example.com',
  amount_cents: 420_000,
  maker,
  is_maker: false,
  created_at: '2026-11-21T23:40:00.000Z',
  expires_at: '2099-11-24T23:40:00.000Z',
  ended_at: null,
  needed: 2,
  approvals: [
    {
      person: { id: '31', name: 'Rafael Monteiro' },
      method: 'passkey',
      approved_at: '2026-11-22T11:02:00.000Z',
      is_own: false,
    },
  ],
  may_approve: true,
  ended_by: null,
  reason: null,
  unusual: ['new-key', 'at-night', 'largest-ever'],
};

/** A key that the person themself asked for, which others approved, and which they may now make. */
export const approvedOwnRequest: ApprovalRequest = {
  ...openRequest,
  id: '0f6b9a52-2222-4d0e-9b3a-61f2d8c07a55',
  kind: 'key',
  order_id: null,
  status: 'approved',
  summary: 'Chave de API que move dinheiro: ERP',
  amount_cents: null,
  is_maker: true,
  approvals: [
    ...openRequest.approvals,
    {
      person: { id: '33', name: 'Otávio Lins' },
      method: 'totp',
      approved_at: '2026-11-22T11:40:00.000Z',
      is_own: false,
    },
  ],
  may_approve: false,
  unusual: [],
};

export const rejectedRequest: ApprovalRequest = {
  ...openRequest,
  id: '0f6b9a52-3333-4d0e-9b3a-61f2d8c07a55',
  kind: 'refund',
  status: 'rejected',
  summary: 'Estorno de R$ 310,00',
  amount_cents: 31_000,
  approvals: [],
  may_approve: false,
  ended_by: { id: '31', name: 'Rafael Monteiro' },
  reason: 'O cliente já recebeu outro produto.',
  ended_at: '2026-11-20T15:00:00.000Z',
  unusual: [],
};

const text =
  '{"format":"jangada-approval/1","origin":"https://pix.example","account":12,"request":"0f6b9a52-1111-4d0e-9b3a-61f2d8c07a55","kind":"withdrawal","order":{"id":"8b41c7de-2f60-4a53-9d0e-5a1b7c3e9f12","amount_cents":420000,"fee_cents":150,"pix_key":"fornecedor@example.com","pix_key_type":"email","connection":0,"bank_order_id":"saque8b41c7de"},"maker":1,"made_at":"2026-11-21T23:40:00.000Z","expires_at":"2026-11-24T23:40:00.000Z"}';

/** A request with the text that is approved. */
export const detailOf = (request: ApprovalRequest): ApprovalDetail => ({
  ...request,
  facts:
    request.kind === 'key'
      ? [
          { label: 'Ação', value: 'Criar' },
          { label: 'Nome', value: 'ERP' },
          { label: 'Escopos', value: 'cobranças, saques' },
        ]
      : [
          { label: 'Valor', value: 'R$ 4.200,00' },
          { label: 'Tarifa', value: 'R$ 1,50' },
          { label: 'Chave Pix', value: 'fornecedor@example.com' },
          { label: 'Tipo da chave', value: 'E-mail' },
        ],
  document: text,
  digest: '9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab',
});

type PolicyState = ResponseOf<typeof getApprovalPolicy>;

const people: PolicyState['approvers'] = [
  { ...maker, email: 'marina@example.com', status: 'approves', is_own: true },
  { id: '31', name: 'Rafael Monteiro', email: 'rafael@example.com', status: 'approves', is_own: false },
  { id: '34', name: 'Joana Dias', email: 'joana@example.com', status: 'no-factor', is_own: false },
];

/** The same people when nobody else has a factor any more. */
export const onlyOneApproves: PolicyState['approvers'] = people.map((person) =>
  person.is_own ? person : { ...person, status: 'no-factor' },
);

export const policyOff: PolicyState = {
  policy: { enabled: false, from: 0, approvals: 1, expires_hours: 72, passkeys_only: false },
  approvers: people,
};

export const policyOn: PolicyState = {
  policy: { enabled: true, from: 1500, approvals: 1, expires_hours: 72, passkeys_only: false },
  approvers: people,
};
