import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts } from '../accounts.ts';
import { findMandate } from '../automatic/automatic-routes.ts';
import { chooseAccount } from '../choose-account.ts';
import { findPayment } from '../find-payment.ts';
import type { SandboxRefusal } from '../refusal.ts';
import { SHOP_SYSTEM_PATH } from '../shop-system.ts';
import { accountsView } from './accounts-view.ts';
import { behaviourView } from './behaviour-view.ts';
import { contestView, historyView } from './history-view.ts';
import { layout } from './layout.ts';
import { mandatesView, mandateView } from './mandates-view.ts';
import type { View } from './parts.ts';
import { codeView, payView, refusalView } from './pay-view.ts';
import { receiptView } from './receipt-view.ts';
import { shopSystemView } from './shop-system-view.ts';

const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const PAGE_FILES = new URL('../../page/', import.meta.url).href;

/** The files under /assets, each with its name there, the URL of the file, and its content type. */
const ASSETS = [
  ['bank.css', `${PAGE_FILES}bank.css`, 'text/css'],
  ['bank.js', `${PAGE_FILES}bank.js`, 'text/javascript'],
  ['favicon.svg', `${PAGE_FILES}favicon.svg`, 'image/svg+xml'],
  [
    'geist.woff2',
    import.meta.resolve('@fontsource-variable/geist/files/geist-latin-wght-normal.woff2'),
    'font/woff2',
  ],
  ['qr/decode.js', import.meta.resolve('qr/decode.js'), 'text/javascript'],
  ['qr/index.js', import.meta.resolve('qr'), 'text/javascript'],
] as const;

interface PaymentPath {
  Params: { endToEndId: string };
}

/** The bank's app: paste a code (or open `/?codigo=`), see the payee, pay, contest; the accounts, and how they behave. */
export function pageRoutes(app: FastifyInstance, accounts: Accounts): void {
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    });
  });
  for (const [name, location, type] of ASSETS) {
    const content = readFileSync(new URL(location));
    app.get(`/assets/${name}`, (_request, reply) =>
      reply.type(type).header('cache-control', 'max-age=300').send(content),
    );
  }

  app.get<{ Querystring: { codigo?: string | string[] } }>('/', async (request, reply) => {
    const { codigo } = request.query;
    // No page may show a change that a crash could still undo, so each waits until the books are on disk.
    await accounts.untilDurable();
    const hasCode = typeof codigo === 'string' && codigo.trim() !== '';
    return sendView(reply, accounts, hasCode ? payView(accounts, codigo) : codeView());
  });
  app.get('/pagamentos', async (_request, reply) => {
    await accounts.untilDurable();
    return sendView(reply, accounts, historyView(accounts));
  });
  app.get<PaymentPath>('/comprovante/:endToEndId', async (request, reply) => {
    await accounts.untilDurable();
    const { bank, pix } = findPayment(accounts, request.params.endToEndId);
    return sendView(reply, accounts, receiptView(bank, pix));
  });
  app.get<PaymentPath>('/contestar/:endToEndId', async (request, reply) => {
    await accounts.untilDurable();
    const { bank, pix } = findPayment(accounts, request.params.endToEndId);
    return sendView(reply, accounts, contestView(bank, pix));
  });
  app.get('/autorizacoes', async (_request, reply) => {
    await accounts.untilDurable();
    return sendView(reply, accounts, mandatesView(accounts));
  });
  app.get<{ Params: { idRec: string } }>('/autorizacoes/:idRec', async (request, reply) => {
    await accounts.untilDurable();
    const { bank, rec } = findMandate(accounts, request.params.idRec);
    return sendView(reply, accounts, mandateView(bank, rec, accounts.clock.now()));
  });
  app.get('/comportamento', async (request, reply) => {
    const bank = chooseAccount(accounts, request.query);
    await accounts.untilDurable();
    return sendView(reply, accounts, behaviourView(accounts, bank));
  });
  app.get('/contas', async (request, reply) => {
    const bank = chooseAccount(accounts, request.query);
    await accounts.untilDurable();
    return sendView(reply, accounts, accountsView(accounts, bank));
  });
  app.get(SHOP_SYSTEM_PATH, (_request, reply) => sendView(reply, accounts, shopSystemView(accounts.first)));
}

/** Sends a refusal as a page to browsers, as JSON to programs. */
export function sendRefusal(
  accounts: Accounts,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: SandboxRefusal,
): FastifyReply {
  reply.status(refusal.status);
  const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
  return wantsPage ? sendView(reply, accounts, refusalView(refusal)) : reply.send(refusal.body);
}

function sendView(reply: FastifyReply, accounts: Accounts, view: View): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(layout(accounts, view));
}
