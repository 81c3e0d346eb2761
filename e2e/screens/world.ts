// The data that the screens of the catalogue show. It is created once, in a running product, through its API
// and its bank.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { advanceClock, callBank, payAtBank, setPayoutBehaviour } from '../bank.ts';
import { addMember } from '../members.ts';
import {
  approve,
  type CreatedCharge,
  callApi,
  type Stack,
  sendDocuments,
  signInAsDemoMerchant,
  signInByApi,
} from '../stack.ts';
import {
  type CustomerPages,
  makeCustomers,
  makeSubscriptions,
  type SubscriptionPages,
} from './make-subscriptions.ts';

/** The users in whose sessions screens are shown. Those named by a role are members of the demo merchant's account. */
export const people = [
  'merchant',
  'newcomer',
  'approved',
  'company',
  'rejected',
  'waiting',
  'longNamed',
  'finance',
  'operator',
  'cashier',
  'accountant',
  'developer',
  'admin',
  'support',
] as const;
export type Person = (typeof people)[number];

/** A payment, with the URLs of its payment page and its receipt. */
export type Payment = CreatedCharge & { readonly page: string; readonly receipt: string };

/** The data that was created: the demo merchant's, and the accounts of other people. */
export type World = Shop & {
  readonly url: string;
  readonly bankUrl: string;
  readonly tokens: Readonly<Record<Person, string>>;
  /** An open payment of the merchant with the long name, with the largest amount. */
  readonly large: Payment;
  /** Three photographs, as JPEG. */
  readonly documents: readonly Buffer[];
};

type Offer = { readonly id: string; readonly url: string };

/** The data of the demo merchant, by the state of each item. */
type Shop = Readonly<
  Record<'open' | 'paid' | 'paidForShop' | 'refunded' | 'cancelled' | 'expired' | 'other', Payment>
> & {
  /** The endToEndIds of some payments, under which the bank's pages show them. */
  readonly atBank: Readonly<Record<'paid' | 'refunded' | 'contested' | 'defended', string>>;
  readonly links: Readonly<Record<'fixed' | 'free' | 'ended' | 'reserved' | 'full', Offer>>;
  readonly counterCodes: Readonly<Record<'open' | 'priced' | 'off', Offer & { readonly text: string }>>;
  readonly subscriptionPages: SubscriptionPages;
  readonly customerPages: CustomerPages;
  readonly disputes: Readonly<Record<'open' | 'defended' | 'lost' | 'won', string>>;
  readonly withdrawals: Readonly<Record<'completed' | 'failed', string>>;
};

/**
 * Settings of the product. Withdrawals have the same limit by night as by day, so that a run does not depend on its
 * time of day.
 */
export const worldSettings = {
  ADMIN_EMAIL: 'contas@jangada.example',
  ADJUSTMENT_DAY: '100000000',
  WITHDRAWAL_NIGHT: '50000',
};

const PASSWORD = 'mar calmo, vela alta';
/** The PIN of the demo merchant. */
const PIN = '2580';
const LONG_NAME = 'Maria da Conceição Vasconcelos Albuquerque de Melo e Silva Cavalcanti Neta';
const LONG_SHOP = 'Empório e Mercearia Nossa Senhora da Conceição do Capibaribe';

type Account = { readonly token: string; readonly id: string };

export async function makeWorld(stack: Stack, browser: Browser): Promise<World> {
  const [merchant, admin] = [
    await signInAsDemoMerchant(stack),
    await signInByApi(stack, 'admin', 'admin-demo'),
  ];
  const documents = await photographDocuments(browser);
  const newcomer = await register(stack, 'joana', 'Joana Beira-Mar', '52998224725');
  const approved = await register(stack, 'caetano', 'Caetano Pescador', '11144477735');
  const company = await register(stack, 'empresa', 'Mar Aberto Pescados', '11222333000181');
  const rejected = await register(stack, 'iracema', 'Iracema dos Santos', '39053344705');
  const waiting = await register(stack, 'espera', LONG_NAME, '86288366757');
  const longNamed = await register(stack, 'conceicao', LONG_NAME, '04577321483');
  const support = await register(stack, 'atendente', 'Dandara Nogueira', '74682489070');
  for (const username of ['caetano', 'conceicao']) await approve(stack, username);
  for (const { token } of [rejected, waiting]) await sendDocuments(stack, token, documents);
  await reject(stack, admin, rejected);
  await changeUser(stack, admin, support.id, { role: 'SUPPORT' });
  const shop = await createShopData(stack, merchant);
  const members = await addMembers(stack, merchant);
  return {
    ...shop,
    url: stack.url,
    bankUrl: stack.bankUrl,
    tokens: {
      merchant,
      newcomer: newcomer.token,
      approved: approved.token,
      company: company.token,
      rejected: rejected.token,
      waiting: waiting.token,
      longNamed: longNamed.token,
      ...members,
      admin,
      support: await signInByApi(stack, 'atendente', PASSWORD),
    },
    large: await createLargeAccount(stack, admin, longNamed),
    documents,
  };
}

