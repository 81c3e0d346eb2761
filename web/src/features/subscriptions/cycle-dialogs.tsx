import { brlFromCents, type Cycle, centsFromText, type Subscription } from '@jangada/contract';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { isInDoubt } from '../../api/intents.ts';
import { centsOf } from '../../format/cents-of.ts';
import { dayOf, formatCalendarDay } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { asTitle, cycleName } from '../../format/subscription-words.ts';
import { CopyLink, ShareLink } from '../../panel/charge/link-buttons.tsx';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { Button, Dialog, MoneyField, Notice, toast } from '../../ui/index.ts';
import { subscriptionActions } from './subscriptions-queries.ts';

type CycleDialogProps = { subscription: Subscription; cycle: Cycle; onClose: () => void };

const nameOf = ({ subscription, cycle }: Pick<CycleDialogProps, 'subscription' | 'cycle'>) =>
  cycleName(subscription.period, cycle.due_day, dayOf(new Date()));

/** Asks for the amount of a cycle whose amount varies. */
export function AmountDialog({ subscription, cycle, onClose }: CycleDialogProps) {
  const [cents, setCents] = useState(cycle.amount === null ? null : centsOf(cycle.amount));
  const [problem, setProblem] = useState<string>();
  const submit = async () => {
    if (cents === null || cents <= 0) {
      setProblem('Informe o valor.');
      return false;
    }
    try {
      await subscriptionActions.setAmount(subscription.id, cycle.number, brlFromCents(cents));
    } catch (error) {
      const isAboutAmount =
        error instanceof ApiError &&
        (error.code?.startsWith('AMOUNT_') === true || error.code === 'SUBSCRIPTION_INVALID');
      if (!isAboutAmount) throw error;
      setProblem(error.serverMessage ?? 'Confira o valor.');
      return false;
    }
    toast('Valor guardado');
    return true;
  };
  return (
    <FormDialog
      title={`Valor da ${nameOf({ subscription, cycle })}`}
      submit="Guardar valor"
      failure="Erro ao guardar o valor. Tente novamente."
      onClose={onClose}
      onSubmit={submit}
    >
      <MoneyField
        label="Valor"
        autoFocus
        hint={`Debitado em ${formatCalendarDay(cycle.debit_day)}. Dá para mudar até a cobrança ir para o banco.`}
        cents={cents}
        readAmount={centsFromText}
        error={problem}
        onCents={(newCents) => {
          setCents(newCents);
          setProblem(undefined);
        }}
      />
    </FormDialog>
  );
}

/** Asks before one cycle is taken back. */
export function CancelCycleDialog({ subscription, cycle, onClose }: CycleDialogProps) {
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Cancelar a ${nameOf({ subscription, cycle })}?`}
      confirm="Cancelar cobrança"
      failure="Erro ao cancelar a cobrança. Tente novamente."
      onConfirm={async () => {
        await subscriptionActions.cancelCycle(subscription.id, cycle.number);
        toast('Cobrança cancelada');
      }}
    >
      Só esta cobrança não será debitada; as outras seguem. Dá para cancelar até as 22 h da véspera do débito.
    </ConfirmDialog>
  );
}

/** Makes a charge with a code for one cycle, and shows its link. */
export function ChargeCycleDialog({ subscription, cycle, onClose }: CycleDialogProps) {
  const [url, setUrl] = useState<string>();
  const [error, setError] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const name = nameOf({ subscription, cycle });
  const amount = formatMoney(cycle.amount === null ? null : centsOf(cycle.amount));
  const create = async () => {
    setError(undefined);
    setIsSending(true);
    try {
      const charged = await subscriptionActions.chargeCycle(subscription.id, cycle.number);
      setUrl(charged.other_checkout_url ?? undefined);
    } catch (reason) {
      setError(
        isInDoubt(reason)
          ? 'Não sabemos se a cobrança foi criada. Feche e veja se ela aparece antes de tentar de novo.'
          : errorText(reason, 'Erro ao criar a cobrança. Tente novamente.'),
      );
    } finally {
      setIsSending(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={url === undefined ? `Cobrar de outro modo a ${name}` : 'Cobrança criada'}
      size="small"
      locked={isSending}
      footer={
        url === undefined ? (
          <>
            <Button onClick={onClose} disabled={isSending}>
              Voltar
            </Button>
            <Button data-autofocus variant="primary" isSending={isSending} onClick={create}>
              Criar cobrança
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>Fechar</Button>
        )
      }
    >
      {error !== undefined && (
        <Notice tone="error" className="mb-4">
          {error}
        </Notice>
      )}
      {url === undefined ? (
        <p className="text-muted">
          Cria uma cobrança de {amount} com código.{' '}
          {cycle.status === 'given_up'
            ? 'Ela vale por 30 dias.'
            : 'A pessoa paga antes do débito, e o banco então não debita desta vez. O código vale até a véspera.'}
          {cycle.other_payment_id !== null && ' Se o código anterior ainda vale, o link é o mesmo.'}
        </p>
      ) : (
        <div>
          <p>
            {asTitle(name)}, {amount}. Envie o link ao pagador.
          </p>
          <p className="mt-3 text-xs break-all text-muted select-all">{url.replace(/^https?:\/\//, '')}</p>
          <div className="mt-2 flex flex-wrap gap-2">
            <CopyLink variant="primary" url={url} />
            <ShareLink url={url} text={`${subscription.description}, ${name}:`} />
          </div>
        </div>
      )}
    </Dialog>
  );
}
