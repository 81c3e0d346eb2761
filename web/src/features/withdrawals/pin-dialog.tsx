import { type FormEvent, useId, useRef, useState } from 'react';
import { useSupports } from '../../api/provider.ts';
import { formatMoney } from '../../format/money.ts';
import { isPin } from '../../panel/pin/pin-rules.ts';
import { displayPixKey, keyTypeInSentence } from '../../panel/pix-key/pix-key.ts';
import { useHasTimePassed } from '../../panel/use-now.ts';
import { Button, Dialog, PinField } from '../../ui/index.ts';
import type { WithdrawalRequest } from './use-withdraw.ts';

/** The withdrawal to confirm with the PIN. */
export type WithdrawalToConfirm = Omit<WithdrawalRequest, 'pin'>;

type PinDialogProps = {
  request: WithdrawalToConfirm;
  /** The amount that the key receives. */
  netCents: number;
  feeCents: number;
  /** Why the previous PIN was refused; undefined the first time. */
  previousError: string | undefined;
  isSending: boolean;
  onClose: () => void;
  onPin: (pin: string) => void;
};

/** How long the answer may take before the dialog says that it is slow. */
const SLOW_MS = 4000;
const SLOW = 'Ainda sem resposta. Espere mais um pouco.';
const SLOW_WITHOUT_REPEAT =
  'Ainda sem resposta. O pedido já saiu daqui e não será feito duas vezes; espere mais um pouco.';
const INVALID_PIN = 'PIN inválido. Deve ter 4 dígitos.';

/** Shows the amount and the whole key for a last check, and asks for the PIN. */
export function PinDialog({
  request,
  netCents,
  feeCents,
  previousError,
  isSending,
  onClose,
  onPin,
}: PinDialogProps) {
  const { source } = request;
  const [pin, setPin] = useState('');
  const [error, setError] = useState(previousError);
  const form = useId();
  const cannotRepeat = useSupports('idempotencyKeys');
  const isSlow = useHasTimePassed(SLOW_MS, isSending);
  // Each dialog submits only once: a second press may arrive before `isSending` is set, and would request a second
  // withdrawal.
  const wasSubmitted = useRef(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wasSubmitted.current) return;
    if (!isPin(pin)) return setError(INVALID_PIN);
    setError(undefined);
    wasSubmitted.current = true;
    onPin(pin);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Confirmar saque"
      size="small"
      locked={isSending}
      footer={
        <>
          <Button className="grow basis-0" onClick={onClose} disabled={isSending}>
            Cancelar
          </Button>
          <Button className="grow basis-0" type="submit" form={form} variant="primary" isSending={isSending}>
            Confirmar
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate>
        <div className="mt-2 mb-6 text-center">
          <p className="text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
            {formatMoney(request.amountCents)}
          </p>
          <p className="mt-1 text-muted">para a chave {keyTypeInSentence(request.keyType)}</p>
          <p className="font-medium break-all">{displayPixKey(request.keyType, request.pixKey)}</p>
          <p className="mt-1 text-xs text-muted tabular-nums">
            {source?.isOwn
              ? `Chegam inteiros à chave; a tarifa de ${formatMoney(feeCents)} vai na fatura do mês.`
              : `${formatMoney(netCents)} chegam à chave, depois da tarifa.`}
          </p>
          {source && <p className="mt-1 text-xs text-muted">Sai de: {source.name}</p>}
        </div>
        <PinField
          data-autofocus
          label="PIN de saque"
          name="withdrawal_pin"
          centred
          hint="Depois de cinco erros o saque fica bloqueado por 15 minutos."
          value={pin}
          onValue={(digits) => {
            setPin(digits);
            setError(undefined);
          }}
          error={error}
        />
        <p role="status" className="text-center text-sm text-muted not-empty:mt-4">
          {isSlow && (cannotRepeat ? SLOW_WITHOUT_REPEAT : SLOW)}
        </p>
      </form>
    </Dialog>
  );
}
