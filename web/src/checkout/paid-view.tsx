import type { PaymentPage } from '@jangada/contract';
import { ReceiptText } from 'lucide-react';
import { formatDateTime } from '../format/date.ts';
import { formatMoney } from '../format/money.ts';
import { buttonClass } from '../ui/button.tsx';
import { PaidSail } from '../ui/drawing.tsx';
import { PageFooter, scriptDataAttributes, WaterFooter } from './card-page.tsx';
import { PayeeHeader } from './payee-header.tsx';
import { ReceiptFacts } from './receipt-facts.tsx';

/** The page of a paid charge. Its news, "Pago", fills the right half of the page, or the top on a phone. */
export function PaidView({ page }: { page: PaymentPage }) {
  const { payee, amountCents, description, paidAt, endToEndId } = page;
  return (
    <main {...scriptDataAttributes(page)} className="page md:grid md:grid-cols-2 md:grid-rows-[1fr_auto]">
      <section className="pane-end pane-told grid content-center justify-items-center bg-success-tint py-16 text-center text-success md:col-start-2 md:row-span-2 md:row-start-1">
        <PaidSail className="arrive" />
        <h1 className="mt-4 text-xl font-strong" tabIndex={-1}>
          Pago
        </h1>
        <p className="mt-2 max-w-104 text-base text-balance wrap-anywhere">
          {payee.name} já recebeu.{page.successUrl === null && ' Pode fechar esta página.'}
        </p>
        {page.successUrl !== null && <BackToShop url={page.successUrl} />}
        <a
          href={`/comprovante/${page.id}`}
          className={`${buttonClass({ size: 'large' })} mt-6 text-base-content`}
        >
          <ReceiptText className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
          Ver comprovante
        </a>
      </section>
      <section className="pane-start bg-base-200 py-5 md:col-start-1 md:pt-14">
        <PayeeHeader payee={payee} className="mb-8 md:mb-14" />
        <p className="text-sm text-muted">Valor pago</p>
        <p className="mt-1 text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
          {formatMoney(amountCents)}
        </p>
        {description !== null && <p className="mt-2 text-base wrap-anywhere">{description}</p>}
        <ReceiptFacts
          facts={[
            ['Recebedor', payee.legalName],
            ['Pago em', formatDateTime(paidAt)],
            ['Autenticação', endToEndId],
          ]}
        />
      </section>
      <div className="pane-start bg-base-200 pb-6 md:col-start-1 md:pb-14">
        <WaterFooter className="max-md:hidden" />
        <PageFooter className="md:hidden" />
      </div>
    </main>
  );
}

/**
 * The link back to the shop. The page's script follows the link after some seconds, unless the payer chooses to stay;
 * meanwhile the script shows the hidden sentence that says so.
 */
function BackToShop({ url }: { url: string }) {
  const { host } = new URL(url);
  return (
    <>
      <a
        href={url}
        data-way-back
        className={`${buttonClass({ variant: 'primary', size: 'large' })} main-button mt-6 h-auto min-h-12 max-w-full py-2 whitespace-normal wrap-anywhere`}
      >
        Voltar para {host}
      </a>
      <p className="mt-2 text-sm" data-leading hidden>
        <span role="status" data-leading-words />{' '}
        <button type="button" className="font-medium underline underline-offset-4" data-stay>
          Ficar nesta página
        </button>
      </p>
    </>
  );
}
