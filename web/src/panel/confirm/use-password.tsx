import { confirmPassword } from '@jangada/contract';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/client.ts';
import { isPasswordRequired, PasswordDialog } from './password-dialog.tsx';

/** An action that waits for the password. `retry` runs it once more; `giveUp` rejects its promise. */
type WaitingAction = { retry: () => Promise<void>; giveUp: () => void };

/**
 * `withPassword` runs an action for which the server may require the password. If the server does, `dialog` asks for
 * the password, the gateway confirms it, and the action runs once more. If the user closes the dialog instead, the
 * promise rejects with an AbortError. The caller must render `dialog`.
 */
export function usePassword(reason: string): {
  withPassword: <Result>(action: () => Promise<Result>) => Promise<Result>;
  dialog: ReactNode;
} {
  const [waiting, setWaiting] = useState<WaitingAction | null>(null);
  const withPassword = <Result,>(action: () => Promise<Result>) =>
    action().catch((failure: unknown) => {
      if (!isPasswordRequired(failure)) throw failure;
      return new Promise<Result>((resolve, reject) => {
        setWaiting({
          retry: () =>
            action().then(resolve, (retryFailure: unknown) => {
              // If the server asks for the password again, the dialog shows that as its error. After any other failure
              // the password was right, and the failure goes to the caller of the action.
              if (isPasswordRequired(retryFailure)) throw retryFailure;
              reject(retryFailure);
            }),
          giveUp: () => reject(new DOMException('The password was not given.', 'AbortError')),
        });
      });
    });
  const close = () => {
    // After a success `giveUp` does nothing: the promise is already settled.
    waiting?.giveUp();
    setWaiting(null);
  };
  const confirmAndRetry = async (password: string) => {
    await call(confirmPassword, { body: { password } });
    await waiting?.retry();
  };
  return {
    withPassword,
    dialog: (
      <PasswordDialog open={waiting !== null} onClose={close} onPassword={confirmAndRetry} reason={reason} />
    ),
  };
}
