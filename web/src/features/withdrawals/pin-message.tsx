import { type Ref, useEffect, useState } from 'react';
import { withdrawalLockout } from '../../panel/pin/pin-rules.ts';
import { useMay } from '../../session/account.ts';
import { checkPin, type PinState, type PinStatus } from '../../session/pin-status.ts';
import { Button, Notice } from '../../ui/index.ts';
import { type WithdrawalBlocker, WithdrawalBlockerNotice } from './withdrawal-blocker.tsx';
import { pinProblem } from './withdrawal-problem.ts';

type PinMessageProps = {
  pin: PinState;
  /**
   * The reason that blocks withdrawals regardless of the PIN, if there is one; shown instead of the PIN's
   * state.
   */
  blocker: WithdrawalBlocker | undefined;
  onSetPin: () => void;
  ref: Ref<HTMLDivElement>;
};

/**
 * The message below the button *Solicitar Saque*: what stops withdrawals now, until when, and what the merchant can
 * do.
 */
export function PinMessage({ pin, blocker, onSetPin, ref }: PinMessageProps) {
  const maySetPin = useMay('manage-account');
  const [isChecking, setIsChecking] = useState(false);
  // Withdrawals are locked after too many wrong PINs, and held for a day after a change of PIN, e-mail or password.
  const lockout = withdrawalLockout(pin);
  useCheckPinAt(pin.lockedUntil ?? pin.heldUntil);
  const check = async () => {
    setIsChecking(true);
    await checkPin();
    setIsChecking(false);
  };
  return (
    <div ref={ref} tabIndex={-1} className="outline-none">
      <div aria-live="polite">
        {blocker !== undefined ? (
          <WithdrawalBlockerNotice blocker={blocker} />
        ) : lockout !== undefined ? (
          <Notice
            tone="warning"
            title={lockout.title}
            action={
              <Button size="small" isSending={isChecking} sendingLabel="Verificando" onClick={check}>
                Verificar
              </Button>
            }
          >
            {lockout.why}
          </Notice>
        ) : (
          <PinStatusMessage status={pin.status} onSetPin={onSetPin} />
        )}
      </div>
      {pin.status === 'set' && maySetPin && (
        <p className="mt-3 text-center text-xs text-muted">
          O PIN é pedido a cada saque.{' '}
          <button type="button" className="link inline-flex min-h-8 items-center" onClick={onSetPin}>
            Trocar PIN
          </button>
        </p>
      )}
    </div>
  );
}

/** Says that the PIN is not set, or that its status is not known; nothing when the PIN is set. */
function PinStatusMessage({ status, onSetPin }: { status: PinStatus; onSetPin: () => void }) {
  const maySetPin = useMay('manage-account');
  if (status === 'set') return null;
  if (status === 'not_set')
    return (
      <Notice
        tone="warning"
        title={pinProblem('not_set')}
        action={
          maySetPin && (
            <Button size="small" onClick={onSetPin}>
              Definir PIN
            </Button>
          )
        }
      >
        <span>
          {maySetPin
            ? 'Você precisa definir um PIN de saque no Dashboard antes de poder sacar.'
            : 'Um dono da conta precisa definir o PIN de saque antes de alguém poder sacar.'}
        </span>
      </Notice>
    );
  if (status === 'error')
    return (
      <Notice
        tone="error"
        action={
          <Button size="small" onClick={() => void checkPin()}>
            Tentar Novamente
          </Button>
        }
      >
        {pinProblem('error')}
      </Notice>
    );
  return <p className="text-center text-muted">{pinProblem(status)}</p>;
}

/** The longest delay that a browser's timer accepts; a timer with a longer delay fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Asks the gateway for the PIN's state again one second after a lockout ends by this browser's clock, which may be
 * slightly ahead.
 */
function useCheckPinAt(timestamp: string | null) {
  useEffect(() => {
    if (timestamp === null) return;
    const leftMs = Date.parse(timestamp) - Date.now();
    if (Number.isNaN(leftMs) || leftMs <= 0 || leftMs > MAX_TIMER_MS) return;
    const timer = setTimeout(() => void checkPin(), leftMs + 1000);
    return () => clearTimeout(timer);
  }, [timestamp]);
}
