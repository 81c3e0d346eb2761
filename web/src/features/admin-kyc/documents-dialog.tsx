import { type KycSide, kycSides, type PendingKycModel } from '@jangada/contract';
import { Check, Info, Maximize2 } from 'lucide-react';
import { type UIEvent, useState } from 'react';
import { useSupports } from '../../api/provider.ts';
import { formatDateTime, formatRelative } from '../../format/date.ts';
import { kycSideNames } from '../../format/kyc-side.ts';
import { formatUserDocument } from '../../panel/users/user-display.tsx';
import { Button, classNames, Dialog, IconButton, Notice } from '../../ui/index.ts';
import { PictureDialog } from './picture-dialog.tsx';
import type { KycDecisionActions } from './use-decision.ts';

type DocumentsDialogProps = {
  pending: PendingKycModel;
  decision: KycDecisionActions;
  onReject: () => void;
  onClose: () => void;
};

/** The holder of an account and the three pictures that the holder sent, with the buttons to approve or reject them. */
export function DocumentsDialog({ pending, decision, onReject, onClose }: DocumentsDialogProps) {
  const [enlargedSide, setEnlargedSide] = useState<KycSide>();
  const { decisionInProgress, failure } = decision;
  const hasAuditLog = useSupports('auditLog');
  return (
    <Dialog
      open
      onClose={onClose}
      title={pending.name}
      size="wide"
      locked={decisionInProgress !== undefined}
      footer={
        <>
          <Button variant="danger" disabled={decisionInProgress !== undefined} onClick={onReject}>
            Rejeitar
          </Button>
          <Button
            variant="primary"
            isSending={decisionInProgress === 'approve'}
            disabled={decisionInProgress !== undefined}
            icon={<Check className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => decision.approve(pending)}
          >
            Aprovar
          </Button>
        </>
      }
    >
      <Person pending={pending} />
      <Pictures pending={pending} onEnlarge={setEnlargedSide} />
      <p className="mt-5 flex items-start gap-2.5 text-muted">
        <Info className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} aria-hidden="true" />
        Confira se o nome e o {pending.docType} do documento são os do cadastro e se o rosto é o da selfie.
        {hasAuditLog && ' Abrir uma imagem fica no registro de auditoria.'}
      </p>
      {failure !== undefined && (
        <Notice tone="error" className="mt-4">
          {failure}
        </Notice>
      )}
      {enlargedSide !== undefined && (
        <PictureDialog
          pending={pending}
          side={enlargedSide}
          name={kycSideNames[enlargedSide]}
          onClose={() => setEnlargedSide(undefined)}
        />
      )}
    </Dialog>
  );
}

function Person({ pending }: { pending: PendingKycModel }) {
  const { email, docType, submittedAt } = pending;
  return (
    <dl className="mb-5 grid grid-cols-2 gap-x-14 gap-y-4 max-[20rem]:grid-cols-1 md:flex">
      <div className="max-md:col-span-full">
        <dt className="text-xs text-muted">E-mail</dt>
        <dd className="break-all">{email}</dd>
      </div>
      <div>
        <dt className="text-xs text-muted">{docType}</dt>
        <dd className="whitespace-nowrap tabular-nums">{formatUserDocument(pending)}</dd>
      </div>
      <div>
        <dt className="text-xs text-muted">Enviado em</dt>
        <dd className="whitespace-nowrap tabular-nums">
          {formatDateTime(submittedAt)}{' '}
          <span className="text-muted max-md:hidden">{formatRelative(submittedAt, new Date())}</span>
        </dd>
      </div>
    </dl>
  );
}

type PicturesProps = { pending: PendingKycModel; onEnlarge: (side: KycSide) => void };

/**
 * The pictures side by side. Below a width of 768 px they form a carousel that leaves the edge of the next picture
 * visible.
 */
function Pictures({ pending, onEnlarge }: PicturesProps) {
  const [currentIndex, setCurrentIndex] = useState(0);
  const updateCurrentIndex = ({ currentTarget: { scrollLeft, scrollWidth, clientWidth } }: UIEvent) => {
    const scrolledShare = scrollWidth > clientWidth ? scrollLeft / (scrollWidth - clientWidth) : 0;
    setCurrentIndex(Math.round(scrolledShare * (kycSides.length - 1)));
  };
  return (
    <>
      <ul
        aria-label="Imagens"
        onScroll={updateCurrentIndex}
        className="flex gap-4 max-md:-mx-5 max-md:snap-x max-md:snap-mandatory max-md:scroll-px-5 max-md:overflow-x-auto max-md:px-5 md:grid md:grid-cols-3"
      >
        {kycSides.map((side) => (
          <li key={side} className="max-md:w-[88%] max-md:shrink-0 max-md:snap-start">
            <Picture thumbnail={pending.thumbnails[side]} side={side} onEnlarge={onEnlarge} />
          </li>
        ))}
      </ul>
      <div className="mt-3 flex justify-center gap-2 md:hidden" aria-hidden="true">
        {kycSides.map((side, index) => (
          <span
            key={side}
            className={classNames(
              'h-1.5 rounded-full',
              index === currentIndex ? 'w-5 bg-primary' : 'w-1.5 bg-control',
            )}
          />
        ))}
      </div>
    </>
  );
}

type PictureProps = { thumbnail: string; side: KycSide; onEnlarge: (side: KycSide) => void };

/**
 * One picture. A click on the picture enlarges it, as the button does. The keyboard and screen readers reach only the
 * button, so that they do not meet the same action twice.
 */
function Picture({ thumbnail, side, onEnlarge }: PictureProps) {
  const name = kycSideNames[side];
  return (
    <figure>
      <div className="relative aspect-[320/208] overflow-hidden rounded-field border border-base-300 bg-base-200">
        {thumbnail !== '' && (
          <button
            type="button"
            tabIndex={-1}
            aria-hidden="true"
            className="block size-full cursor-zoom-in"
            onClick={() => onEnlarge(side)}
          >
            <img src={thumbnail} alt="" className="size-full object-contain" />
          </button>
        )}
        <IconButton
          variant="line"
          size="small"
          className="absolute right-2 bottom-2"
          label={`Ampliar ${name.toLocaleLowerCase('pt-BR')}`}
          icon={<Maximize2 className="size-4" strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => onEnlarge(side)}
        />
      </div>
      <figcaption className="mt-1.5 text-xs text-muted">{name}</figcaption>
    </figure>
  );
}
