import { type Ref, useEffect, useState } from 'react';
import { withdrawalLockout } from '../../panel/pin/pin-rules.ts';
import { checkPin, type PinState as Pin } from '../../session/pin-status.ts';
import { Button, Notice } from '../../ui/index.ts';
import { type WithdrawalBlocker, WithdrawalBlockerNotice } from './withdrawal-blocker.tsx';
import { pinProblem } from './withdrawal-problem.ts';

type PinStateProps = {
  pin: Pin;
  /** What blocks withdrawals regardless of the PIN; shown instead of the PIN's state. */
  halt: WithdrawalBlocker | undefined;
  onDefine: () => void;
  ref: Ref<HTMLDivElement>;
};

/** Below the button: what stops withdrawals, until when, and what the merchant can do. */
export function PinState({ pin, halt, onDefine, ref }: PinStateProps) {
  const [checking, setChecking] = useState(false);
  const stop = withdrawalLockout(pin);
  useCheckAt(pin.lockedUntil ?? pin.heldUntil);
  const check = async () => {
    setChecking(true);
    await checkPin();
    setChecking(false);
  };
  return (
    <div ref={ref} tabIndex={-1} className="outline-none">
      <div aria-live="polite">
        {halt !== undefined ? (
          <WithdrawalBlockerNotice halt={halt} />
        ) : stop !== undefined ? (
          <Notice
            tone="warning"
            title={stop.title}
            action={
              <Button size="small" sending={checking} sendingWord="Verificando" onClick={check}>
                Verificar
              </Button>
            }
          >
            {stop.why}
          </Notice>
        ) : pin.status === 'not_set' ? (
          <Notice
            tone="warning"
            title={pinProblem('not_set')}
            action={
              <Button size="small" onClick={onDefine}>
                Definir PIN
              </Button>
            }
          >
            <span>Você precisa definir um PIN de saque no Dashboard antes de poder sacar.</span>
          </Notice>
        ) : pin.status === 'error' ? (
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
        ) : pin.status === 'set' ? null : (
          <p className="text-center text-muted">{pinProblem(pin.status)}</p>
        )}
      </div>
      {pin.status === 'set' && (
        <p className="mt-3 text-center text-xs text-muted">
          O PIN é pedido a cada saque.{' '}
          <button type="button" className="link inline-flex min-h-8 items-center" onClick={onDefine}>
            Trocar PIN
          </button>
        </p>
      )}
    </div>
  );
}

/** The longest delay that a timer accepts. */
const LONGEST_MS = 2 ** 31 - 1;

/** Checks again when a stop ends by this browser's clock; the gateway decides. */
function useCheckAt(moment: string | null) {
  useEffect(() => {
    if (moment === null) return;
    const left = Date.parse(moment) - Date.now();
    if (Number.isNaN(left) || left <= 0 || left > LONGEST_MS) return;
    const timer = setTimeout(() => void checkPin(), left + 1000);
    return () => clearTimeout(timer);
  }, [moment]);
}