const members = [
  { username: 'rafael', name: 'Rafael Monteiro', role: 'finance' },
  { username: 'teresa', name: 'Teresa Coqueiro', role: 'operator' },
  { username: 'davi', name: 'Davi Maré', role: 'cashier' },
  { username: 'contabil', name: LONG_NAME, role: 'accountant' },
  { username: 'lia', name: 'Lia Sereno', role: 'developer' },
] as const;

async function addMembers(stack: Stack, merchant: string) {
  const tokens = new Map<string, string>();
  for (const member of members)
    tokens.set(member.role, await addMember(stack, { token: merchant, password: 'lojista-demo' }, member));
  const tokenOf = (role: string) => tokens.get(role) ?? '';
  // The till has charges of today.
  for (const amount of [18.5, 64.9])
    await callApi(stack, 'POST', '/pix/new', { token: tokenOf('cashier'), body: { amount } });
  return {
    finance: tokenOf('finance'),
    operator: tokenOf('operator'),
    cashier: tokenOf('cashier'),
    accountant: tokenOf('accountant'),
    developer: tokenOf('developer'),
  };
}

async function register(stack: Stack, username: string, name: string, document: string): Promise<Account> {
  const doctype = document.length === 11 ? 'cpf' : 'cnpj';
  const person = { username, name, document, doctype, email: `${username}@example.com`, password: PASSWORD };
  const { token, user } = await callApi(stack, 'POST', '/register', { body: person });
  return { token: String(token), id: String((user as { id: string }).id) };
}

/** Makes three pictures that stand for photographs of both sides of a card and of a face. */
async function photographDocuments(browser: Browser): Promise<Buffer[]> {
  const page = await browser.newPage({ viewport: { width: 640, height: 420 } });
  const pictures = [];
  for (const side of ['REPÚBLICA FEDERATIVA DO BRASIL', 'FILIAÇÃO E REGISTRO', 'SELFIE COM O DOCUMENTO']) {
    await page.setContent(
      `<body style="margin:0;background:#b9c4b6;font:600 22px sans-serif;color:#24402c">
        <div style="margin:40px;padding:28px;height:280px;background:#dfe8da;border-radius:14px">
        ${side}<div style="margin-top:24px;width:120px;height:150px;background:#7e9484;border-radius:60px"></div></div>`,
    );
    pictures.push(await page.screenshot({ type: 'jpeg', quality: 70 }));
  }
  await page.close();
  return pictures;
}

async function reject(stack: Stack, admin: string, { id }: Account): Promise<void> {
  const { items } = await callApi(stack, 'GET', '/admin/users/pending-kyc', { token: admin });
  const submissions = items as { user: { id: string }; document: { submission: string } }[];
  const submission = submissions.find(({ user }) => user.id === id)?.document.submission;
  const reason = 'A selfie está escura e o número do documento não se lê. Envie uma foto à luz do dia.';
  await callApi(stack, 'POST', `/admin/users/kyc/reject/${id}`, {
    token: admin,
    body: { submission, reason },
  });
}

async function changeUser(stack: Stack, admin: string, id: string, change: object): Promise<void> {
  const { user } = await callApi(stack, 'GET', `/admin/users/${id}`, { token: admin });
  const { version } = user as { version: number };
  await callApi(stack, 'PUT', `/admin/users/${id}`, { token: admin, body: { version, ...change } });
}

/** Gives a merchant long texts and large amounts, which strain the layout of screens. */
async function createLargeAccount(stack: Stack, admin: string, { id, token }: Account): Promise<Payment> {
  const reason = 'Saldo trazido de outro sistema.';
  // The bank account gets the same amount. Otherwise the gateway would find money missing there, and stop payouts.
  await callBank(stack, 'POST', '/sandbox/account/movements', { kind: 'deposit', amount: 98_765_432.1 });
  const topUp = { kind: 'top-up', amount: 98_765_432.1, description: reason };
  await callApi(stack, 'POST', '/admin/bank-movements', { token: admin, body: topUp });
  await changeUser(stack, admin, id, { balance: 98_765_432.1, balance_before: 0, reason });
  const body = { display_name: LONG_SHOP, colour: '#0f766e' };
  await callApi(stack, 'PUT', '/authed/brand', { token, body });
  await callApi(stack, 'POST', '/authed/apikey', { token, body: { password: PASSWORD } });
  for (const amount of [15_000, 14_999.99, 12_345.67]) await createPaid(stack, token, { amount });
  return createCharge(stack, token, {
    amount: 14_999.99,
    description: 'Encomenda de dezembro: redes de algodão, cestos de palha e a jangada de madeira grande',
  });
}

