import { cancelEmailChange, resendEmailLink } from '@jangada/contract';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { toast, toastError } from '../../ui/index.ts';
import { refetchSecurity } from './use-security.ts';

const actions = {
  resend: {
    label: 'Enviar outro link',
    successMessage: 'Outro link enviado ao novo e-mail',
    failure: 'Não foi possível enviar outro link. Tente novamente.',
    send: () => call(resendEmailLink, {}),
  },
  cancel: {
    label: 'Desistir da troca',
    successMessage: 'Troca de e-mail cancelada',
    failure: 'Não foi possível desistir da troca. Tente novamente.',
    send: () => call(cancelEmailChange, {}),
  },
} as const;

/** Shows a new e-mail address that is not confirmed yet, with buttons that send the link again or cancel the change. */
export function PendingEmail({ email }: { email: string }) {
  const [isSending, setIsSending] = useState(false);
  const run = async ({ send, successMessage, failure }: (typeof actions)[keyof typeof actions]) => {
    setIsSending(true);
    try {
      await send();
      toast(successMessage);
    } catch (error) {
      toastError(errorText(error, failure));
    } finally {
      // The change may have been confirmed or cancelled on another device; the refetch then removes this notice.
      await refetchSecurity();
      setIsSending(false);
    }
  };
  return (
    <span className="mt-0.5 block">
      Falta confirmar {email}: abra o link que enviamos para lá.
      <span className="mt-1 flex flex-wrap gap-x-4">
        {[actions.resend, actions.cancel].map((action) => (
          <button
            key={action.label}
            type="button"
            className="link min-h-6 disabled:text-muted"
            disabled={isSending}
            onClick={() => void run(action)}
          >
            {action.label}
          </button>
        ))}
      </span>
    </span>
  );
}
