import type { Payee, PaymentPage } from '@jangada/contract';
import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';
import { Mark } from '../ui/logo.tsx';
import { PayeeHeader } from './payee-header.tsx';

/** A page with a single centred panel, which begins with the name of the payee if one is known. */
export function CardPage({
  payee,
  children,
  ...dataAttributes
}: {
  payee?: Payee;
  children: ReactNode;
  [data: `data-${string}`]: string;
}) {
  return (
    <div className="page grid content-center justify-items-center bg-base-200 px-6 py-8 max-md:px-4 max-[22.5rem]:px-3">
      <main
        {...dataAttributes}
        className="panel w-full max-w-104 rounded-box border border-base-300 bg-base-100 p-8 max-md:p-6 max-[22.5rem]:p-4"
      >
        {payee !== undefined && <PayeeHeader payee={payee} className="mb-6 border-b border-base-300 pb-6" />}
        {children}
      </main>
      <PageFooter className="mt-6" />
    </div>
  );
}

/** The content of the panel when it is only a message: what happened, and what the payer can do about it. */
export function MessageCard({
  drawing,
  title,
  children,
  action,
}: {
  drawing: ReactNode;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center text-center">
      {drawing}
      <h1 className="mt-2 text-lg font-strong text-balance wrap-anywhere" tabIndex={-1}>
        {title}
      </h1>
      <p className="mt-1 text-sm text-balance text-muted wrap-anywhere">{children}</p>
      {action !== undefined && <div className="mt-6 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  );
}

const footerText = 'Pix processado por Jangada';

/** The footer of a payer's page, which names Jangada. */
export function PageFooter({ className }: { className?: string }) {
  return (
    <footer className={classNames('flex items-center justify-center gap-2 text-xs text-muted', className)}>
      <Mark className="size-4" />
      {footerText}
    </footer>
  );
}

/** The footer with Jangada's name below a drawing of a raft on a line of water, for pages that have room for it. */
export function WaterFooter({ className }: { className?: string }) {
  return (
    <footer className={classNames('text-xs text-muted', className)}>
      <Mark className="ml-6.25 size-6" />
      <svg viewBox="0 0 400 10" fill="none" strokeWidth="1.5" aria-hidden="true" className="stroke-control">
        <path d="M0 1h191M203 1h15M229 1h171M29 9h61M104 9h10M149 9h71" />
      </svg>
      <p className="mt-3">{footerText}</p>
    </footer>
  );
}

/**
 * The attributes of `main` that the page's script reads. With them it polls the status of the payment, and counts down
 * to the deadline by the gateway's clock.
 */
export function scriptDataAttributes({ id, state, now, expiresAt }: PaymentPage) {
  return {
    'data-id': id,
    'data-state': state,
    'data-now': now,
    'data-expires': expiresAt,
    'data-status-path': `/pagar/${id}/status`,
  } as const;
}
