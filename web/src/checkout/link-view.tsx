import type { LinkPage } from '@jangada/contract';
import { formatMoney } from '../format/money.ts';
import { buttonClass } from '../ui/button.tsx';
import { Drawing } from '../ui/drawing.tsx';
import { TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { CardPage, MessageCard } from './card-page.tsx';

/** The page of a payment link: what the link charges for, and the form that creates a new charge for this payer. */
export function LinkView({ page }: { page: LinkPage }) {
  return (
    <CardPage payee={page.payee}>
      {page.state === 'open' ? <LinkForm page={page} /> : <ClosedLink page={page} state={page.state} />}
    </CardPage>
  );
}

function LinkForm({ page }: { page: LinkPage }) {
  const { amountCents, description, fieldError, problem } = page;
  return (
    <>
      <h1 className="text-lg font-strong wrap-anywhere" tabIndex={-1}>
        {page.title}
      </h1>
      {description !== null && (
        <p className="mt-2 text-base whitespace-pre-line text-muted wrap-anywhere">{description}</p>
      )}
      {problem !== null && (
        <Notice tone="error" className="mt-4">
          {problem}
        </Notice>
      )}
      {/* `data-once` makes the page's script block a second submit. Without the script, the gateway recognizes a second
          submit by the token, which identifies this visit. */}
      <form method="post" action={`/link/${page.slug}`} className="mt-6" data-once noValidate>
        <input type="hidden" name="token" value={page.token} />
        {amountCents === null ? (
          <TextField
            id="valor"
            name="amount"
            label="Quanto você vai pagar"
            fieldClassName="field-money"
            className="money text-base"
            before={
              <span className="text-muted" aria-hidden="true">
                R$
              </span>
            }
            hint={`De ${formatMoney(page.minCents)} a ${formatMoney(page.maxCents)}.`}
            error={fieldError ?? undefined}
            defaultValue={page.typed}
            inputMode="decimal"
            autoComplete="off"
            placeholder="0,00"
            required
            autoFocus={fieldError !== null}
          />
        ) : (
          <>
            <p className="text-sm text-muted">Valor a pagar</p>
            <p className="mt-1 text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
              {formatMoney(amountCents)}
            </p>
          </>
        )}
        <button
          type="submit"
          className={`${buttonClass({ variant: 'primary', size: 'large', block: true })} main-button mt-6`}
        >
          Pagar com Pix
        </button>
        <p className="mt-3 text-xs text-balance text-muted">
          Na próxima página aparecem o QR Code e o código Pix Copia e Cola.
        </p>
      </form>
    </>
  );
}

/** The title and the sentence for each state in which the link creates no charges. */
const closedLinkTexts: Record<
  Exclude<LinkPage['state'], 'open'>,
  (payeeName: string) => readonly [title: string, sentence: string]
> = {
  full: (payeeName) => [
    'Este link atingiu o limite de pagamentos',
    `Se você ainda precisa pagar, peça outro link a ${payeeName}.`,
  ],
  reserved: () => [
    'Todas as vagas estão reservadas no momento',
    'Tente de novo em alguns minutos: quem reservou pode não pagar a tempo.',
  ],
  ended: (payeeName) => [
    'O prazo deste link terminou',
    `Se você ainda precisa pagar, peça outro link a ${payeeName}.`,
  ],
  off: (payeeName) => ['Este link foi desligado', `Se você ainda precisa pagar, fale com ${payeeName}.`],
  'not-receiving': (payeeName) => [
    'Este recebedor não pode receber agora',
    `Tente de novo mais tarde ou fale com ${payeeName}.`,
  ],
};

function ClosedLink({ page, state }: { page: LinkPage; state: keyof typeof closedLinkTexts }) {
  const [title, sentence] = closedLinkTexts[state](page.payee.name);
  // In the other states, trying again would not help.
  const retryLink =
    state === 'reserved' ? (
      <a className={buttonClass({ size: 'large' })} href={`/link/${page.slug}`}>
        Tentar de novo
      </a>
    ) : undefined;
  return (
    <>
      <p className="mb-6 text-center text-base font-strong wrap-anywhere">{page.title}</p>
      <MessageCard
        drawing={<Drawing name={state === 'reserved' ? 'no-result' : 'failed-to-load'} />}
        title={title}
        action={retryLink}
      >
        {sentence}
      </MessageCard>
    </>
  );
}
