import type { Subscription } from '@jangada/contract';
import { ExternalLink } from 'lucide-react';
import { CopyLink, ShareLink } from '../../panel/charge/link-buttons.tsx';
import { QrCode } from '../../panel/charge/qr-code.tsx';
import { TestBankLink } from '../../panel/charge/test-bank-link.tsx';
import { buttonClass, CodeWell, CopyButton, Panel } from '../../ui/index.ts';

/** What the merchant sends, so that the payer allows the debits: the page, and the code with its QR code. */
export function SendPanel({ subscription }: { subscription: Subscription }) {
  const { page_url: url, code, description } = subscription;
  return (
    <Panel flush className="overflow-hidden" label="Para o pagador autorizar">
      <div className="p-4 md:p-5">
        <h2 className="font-strong">Envie a página ao pagador</h2>
        <p className="mt-1 text-muted">
          Ela diz quem cobra, quanto e quando, e como autorizar. Depois mostra os débitos.
        </p>
        <p className="mt-3 text-xs break-all text-muted select-all">{url.replace(/^https?:\/\//, '')}</p>
        <div className="mt-2 flex flex-wrap gap-2 max-md:*:grow">
          <CopyLink variant="primary" url={url} />
          <ShareLink url={url} text={`${description}: autorize o débito automático por Pix.`} />
          <a href={url} target="_blank" rel="noopener" className={buttonClass()}>
            <ExternalLink className="size-4" strokeWidth={1.75} aria-hidden="true" />
            Abrir
          </a>
        </div>
      </div>
      {code !== null && (
        <div className="grid gap-4 border-t border-base-300 bg-base-200 p-4 md:grid-cols-[12rem_minmax(0,1fr)] md:items-center md:p-5">
          <QrCode
            content={code}
            alt="QR Code para o pagador autorizar"
            className="mx-auto w-full max-w-60 max-md:order-last md:p-3!"
          />
          <div>
            <p className="mb-1.5 text-xs font-medium text-muted">Ou só o código (Pix Copia e Cola)</p>
            <CodeWell label="Pix Copia e Cola">{code}</CodeWell>
            <CopyButton className="mt-2 max-md:w-full" text={code} label="Copiar código" />
            <p className="mt-3 empty:hidden">
              <TestBankLink pixCode={code}>Autorizar no Banco Sandbox</TestBankLink>
            </p>
          </div>
        </div>
      )}
    </Panel>
  );
}
