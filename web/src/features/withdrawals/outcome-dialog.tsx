import type { WithdrawalModel } from '@jangada/contract';
import { useSupports } from '../../api/provider.ts';
import { paths } from '../../app/paths.ts';
import { formatMoney } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { AwaitsApproval } from '../../panel/approvals/awaits-approval.tsx';
import { displayPixKey, keyTypeInSentence } from '../../panel/pix-key/pix-key.ts';
import { Button, buttonClass, Dialog, Notice } from '../../ui/index.ts';
import type { WithdrawalToConfirm } from './pin-dialog.tsx';

/** The outcome of a withdrawal request, as far as this page knows it. */
export type WithdrawalOutcome =
  /** `waiting` is the withdrawal if it waits for the approval of others. */
  | { kind: 'accepted'; message: string | null; waiting: WithdrawalModel | null }
  /**
   * No withdrawal was made. `isPinWrong`: the PIN is asked for again when the dialog closes. `isOtherPending`: an
   * earlier withdrawal must end first. `isAtOwnBank`: the money is in an account of the merchant's own already.
   */
  | {
      kind: 'refused';
      message: string;
      isPinWrong: boolean;
      isOtherPending: boolean;
      /** The earlier withdrawal, if it waits for the approval of others. */
      waitingId: string | null;
      isAtOwnBank: boolean;
    }
  /** The server responded with an error that does not show whether this attempt or an earlier one made a withdrawal. */
  | { kind: 'failed'; message: string }
  /** No response arrived, so a withdrawal may have been made. */
  | { kind: 'unknown' };

type OutcomeDialogProps = {
  outcome: WithdrawalOutcome;
  request: WithdrawalToConfirm;
  /** The amount that arrives at the Pix key. */
  netCents: number;
  onClose: () => void;
};

/** Shows the merchant how a withdrawal request ended, and what to do if its outcome is not known. */
export function OutcomeDialog({ outcome, request, netCents, onClose }: OutcomeDialogProps) {
  // If the provider (the gateway behind the dashboard) knows idempotency keys, it recognises a repeated request and
  // makes no second withdrawal.
  const isSafeToRepeat = useSupports('idempotencyKeys');
  if (outcome.kind === 'accepted')
    return (
      <Dialog
        open
        onClose={onClose}
        title={outcome.waiting === null ? 'Sucesso!' : 'Saque enviado a quem aprova'}
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
        {outcome.waiting === null ? (
          <p>{outcome.message ?? 'Saque solicitado com sucesso.'}</p>
        ) : (
          <>
            <AwaitsApproval orderId={outcome.waiting.id} text={outcome.waiting.error} />
            <p className="mt-4">O valor fica reservado até lá. Depois de aprovado, o saque sai sozinho.</p>
          </>
        )}
        <p className="mt-2 text-muted">
          {formatMoney(netCents)} chegam à chave {keyTypeInSentence(request.keyType)}
        </p>
        <p className="font-medium break-all">{displayPixKey(request.keyType, request.pixKey)}</p>
      </Dialog>
    );
  const isUnknown = outcome.kind === 'unknown';
  const isAtOwnBank = outcome.kind === 'refused' && outcome.isAtOwnBank;
  return (
    <Dialog
      open
      onClose={onClose}
      title={isAtOwnBank ? 'Não há o que sacar' : isUnknown ? 'Saque sem resposta' : 'Erro'}
      size="small"
      role="alertdialog"
      footer={
        <>
          {outcome.kind === 'refused' && outcome.waitingId !== null ? (
            <Link to={paths.approvals} search={{ order: outcome.waitingId }} className={buttonClass()}>
              Ver o pedido
            </Link>
          ) : (
            (outcome.kind !== 'refused' || outcome.isOtherPending) && <HistoryLink />
          )}
          <Button data-autofocus onClick={onClose}>
            Fechar
          </Button>
        </>
      }
    >
      {isUnknown ? (
        <div role="alert">
          <Notice tone="warning" title="A resposta não chegou: não sabemos se o saque foi registrado.">
            {isSafeToRepeat
              ? `Confira no Histórico de Saques. ${SAFE_REPEAT_TEXT}`
              : 'Confira no Histórico de Saques antes de pedir de novo: outro pedido pode ser outro saque.'}
          </Notice>
        </div>
      ) : (
        <Notice tone={isAtOwnBank ? 'info' : 'error'} announced>
          {outcome.message}
        </Notice>
      )}
      {outcome.kind === 'failed' && (
        <p className="mt-4 text-muted">
          {isSafeToRepeat ? SAFE_REPEAT_TEXT : 'Antes de pedir de novo, confira no Histórico de Saques.'}
        </p>
      )}
    </Dialog>
  );
}

// The text warns about reloading and signing out, because both make this page forget the idempotency key. The key is
// kept in memory only: it is looked up by the whole request, which contains the PIN and so must not be stored.
const SAFE_REPEAT_TEXT =
  'Se você confirmar de novo aqui, com os mesmos dados e sem recarregar a página, é o mesmo pedido: o dinheiro não sai duas vezes. Depois de recarregar ou de sair da conta, outro pedido pode ser outro saque.';

function HistoryLink() {
  return (
    <Link to={paths.withdrawalHistory} className={buttonClass()}>
      Histórico de Saques
    </Link>
  );
}