/** Creates the demo merchant's payments, links, codes, disputes and withdrawals. */
async function createShopData(stack: Stack, token: string): Promise<Shop> {
  const expired = await createCharge(stack, token, { amount: 42.9, expires_in: 60 });
  await advanceClock(stack, 61);
  const cancelled = await createCharge(stack, token, { amount: 310 });
  await callApi(stack, 'POST', `/pix/${cancelled.id}/cancel`, { token });
  const lost = await createDispute(stack, token, 99.9, 'golpe');
  const won = await createDispute(stack, token, 120, 'Não reconheço esta compra');
  const defended = await createDispute(stack, token, 640.5, 'Produto não entregue');
  const contested = await createDispute(stack, token, 1418, 'Caí em um golpe');
  await defend(stack, token, defended.id);
  await decide(stack, lost.idAtBank, true);
  await decide(stack, won.idAtBank, false);
  const refunded = await createPaid(stack, token, { amount: 89.9 });
  await callApi(stack, 'POST', `/pix/${refunded.id}/refund`, { token, body: { reason: 'Produto em falta' } });
  const other = await createPaid(stack, token, { amount: 57.25, description: 'Mesa 7' });
  const paid = await createPaid(stack, token, {
    amount: 1250,
    description: 'Pedido 1043: rede de algodão',
    external_id: 'pedido-1043',
    metadata: { loja: 'Recife', vendedora: 'Joana' },
  });
  const paidForShop = await createPaid(stack, token, {
    amount: 310,
    success_url: 'https://loja.example/obrigado',
  });
  return {
    expired,
    cancelled,
    refunded,
    other,
    paid,
    paidForShop,
    atBank: {
      paid: await endToEndIdOf(stack, token, paid.id),
      refunded: await endToEndIdOf(stack, token, refunded.id),
      contested: contested.endToEndId,
      defended: defended.endToEndId,
    },
    disputes: { lost: lost.id, won: won.id, defended: defended.id, open: contested.id },
    withdrawals: await withdrawTwice(stack, token),
    links: await makeLinks(stack, token),
    counterCodes: await makeCounterCodes(stack, token),
    subscriptionPages: await makeSubscriptions(stack, token),
    customerPages: await makeCustomers(stack, token),
    open: await createCharge(stack, token, { amount: 1250, description: 'Pedido 1044: rede de algodão' }),
  };
}

async function createCharge(stack: Stack, token: string, fields: Record<string, unknown>): Promise<Payment> {
  const body = { expires_in: 86_400, ...fields };
  const created = await callApi(stack, 'POST', '/pix/new', { token, body });
  const page = String(created['checkout_url']);
  return {
    id: String(created['id']),
    content: String(created['content']),
    page,
    receipt: page.replace('/pagar/', '/comprovante/'),
  };
}

/** Creates a charge, pays it, and waits until it is credited. */
async function createPaid(stack: Stack, token: string, fields: Record<string, unknown>): Promise<Payment> {
  const payment = await createCharge(stack, token, fields);
  await payAtBank(stack, payment.content);
  await waitUntil(
    async () => (await callApi(stack, 'GET', `/pix/status/${payment.id}`, { token }))['status'] === 'paid',
  );
  return payment;
}

async function endToEndIdOf(stack: Stack, token: string, id: string): Promise<string> {
  const { end_to_end_id: endToEndId } = await callApi(stack, 'GET', `/pix/status/${id}`, { token });
  return String(endToEndId);
}

type CreatedDispute = { readonly id: string; readonly idAtBank: string; readonly endToEndId: string };

/** Makes a payer dispute a payment. Returns the dispute's ids once the gateway has stored it. */
async function createDispute(
  stack: Stack,
  token: string,
  amount: number,
  reason: string,
): Promise<CreatedDispute> {
  const { id } = await createPaid(stack, token, { amount });
  const endToEndId = await endToEndIdOf(stack, token, id);
  const { id: idAtBank } = await callBank(stack, 'POST', '/sandbox/disputes', { endToEndId, reason });
  let disputeId: string | undefined;
  await waitUntil(async () => {
    const { disputes } = await callApi(stack, 'GET', '/authed/disputes?pageSize=50', { token });
    disputeId = (disputes as { id: string; payment_id: string }[]).find(
      ({ payment_id }) => payment_id === id,
    )?.id;
    return disputeId !== undefined;
  });
  return { id: String(disputeId), idAtBank: String(idAtBank), endToEndId };
}

