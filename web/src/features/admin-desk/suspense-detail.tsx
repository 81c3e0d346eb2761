import { TWO_ADMINISTRATORS_CENTS } from '@jangada/contract';
import { useState } from 'react';
import { formatDateAtTime, formatDateTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { Copied } from '../../panel/copied.tsx';
import { useSession } from '../../session/session.ts';
import { Button, Dialog, type Fact, Facts, Notice, StatusBadge } from '../../ui/index.ts';
import { AssignDialog, ReturnDialog } from './decide-suspense.tsx';
import { centsOf } from './desk-queries.ts';
import { type SuspensePix, suspenseLook, whyWords } from './suspense-words.ts';

type Act = 'assign' | 'return' | 'confirm';
type Props = { pix: SuspensePix; onClose: () => void };

/** A Pix that nobody claimed: where it came from, what was proposed, and the two ways it can go. */
export function SuspenseDetail({ pix, onClose }: Props) {
  const [act, setAct] = useState<Act>();
  const back = () => setAct(undefined);
  const { proposal } = pix;
  if (act === 'confirm' && proposal?.action === 'assign')
    return (
      <AssignDialog
        pix={pix}
        agreed={{ id: proposal.user_id ?? '', name: proposal.user_name ?? '' }}
        onClose={back}
      />
    );
  if (act === 'assign') return <AssignDialog pix={pix} onClose={back} />;
  if (act === 'return' || act === 'confirm') return <ReturnDialog pix={pix} onClose={back} />;
  return <Detail pix={pix} onAct={setAct} onClose={onClose} />;
}

function Detail({ pix, onAct, onClose }: Props & { onAct: (act: Act) => void }) {
  const own = useSession(({ user }) => user?.id);
  const { glyph, word } = suspenseLook(pix);
  const { proposal } = pix;
  const open = pix.status === 'suspense';
  const confirmable = open && proposal !== null && proposal.proposed_by !== own;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Pix sem dono"
      footerStart={
        open ? (
          <Button variant="danger" onClick={() => onAct('return')}>
            Devolver
          </Button>
        ) : undefined
      }
      footer={
        open ? (
          <>
            <Button onClick={() => onAct('assign')}>Atribuir</Button>
            {confirmable && (
              <Button variant="primary" onClick={() => onAct('confirm')}>
                Confirmar
              </Button>
            )}
          </>
        ) : (
          <Button onClick={onClose}>Fechar</Button>
        )
      }
    >
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <p className="text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
          {formatMoney(centsOf(pix.amount))}
        </p>
        <StatusBadge status={glyph}>{word}</StatusBadge>
      </div>
      {open && <Proposed pix={pix} own={own} />}
      <Facts facts={factsOf(pix)} />
    </Dialog>
  );
}

function Proposed({ pix, own }: { pix: SuspensePix; own: string | undefined }) {
  const { proposal } = pix;
  if (proposal === null)
    return centsOf(pix.amount) > TWO_ADMINISTRATORS_CENTS ? (
      <Notice tone="info" className="mb-4" title="Dois administradores.">
        Acima de {formatMoney(TWO_ADMINISTRATORS_CENTS)}, um propõe e outro confirma.
      </Notice>
    ) : null;
  const what =
    proposal.action === 'assign' ? `atribuir a ${proposal.user_name ?? '—'}` : 'devolver a quem pagou';
  const who = proposal.proposed_by === own ? 'Você propôs' : `${proposal.proposed_by_name} propôs`;
  return (
    <Notice tone="warning" className="mb-4" title={`${who} ${what}.`}>
      {proposal.reason} <span className="text-muted">({formatDateAtTime(proposal.proposed_at)})</span>{' '}
      {proposal.proposed_by === own
        ? 'Outro administrador precisa confirmar.'
        : 'Confirme, ou proponha outra coisa.'}
    </Notice>
  );
}

function factsOf(pix: SuspensePix): Fact[] {
  return [
    { label: 'Por que não tem dono', value: whyWords(pix.why) },
    { label: 'Pago em', value: formatDateTime(pix.paid_at) },
    { label: 'EndToEndId', value: <Copied text={pix.end_to_end_id} label="Copiar EndToEndId" /> },
    ...(pix.txid === null ? [] : [{ label: 'txid', value: <Copied text={pix.txid} label="Copiar txid" /> }]),
  ];
}
