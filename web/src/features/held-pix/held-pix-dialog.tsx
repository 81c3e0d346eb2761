import type { HeldPix } from '@jangada/contract';
import { useState } from 'react';
import { paths } from '../../app/paths.ts';
import { centsOf } from '../../format/cents-of.ts';
import { formatDateTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { shortId } from '../../format/short-id.ts';
import { Link } from '../../navigation/index.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { useMay } from '../../session/account.ts';
import { Button, Code, CopyButton, Dialog, type Fact, Facts, StatusBadge, toast } from '../../ui/index.ts';
import { heldPixActions } from './held-pix-queries.ts';
import { canBeGivenBack, deadlineText, heldBadges, reasonTexts } from './held-pix-words.ts';

type HeldPixDialogProps = { pix: HeldPix; onClose: () => void };

/** One held Pix, and what the merchant may do with it. */
export function HeldPixDialog({ pix, onClose }: HeldPixDialogProps) {
  const [question, setQuestion] = useState<'accept' | 'give-back'>();
  const mayAccept = useMay('manage-charges');
  const mayGiveBack = useMay('refund') && canBeGivenBack(pix, new Date());
  const isOpen = pix.state === 'held';
  const amount = formatMoney(centsOf(pix.amount));
  const payer = pix.payer?.name ?? 'quem pagou';
  if (isOpen && question === 'accept')
    return (
      <FormDialog
        title={`Aceitar ${amount}?`}
        submit="Aceitar"
        failure="Erro ao aceitar o Pix. Tente novamente."
        onClose={() => setQuestion(undefined)}
        onSubmit={async () => {
          await heldPixActions.accept(pix);
          toast('Pix aceito');
          onClose();
          return false;
        }}
      >
        <p className="text-muted">
          O valor entra como recebido, com a tarifa da cobrança. Se a cobrança ainda pode ser paga com ele,
          fica paga; se não, ele vira um pagamento à parte.
        </p>
      </FormDialog>
    );
  if (isOpen && question === 'give-back')
    return (
      <ConfirmDialog
        open
        onClose={() => setQuestion(undefined)}
        title={`Devolver ${amount}?`}
        confirm="Devolver"
        failure="Erro ao devolver o Pix. Tente novamente."
        onConfirm={async () => {
          await heldPixActions.giveBack(pix);
          toast('Devolução pedida ao banco');
          onClose();
        }}
      >
        Volta inteiro para <bdi>{payer}</bdi>, sem tarifa. Uma devolução não pode ser desfeita.
      </ConfirmDialog>
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title="Pix retido"
      footerStart={
        isOpen && mayGiveBack ? (
          <Button variant="danger" onClick={() => setQuestion('give-back')}>
            Devolver
          </Button>
        ) : undefined
      }
      footer={
        isOpen && mayAccept ? (
          <Button variant="primary" onClick={() => setQuestion('accept')}>
            Aceitar
          </Button>
        ) : (
          <Button onClick={onClose}>Fechar</Button>
        )
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-lg font-strong whitespace-nowrap tabular-nums">{amount}</p>
        <StatusBadge status={heldBadges[pix.state].glyph}>{heldBadges[pix.state].label}</StatusBadge>
      </div>
      <p className="mt-3">{reasonTexts[pix.why].long}</p>
      {isOpen && <p className="mt-1 text-muted">{deadlineSentence(pix)}</p>}
      <Facts className="mt-4" facts={factsOf(pix)} />
    </Dialog>
  );
}

function deadlineSentence(pix: HeldPix): string {
  const text = deadlineText(pix, new Date());
  return canBeGivenBack(pix, new Date())
    ? `${text}: depois, os bancos não devolvem mais, e só resta aceitar.`
    : `${text}: passou o prazo dos bancos. Você ainda pode aceitar.`;
}

function factsOf(pix: HeldPix): Fact[] {
  return [
    { label: 'Quem pagou', value: <bdi>{pix.payer?.name ?? 'O banco não informou'}</bdi> },
    ...(pix.payer?.document == null ? [] : [{ label: 'Documento', value: pix.payer.document }]),
    { label: 'Cobrança', value: <ChargeLink id={pix.payment_id} label={pix.external_id} /> },
    { label: 'Pago em', value: formatDateTime(pix.paid_at) },
    { label: 'Onde está', value: pix.connection_id === null ? 'Com o operador' : 'Na sua conta do banco' },
    ...(pix.decided_at === null ? [] : [{ label: 'Decidido em', value: formatDateTime(pix.decided_at) }]),
    ...(pix.state === 'accepted' && pix.credited_payment_id !== null
      ? [{ label: 'Virou o pagamento', value: <ChargeLink id={pix.credited_payment_id} label={null} /> }]
      : []),
    {
      label: 'Id do Pix',
      value: (
        <>
          <Code className="break-all">{pix.end_to_end_id}</Code>
          <CopyButton iconOnly className="-mr-1.5" text={pix.end_to_end_id} label="Copiar id do Pix" />
        </>
      ),
    },
  ];
}

function ChargeLink({ id, label }: { id: string; label: string | null }) {
  return (
    <Link to={paths.transactions} search={{ id }} className="link">
      <bdi>{label ?? shortId(id)}</bdi>
    </Link>
  );
}
