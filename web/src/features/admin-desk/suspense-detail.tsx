import {
  adminAssignSuspense,
  adminReturnSuspense,
  type adminSuspense,
  type ResponseOf,
  TWO_ADMINISTRATORS_CENTS,
} from '@jangada/contract';
import { useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { formatDateAtTime, formatDateTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { Copied } from '../../panel/copied.tsx';
import { useSession } from '../../session/session.ts';
import { Button, Dialog, type Fact, Facts, type GlyphName, Notice, StatusBadge } from '../../ui/index.ts';
import { centsOf } from './desk-queries.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { type PickedUser, UserPicker } from './user-picker.tsx';

type Act = 'assign' | 'return' | 'confirm';
type Props = { pix: SuspensePix; onClose: () => void };

/** A Pix that matches no charge: its payer, the proposed decision, and the two possible decisions. */
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

const PROPOSED = 'Proposta registrada. Outro administrador precisa confirmar.';
const reason = { label: 'Motivo', most: 300, missing: 'Informe o motivo.' };

type AssignDialogProps = {
  pix: SuspensePix;
  /** The merchant proposed by another administrator; this decision then confirms it. */
  agreed?: PickedUser;
  onClose: () => void;
};

/** Assigns the Pix to a merchant, as a payment. */
function AssignDialog({ pix, agreed, onClose }: AssignDialogProps) {
  const [picked, setPicked] = useState<PickedUser | null>(agreed ?? null);
  const [error, setError] = useState<string>();
  const after = useRef<SuspensePix>(undefined);
  return (
    <ReasonDialog
      {...reason}
      title={agreed === undefined ? 'Atribuir Pix a um lojista' : 'Confirmar atribuição'}
      action={agreed === undefined ? 'Atribuir' : 'Confirmar'}
      ready={() => {
        setError(picked === null ? 'Escolha o lojista.' : undefined);
        return picked !== null;
      }}
      onSend={async (text) => {
        const params = { endToEndId: pix.end_to_end_id };
        const body = { userId: picked?.id ?? '', reason: text };
        after.current = await call(adminAssignSuspense, { params, body });
      }}
      done={() => (after.current?.status === 'assigned' ? `Pix atribuído a ${picked?.name}.` : PROPOSED)}
      failure="Erro ao atribuir o Pix. Tente novamente."
      onClose={onClose}
    >
      <p className="text-muted">
        {formatMoney(centsOf(pix.amount))} entram como pagamento, com as tarifas e a reserva de agora
        {agreed === undefined ? '' : `, no saldo de ${agreed.name}`}.{' '}
        {agreed === undefined && <Second pix={pix} />}
      </p>
      {agreed === undefined && (
        <UserPicker
          picked={picked}
          error={error}
          onPick={(user) => {
            setPicked(user);
            setError(undefined);
          }}
        />
      )}
    </ReasonDialog>
  );
}

/** Returns the Pix to its payer, or confirms a return that was proposed. */
function ReturnDialog({ pix, onClose }: { pix: SuspensePix; onClose: () => void }) {
  const after = useRef<SuspensePix>(undefined);
  return (
    <ReasonDialog
      {...reason}
      title="Devolver a quem pagou?"
      action="Devolver"
      grave
      onSend={async (text) => {
        const params = { endToEndId: pix.end_to_end_id };
        after.current = await call(adminReturnSuspense, { params, body: { reason: text } });
      }}
      done={() => (after.current?.status === 'suspense' ? PROPOSED : 'Devolução a caminho.')}
      failure="Erro ao devolver o Pix. Tente novamente."
      onClose={onClose}
    >
      <p className="text-muted">
        {formatMoney(centsOf(pix.amount))} voltam para a conta de onde vieram. Não pode ser desfeito.{' '}
        <Second pix={pix} />
      </p>
    </ReasonDialog>
  );
}

function Second({ pix }: { pix: SuspensePix }) {
  if (centsOf(pix.amount) <= TWO_ADMINISTRATORS_CENTS) return null;
  return `Acima de ${formatMoney(TWO_ADMINISTRATORS_CENTS)}, outro administrador precisa confirmar.`;
}

export type SuspensePix = ResponseOf<typeof adminSuspense>['pix'][number];

const whys = new Map([
  ['no-txid', 'Sem identificação de cobrança'],
  ['unknown-txid', 'Identifica uma cobrança que não existe aqui'],
  ['second-payment', 'Segundo pagamento da mesma cobrança'],
  ['wrong-amount', 'Valor diferente do da cobrança'],
  ['wrong-key', 'Veio por outra chave'],
  ['below-fee', 'Não cobre a tarifa de quem receberia'],
]);

/** Why it matched no charge. */
export function whyWords(why: string): string {
  return whys.get(why) ?? why;
}

/** The outcome of a suspense entry, as a badge. */
export function suspenseLook({ status, proposal }: SuspensePix): { glyph: GlyphName; word: string } {
  if (status === 'returning') return { glyph: 'processing', word: 'Devolvendo' };
  if (status === 'returned') return { glyph: 'returned', word: 'Devolvido' };
  if (status === 'assigned') return { glyph: 'done', word: 'Atribuído' };
  return proposal === null
    ? { glyph: 'waiting', word: 'Sem dono' }
    : { glyph: 'waiting', word: 'Espera confirmação' };
}
