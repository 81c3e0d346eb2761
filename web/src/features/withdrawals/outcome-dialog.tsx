import { Link } from '@tanstack/react-router';
import { useOffersMore } from '../../api/provider.ts';
import { paths } from '../../app/paths.ts';
import { formatMoney } from '../../format/money.ts';
import { keyTypeInSentence, shownKey } from '../../panel/pix-key/pix-key.ts';
import { Button, buttonClass, Dialog, Notice } from '../../ui/index.ts';
import type { Confirmed } from './pin-dialog.tsx';

/** The outcome of a request, as far as it is known. */
export type WithdrawalOutcome =
  | { kind: 'taken'; message: string | null }
  /** `wrongPin`: the next thing to do is to type it again. */
  | { kind: 'refused'; message: string; wrongPin: boolean; pending: boolean }
  /** An answer came, and does not say for certain that no withdrawal was made. */
  | { kind: 'failed'; message: string }
  /** No answer came. */
  | { kind: 'unknown' };

type OutcomeDialogProps = {
  outcome: WithdrawalOutcome;
  asked: Confirmed;
  /** The amount that the key receives. */
  netCents: number;
  onClose: () => void;
};

export function OutcomeDialog({ outcome, asked, netCents, onClose }: OutcomeDialogProps) {
  // Only a provider that takes our Idempotency-Key knows a request that it has seen before.
  const repeats = useOffersMore();
  if (outcome.kind === 'taken')
    return (
      <Dialog
        open
        onClose={onClose}
        title="Sucesso!"
        size="small"
        footer={
          <>
            <HistoryLink />
            <Button variant="primary" data-autofocus onClick={onClose}>
              OK
            </Button>
          </>
        }
      >
        <p>{outcome.message ?? 'Saque solicitado com sucesso.'}</p>
        <p className="mt-2 text-muted">
          {formatMoney(netCents)} chegam à chave {keyTypeInSentence(asked.keyType)}
        </p>
        <p className="font-medium break-all">{shownKey(asked.keyType, asked.pixKey)}</p>
      </Dialog>
    );
  const unknown = outcome.kind === 'unknown';
  return (
    <Dialog
      open
      onClose={onClose}
      title={unknown ? 'Saque sem resposta' : 'Erro'}
      size="small"
      role="alertdialog"
      footer={
        <>
          {(outcome.kind !== 'refused' || outcome.pending) && <HistoryLink />}
          <Button data-autofocus onClick={onClose}>
            Fechar
          </Button>
        </>
      }
    >
      {unknown ? (
        <div role="alert">
          <Notice tone="warning" title="A resposta não chegou: não sabemos se o saque foi registrado.">
            {repeats
              ? `Confira no Histórico de Saques. ${SAME_REQUEST}`
              : 'Confira no Histórico de Saques antes de pedir de novo: outro pedido pode ser outro saque.'}
          </Notice>
        </div>
      ) : (
        <Notice tone="error">{outcome.message}</Notice>
      )}
      {outcome.kind === 'failed' && (
        <p className="mt-4 text-muted">
          {repeats ? SAME_REQUEST : 'Antes de pedir de novo, confira no Histórico de Saques.'}
        </p>
      )}
    </Dialog>
  );
}

// What a request is known by stands in this page alone: to keep it over a reload, its PIN would have to be kept too.
const SAME_REQUEST =
  'Se você confirmar de novo aqui, com os mesmos dados e sem recarregar a página, é o mesmo pedido: o dinheiro não sai duas vezes. Depois de recarregar, outro pedido pode ser outro saque.';

function HistoryLink() {
  return (
    <Link to={paths.withdrawalHistory} className={buttonClass()}>
      Histórico de Saques
    </Link>
  );
}
