import { confirmPassword } from '@jangada/contract';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/client.ts';
import { PasswordDialog, wantsPassword } from './password-dialog.tsx';

type Waiting = { again: () => Promise<void>; giveUp: () => void };

/**
 * Runs an action for which the server may require the password: asks for it, confirms it and runs the action once more.
 * The promise rejects with an AbortError when the dialog is closed instead. The caller must render `dialog`.
 */
export function usePassword(reason: string): {
  withPassword: <Result>(action: () => Promise<Result>) => Promise<Result>;
  dialog: ReactNode;
} {
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const withPassword = <Result,>(action: () => Promise<Result>) =>
    action().catch((failure: unknown) => {
      if (!wantsPassword(failure)) throw failure;
      return new Promise<Result>((resolve, reject) => {
        setWaiting({
          again: () =>
            action().then(resolve, (again: unknown) => {
              // The password was right: any other failure is told where the action began.
              if (wantsPassword(again)) throw again;
              reject(again);
            }),
          giveUp: () => reject(new DOMException('The password was not given.', 'AbortError')),
        });
      });
    });
  const close = () => {
    // After a success this does nothing: the promise is already settled.
    waiting?.giveUp();
    setWaiting(null);
  };
  const confirmed = async (password: string) => {
    await call(confirmPassword, { body: { password } });
    await waiting?.again();
  };
  return {
    withPassword,
    dialog: <PasswordDialog open={waiting !== null} onClose={close} onPassword={confirmed} reason={reason} />,
  };
}
