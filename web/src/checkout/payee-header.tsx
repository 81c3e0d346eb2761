import type { Payee } from '@jangada/contract';
import { initials } from '../format/person-name.ts';
import { classNames } from '../ui/class-names.ts';

/** The merchant who is paid. A name that the merchant chose is never shown without the legal name. */
export function PayeeHeader({ payee, className }: { payee: Payee; className?: string }) {
  const { name, legalName, document } = payee;
  return (
    <header className={classNames('flex items-center gap-3', className)}>
      <PayeeTile payee={payee} />
      <div className="min-w-0">
        <p className="text-base leading-5 font-strong wrap-anywhere">{name}</p>
        {legalName !== name && <p className="mt-0.5 text-xs text-muted wrap-anywhere">{legalName}</p>}
        {document !== null && (
          <p className="mt-0.5 text-xs text-muted tabular-nums">
            {document.type} {document.text}
          </p>
        )}
      </div>
    </header>
  );
}

/** The logo of the merchant, or the initials of the name. */
function PayeeTile({ payee: { name, logo } }: { payee: Payee }) {
  if (logo !== null)
    return (
      <img
        src={logo}
        alt=""
        width={44}
        height={44}
        className="size-11 shrink-0 rounded-box border border-base-300 bg-[#fff] object-contain"
      />
    );
  return (
    <span
      aria-hidden="true"
      className="brand-tile grid size-11 shrink-0 place-items-center rounded-box text-sm font-strong"
    >
      {initials(name)}
    </span>
  );
}
