import type { UserModel } from '@jangada/contract';
import { maskDocument } from '@jangada/pix';
import { Copy } from 'lucide-react';
import { textColourOn } from '../../checkout/brand-style.ts';
import { initials } from '../../format/person-name.ts';
import { buttonClass } from '../../ui/index.ts';

type BrandPreviewProps = {
  user: UserModel;
  name: string;
  /** `#rrggbb`; null for the default colours. */
  colour: string | null;
  logo: string | null;
};

/** A live preview of the header and the button of a payer's page. */
export function BrandPreview({ user, name, colour, logo }: BrandPreviewProps) {
  const displayName = name.trim() === '' ? user.name : name.trim();
  const colourStyle = colour === null ? undefined : colourStyleOf(colour);
  return (
    <figure className="rounded-box border border-base-300 p-4">
      <figcaption className="text-xs font-medium text-muted">Como quem paga vê</figcaption>
      <div className="mt-4 flex items-center gap-3">
        {logo === null ? (
          <span
            aria-hidden="true"
            className="grid size-11 shrink-0 place-items-center rounded-box bg-base-content text-sm font-strong text-base-100"
            style={colourStyle}
          >
            {initials(displayName)}
          </span>
        ) : (
          <img
            src={logo}
            alt="Logotipo"
            className="size-11 shrink-0 rounded-box border border-base-300 bg-[#fff] object-contain"
          />
        )}
        <div className="min-w-0">
          <p className="text-base leading-5 font-strong wrap-anywhere">{displayName}</p>
          {displayName !== user.name && (
            <p className="mt-0.5 text-xs text-muted wrap-anywhere">{user.name}</p>
          )}
          {user.document !== '' && (
            <p className="mt-0.5 text-xs text-muted tabular-nums">
              {user.docType} {maskDocument(user.document)}
            </p>
          )}
        </div>
      </div>
      <p className="mt-5 text-muted">Valor a pagar</p>
      <p className="mt-1 text-xl font-strong wrap-anywhere tabular-nums">R$ 89,90</p>
      {/* Only a picture of a button, so it must not be reachable. */}
      <span
        aria-hidden="true"
        className={`${buttonClass({ variant: 'primary', size: 'large', block: true })} pointer-events-none mt-4 text-base`}
        style={colourStyle}
      >
        <Copy className="size-5" strokeWidth={1.75} />
        Copiar código Pix
      </span>
    </figure>
  );
}

function colourStyleOf(colour: string) {
  const textColour = textColourOn(colour);
  return {
    backgroundColor: colour,
    color: textColour,
    borderColor: `color-mix(in oklab, ${textColour} 18%, ${colour})`,
  };
}
