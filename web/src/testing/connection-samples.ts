// Sample responses of a gateway about merchants' own bank accounts, for tests of screens.
import type {
  AdminConnection,
  BankCheck,
  BankConnection,
  CheckStep,
  ConnectableBank,
  listConnections,
  ownBank,
  ResponseOf,
} from '@jangada/contract';

const everything = { refunds: true, withdrawals: true, disputes: true, balance: true, recurring: true };

export const efi: ConnectableBank = {
  id: 'efi',
  name: 'Efí',
  certificate: 'required',
  needsAddresses: false,
  help: 'https://dev.efipay.com.br/docs/api-pix/credenciais',
  offers: everything,
  needsDebitAccount: true,
};
export const sandboxBank: ConnectableBank = {
  id: 'sandbox',
  name: 'Banco Sandbox',
  certificate: 'none',
  needsAddresses: false,
  help: null,
  offers: everything,
  needsDebitAccount: false,
};
export const otherBank: ConnectableBank = {
  id: 'other',
  name: 'Outro banco com API Pix',
  certificate: 'optional',
  needsAddresses: true,
  help: null,
  offers: { refunds: true, withdrawals: false, disputes: false, balance: false, recurring: true },
  needsDebitAccount: true,
};
/** As many banks as a list has that is searched. */
export const banks: ConnectableBank[] = [
  efi,
  ...['Banco do Brasil', 'Bradesco', 'Inter', 'Itaú', 'Santander', 'Sicoob', 'Sicredi'].map((name) => ({
    ...otherBank,
    id: name.toLowerCase().replaceAll(' ', '-').replace('ú', 'u'),
    name,
    certificate: 'required' as const,
    needsAddresses: false,
    help: 'https://developers.example/pix',
  })),
  sandboxBank,
  otherBank,
];

const step = (id: string, title: string, state: CheckStep['state'], texts: Partial<CheckStep> = {}) => ({
  id,
  title,
  state,
  asked: '',
  answered: '',
  meaning: '',
  ...texts,
});

const tls = step('tls', 'Conexão segura com o banco', 'passed', {
  asked: 'https://pix.api.efipay.com.br, com o nosso certificado',
  answered: 'TLS 1.3. Certificado do servidor: *.efipay.com.br, até 02/03/2027.',
  meaning: 'O endereço é mesmo do banco, e ele aceitou o seu certificado.',
});
const token = step('token', 'Entrada com Client ID e Client Secret', 'passed', {
  asked: 'POST /oauth/token',
  answered: '200, com os escopos cob.read cob.write pix.read pix.write webhook.read webhook.write',
  meaning: 'As credenciais valem, e têm as permissões de que precisamos.',
});
const key = step('key', 'Chave Pix na conta', 'passed', {
  asked: 'GET /v2/webhook/7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  answered: '200',
  meaning: 'A chave é desta conta.',
});
const ahead = [
  step('charge', 'Cobrança de teste', 'waiting'),
  step('list', 'Lista dos Pix recebidos', 'waiting'),
  step('notice', 'Aviso de pagamento', 'waiting'),
];

export const runningCheck: BankCheck = {
  ofNewCredentials: false,
  result: 'running',
  started_at: '2026-11-21T14:00:00.000Z',
  ended_at: null,
  steps: [
    tls,
    { ...token, state: 'running', asked: '', answered: '', meaning: '' },
    { ...key, ...step('key', 'Chave Pix na conta', 'waiting') },
    ...ahead,
  ],
};

export const failedCheck: BankCheck = {
  ...runningCheck,
  result: 'failed',
  ended_at: '2026-11-21T14:00:09.000Z',
  steps: [
    tls,
    {
      ...token,
      state: 'failed',
      answered: '401 {"error":"invalid_client","error_description":"Invalid client credentials"}',
      meaning:
        'O banco não aceitou o Client ID e o Client Secret. Em API → Aplicações, copie os de produção: os de homologação não valem aqui.',
    },
    ...[step('key', 'Chave Pix na conta', 'not-run'), ...ahead].map((later) => ({
      ...later,
      state: 'not-run' as const,
    })),
  ],
};

