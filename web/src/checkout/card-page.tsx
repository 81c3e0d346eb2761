import type { Payee } from '@jangada/contract';
import type { ReactNode } from 'react';
import { Foot } from './foot.tsx';
import { PayeeHeader } from './payee-header.tsx';

/** A page with a single centred panel, below the payee's name. */
export function CardPage({
  payee,
  children,
  ...main
}: {
  payee?: Payee;
  children: ReactNode;
  [data: `data-${string}`]: string;
}) {
  return (
    <div className="page grid content-center justify-items-center bg-base-200 px-6 py-8 max-md:px-4 max-[22.5rem]:px-3">
      <main
        {...main}
        className="panel w-full max-w-104 rounded-box border border-base-300 bg-base-100 p-8 max-md:p-6 max-[22.5rem]:p-4"
      >
        {payee !== undefined && <PayeeHeader payee={payee} className="mb-6 border-b border-base-300 pb-6" />}
        {children}
      </main>
      <Foot className="mt-6" />
    </div>
  );
}

/** An illustration, the situation, and what the payer can do about it. */
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
