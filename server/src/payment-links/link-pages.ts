import { centsFromText, type LinkPage, MIN_CHARGE_CENTS } from '@jangada/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AddPayerRoutes, type AnswerPage, readPayee } from '../checkout/index.ts';
import type { Deps } from '../deps.ts';
import { networkOf } from '../http/network-of.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { formatBrl } from '../payments/index.ts';
import { randomText } from '../random-text.ts';
import { Refusal } from '../refusal.ts';
import { canReceiveByLink, createLinkCharge, type LinkOutcome, readPageState } from './create-link-charge.ts';
import type { StoredPaymentLink } from './payment-link.ts';
import { findLinkBySlug } from './store.ts';

/** A page's token: the version of the link, a hyphen, and random characters that identify the page (see `pageOf`). */
const tokenPattern = /^(\d{1,9})-[0-9A-Za-z]{22}$/;
const maxFormBytes = 4096;

/** The HTTP status of a page in each state. */
const statusByState: Readonly<Record<LinkPage['state'], number>> = {
  open: 200,
  full: 410,
  reserved: 503,
  ended: 410,
  off: 410,
  'not-receiving': 503,
};

const invalidAmountText = 'Digite o valor em reais, como 25,90.';

/** The fields of a page that do not come from its link. `typed`: the amount as the payer typed it. */
type PageFields = Partial<Pick<LinkPage, 'state' | 'token' | 'typed' | 'fieldError' | 'problem'>>;

/**
 * Serves the page of a payment link, which anybody with its address can open. It shows what is to be paid, and creates
 * a charge when somebody submits its form.
 */
export function linkPages(deps: Deps, answerPage: AnswerPage): AddPayerRoutes {
  const renderPage = async (
    reply: FastifyReply,
    link: StoredPaymentLink,
    pageFields: PageFields,
    status?: number,
  ) => {
    const payee = await readPayee(deps.db, link.merchantId);
    const page = pageOf(link, deps.config.limits.chargeMaxCents, pageFields);
    return answerPage(reply, { ...page, payee }, status ?? statusByState[page.state]);
  };

  const renderNotFound = (reply: FastifyReply) =>
    answerPage(reply, { kind: 'notice', about: 'link-unknown' }, 404);

  async function respondToOutcome(reply: FastifyReply, link: StoredPaymentLink, outcome: LinkOutcome) {
    if ('charge' in outcome) return reply.redirect(`/pagar/${outcome.charge.txid}`, 303);
    if (outcome.state !== 'changed') return renderPage(reply, link, { state: outcome.state });
    const changedLink = (await findLinkBySlug(deps.db, link.slug)) ?? link;
    return renderPage(
      reply,
      changedLink,
      { problem: 'Este link acabou de mudar. Confira e tente de novo.' },
      409,
    );
  }

  function respondToRefusal(
    reply: FastifyReply,
    link: StoredPaymentLink,
    submitted: PageFields,
    refusal: Refusal,
  ) {
    const fieldError = amountErrorText(refusal, deps.config.limits.chargeMaxCents);
    // The owner fixed this amount, so the payer cannot correct it. The amount was valid when the link was saved, so the
    // account's fees or the operator's limits have changed since.
    if (fieldError !== undefined && link.amountCents !== null)
      return renderPage(reply, link, { state: 'not-receiving' });
    if (fieldError !== undefined) return renderPage(reply, link, { ...submitted, fieldError }, 400);
    const { code, retryAfterSeconds } = refusal;
    if (retryAfterSeconds !== undefined)
      reply.header('retry-after', Math.max(1, Math.ceil(retryAfterSeconds)));
    const problem =
      code === 'RATE_LIMITED'
        ? 'Muitos códigos foram pedidos daqui em pouco tempo. Aguarde alguns minutos e tente de novo.'
        : 'O banco não respondeu agora. Nada foi cobrado: tente de novo em instantes.';
    return renderPage(reply, link, { ...submitted, problem }, code === 'RATE_LIMITED' ? 429 : 503);
  }

  return (pages) =>
    pages.register(async (scope) => {
      acceptForms(scope);
      scope.get('/link/:slug', async (request, reply) => {
        const link = await findRequestedLink(deps, request);
        if (link === undefined) return renderNotFound(reply);
        const state = await readPageState(deps.db, link, deps.clock.now());
        const isReceiving = state !== 'open' || (await canReceiveByLink(deps, await merchantOf(deps, link)));
        return renderPage(reply, link, { state: isReceiving ? state : 'not-receiving' });
      });

      scope.post('/link/:slug', { bodyLimit: maxFormBytes }, async (request, reply) => {
        const link = await findRequestedLink(deps, request);
        if (link === undefined) return renderNotFound(reply);
        const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
        const token = form.get('token') ?? '';
        // The page shows the typed text again after an error, so its length is limited.
        const typed = form.get('amount')?.slice(0, 40) ?? '';
        const version = Number(tokenPattern.exec(token)?.[1]);
        if (Number.isNaN(version))
          return renderPage(reply, link, { typed, problem: 'Confira os dados e tente de novo.' }, 400);
        const amountCents = link.amountCents ?? centsFromText(typed);
        if (amountCents === undefined)
          return renderPage(reply, link, { token, typed, fieldError: invalidAmountText }, 400);
        const submission = {
          token,
          version,
          amountCents,
          network: networkOf(request.ip),
          requestId: request.id,
        };
        try {
          const outcome = await createLinkCharge(deps, await merchantOf(deps, link), link, submission);
          return await respondToOutcome(reply, link, outcome);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          return respondToRefusal(reply, link, { token, typed }, error);
        }
      });
    });
}

/** Accepts browser forms; any other body counts as an empty form. */
function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(body)),
  );
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, undefined));
}

async function findRequestedLink(
  { db }: Deps,
  { params }: FastifyRequest,
): Promise<StoredPaymentLink | undefined> {
  const { slug } = params as { readonly slug: string };
  return /^[0-9A-Za-z]{16}$/.test(slug) ? findLinkBySlug(db, slug) : undefined;
}

async function merchantOf({ db }: Deps, link: StoredPaymentLink) {
  const merchant = await readMerchant(db, link.merchantId);
  invariant(merchant !== undefined, 'a link without an account');
  return merchant;
}

function pageOf(
  link: StoredPaymentLink,
  maxChargeCents: number,
  pageFields: PageFields,
): Omit<LinkPage, 'payee'> {
  const { slug, title, description, amountCents } = link;
  return {
    kind: 'link',
    slug,
    title,
    description,
    amountCents,
    minCents: MIN_CHARGE_CENTS,
    maxCents: maxChargeCents,
    state: 'open',
    // The number is the version that the page shows; the random part identifies the page and thereby its one charge.
    token: `${link.version}-${randomText(22)}`,
    typed: '',
    fieldError: null,
    problem: null,
    ...pageFields,
  };
}

/** Returns the message to the payer who typed an invalid amount; undefined if the refusal has another cause. */
function amountErrorText({ code }: Refusal, maxChargeCents: number): string | undefined {
  if (code === 'AMOUNT_INVALID') return invalidAmountText;
  if (code === 'AMOUNT_TOO_SMALL') return `O valor mínimo é ${formatBrl(MIN_CHARGE_CENTS)}.`;
  if (code === 'AMOUNT_TOO_LARGE') return `O valor máximo é ${formatBrl(maxChargeCents)}.`;
  return code === 'AMOUNT_BELOW_FEE' ? 'Este valor é pequeno demais. Digite um maior.' : undefined;
}