/** A check that passed just now, with a warning. */
export function passedCheck(endedAt = new Date().toISOString()): BankCheck {
  return {
    ...runningCheck,
    result: 'passed',
    started_at: endedAt,
    ended_at: endedAt,
    steps: [
      tls,
      token,
      key,
      step('charge', 'Cobrança de teste', 'passed', {
        asked: 'PUT /v2/cob/… de R$ 0,01, e depois o seu cancelamento',
        answered: '201, e depois 200',
        meaning: 'Cobranças são criadas, lidas e canceladas.',
      }),
      step('list', 'Lista dos Pix recebidos', 'passed', {
        asked: 'GET /v2/pix, de hoje, em duas páginas',
        answered: '200, com 3 Pix',
        meaning: 'O que entrou pode ser conferido a qualquer hora.',
      }),
      step('notice', 'Aviso de pagamento', 'warned', {
        asked: 'PUT /v2/webhook/7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
        answered: '200. Nenhum aviso de teste chegou em 30 segundos.',
        meaning:
          'O banco não mandou aviso de teste. Os pagamentos são vistos assim mesmo, pela lista, em até um minuto.',
      }),
    ],
  };
}

export const draftConnection: BankConnection = {
  id: '12',
  name: 'Conta da loja',
  bank: 'efi',
  bank_name: 'Efí',
  pix_key: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  state: 'draft',
  position: 1,
  client_id: 'Client_Id_3f',
  certificate: {
    holder: 'EMPORIO CAPIBARIBE LTDA',
    fingerprint: '3A:9F:12:C4:77:0B:E1:5D:88:42:6C:90:AE:31:F7:05:BB:19:D2:60',
    expires_at: '2099-03-02T12:00:00.000Z',
  },
  suspended: null,
  broken: null,
  last_answer_at: '2026-11-21T14:00:09.000Z',
  awaits_addresses: false,
  recurring: 'needs-account',
  debit_account: null,
  check: failedCheck,
  created_at: '2026-11-21T13:58:00.000Z',
  updated_at: '2026-11-21T14:00:09.000Z',
};

export const activeConnection: BankConnection = {
  ...draftConnection,
  state: 'active',
  check: passedCheck('2026-11-21T14:05:00.000Z'),
};

/** An active account at whose bank nothing works. */
export const brokenConnection: BankConnection = {
  ...activeConnection,
  broken: {
    since: '2026-11-22T09:12:00.000Z',
    reason: 'O banco recusa o certificado: “certificate revoked”',
  },
};

export const operatorSuspended: BankConnection = {
  ...activeConnection,
  state: 'suspended',
  suspended: { by: 'operator', reason: 'Pedido de esclarecimento do banco sobre vendas de novembro' },
};

/** The facts for screens beside *Banco*, of a merchant who is paid into an own account that is in use. */
export const paidIntoOwnBank: ResponseOf<typeof ownBank> = {
  has_screen: true,
  must_connect: false,
  is_without_payouts: false,
  is_paid_into_own: true,
  has_own_accounts: true,
};

/** The answer about the own accounts of a merchant who is paid into them. */
export function connectionsOf(
  connections: BankConnection[],
  changes: Partial<ResponseOf<typeof listConnections>> = {},
): ResponseOf<typeof listConnections> {
  return {
    connections,
    banks,
    merchant_accounts: 'both',
    merchant_kind: 'direct',
    has_pin: true,
    ...changes,
  };
}

export const adminConnection: AdminConnection = {
  ...brokenConnection,
  merchant: { id: '7', name: 'Maria da Conceição Vasconcelos de Melo', username: 'conceicao' },
  api_url: null,
  token_url: null,
};

/** A page of the administrators' list. */
export function adminConnectionsOf(connections: AdminConnection[], total = connections.length) {
  const broken = connections.filter((item) => item.broken !== null).length;
  return { connections, total, page: 1, limit: 20, broken };
}