async function defend(stack: Stack, token: string, id: string): Promise<void> {
  const text =
    'Pedido 981, entregue em mãos a quem comprou no dia 20/11, às 14h.\nO comprovante de entrega, com a assinatura, está no anexo.';
  const content = Buffer.from('%PDF-1.4 comprovante').toString('base64');
  const body = { text, files: [{ name: 'comprovante-de-entrega-pedido-981-assinado.pdf', content }] };
  await callApi(stack, 'POST', `/authed/disputes/${id}/defence`, { token, body });
}

async function decide(stack: Stack, id: string, accepted: boolean): Promise<void> {
  await callBank(stack, 'POST', `/sandbox/disputes/${id}/resolution`, { accepted });
}

async function withdrawTwice(stack: Stack, token: string): Promise<Shop['withdrawals']> {
  const completed = await withdraw(stack, token, 2500, 'completed');
  await setPayoutBehaviour(stack, 'refused');
  const failed = await withdraw(stack, token, 310.4, 'failed');
  await setPayoutBehaviour(stack, 'normal');
  return { completed, failed };
}

async function withdraw(
  stack: Stack,
  token: string,
  amount: number,
  expectedStatus: string,
): Promise<string> {
  const destination = { pixKey: 'financeiro@emporiocapibaribe.com.br', pix_key_type: 'email' };
  const body = { amount, ...destination, withdrawal_pin: PIN };
  const { withdrawal } = await callApi(stack, 'POST', '/authed/withdraw', { token, body });
  const { id } = withdrawal as { id: string };
  await waitUntil(async () => {
    const { status } = await callApi(stack, 'GET', `/authed/withdrawals/${id}`, { token });
    return status === expectedStatus;
  });
  return id;
}

async function makeLinks(stack: Stack, token: string): Promise<Shop['links']> {
  const make = async (body: object) => {
    const { id, url, version } = await callApi(stack, 'POST', '/payment-links', { token, body });
    return { id: String(id), url: String(url), version };
  };
  const ended = { title: 'Rifa da jangada', description: null, amount: 10, max_payments: 1 };
  const { version, ...endedLink } = await make(ended);
  const disabled = { ...ended, ends_at: null, success_url: null, active: false, version };
  await callApi(stack, 'PUT', `/payment-links/${endedLink.id}`, { token, body: disabled });
  const single = { amount: 60, max_payments: 1 };
  const reserved = await make({ title: 'Passeio de jangada, último lugar', ...single });
  await requestCode(stack, reserved.url);
  const full = await make({ title: 'Mesa do réveillon', ...single });
  await payAtBank(stack, await requestCode(stack, full.url));
  await waitUntil(async () => (await (await fetch(full.url)).text()).includes('atingiu o limite'));
  const description = 'Algodão cru, tingida à mão no Pina. Do P ao GG.';
  return {
    ended: endedLink,
    reserved,
    full,
    free: await make({ title: 'Doação para o telhado', amount: null }),
    fixed: await make({ title: 'Camiseta Jangada', description, amount: 89.9, max_payments: 100 }),
  };
}

/** Requests a BR Code on the page of a payment link, as the page's form does without JavaScript. */
async function requestCode(stack: Stack, url: string): Promise<string> {
  const token = /name="token" value="([^"]+)"/.exec(await (await fetch(url)).text())?.[1] ?? '';
  const page = await (await fetch(url, { method: 'POST', body: new URLSearchParams({ token }) })).text();
  const code = /<pre[^>]*>([^<]+)</.exec(page)?.[1];
  if (code === undefined) throw new Error(`A link of ${stack.url} gave no code`);
  return code;
}

async function makeCounterCodes(stack: Stack, token: string): Promise<Shop['counterCodes']> {
  const make = async (body: object) => {
    const created = await callApi(stack, 'POST', '/counter-codes', { token, body });
    const { id, print_url: url, text, version } = created;
    return { id: String(id), url: String(url), text: String(text), version };
  };
  const open = await make({ name: 'Caixa 1' });
  const { version, ...off } = await make({ name: 'Caixa 2' });
  const change = { name: 'Caixa 2', active: false, version };
  await callApi(stack, 'PUT', `/counter-codes/${off.id}`, { token, body: change });
  await callBank(stack, 'POST', '/sandbox/payments', { brCode: open.text, amount: 25.9 });
  return { open, off, priced: await make({ name: 'Mesa da varanda', amount: 12.5 }) };
}

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (await condition()) return;
    await sleep(100);
  }
  throw new Error('The test data were not ready in time');
}
