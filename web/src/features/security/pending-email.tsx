import { cancelEmailChange, resendEmailLink } from '@jangada/contract';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { toast, toastError } from '../../ui/index.ts';
import { securityChanged } from './use-security.ts';

const acts = {
  resend: {
    word: 'Enviar outro link',
    done: 'Outro link enviado ao novo e-mail',
    failure: 'Não foi possível enviar outro link. Tente novamente.',
    send: () => call(resendEmailLink, {}),
  },
  cancel: {
    word: 'Desistir da troca',
    done: 'Troca de e-mail cancelada',
    failure: 'Não foi possível desistir da troca. Tente novamente.',
    send: () => call(cancelEmailChange, {}),
  },
} as const;

/** An address that waits for its link to be opened: the link can be sent again, the wish given up. */
export function PendingEmail({ email }: { email: string }) {
  const [sending, setSending] = useState(false);
  const run = async ({ send, done, failure }: (typeof acts)[keyof typeof acts]) => {
    setSending(true);
    try {
      await send();
      toast(done);
    } catch (error) {
      toastError(errorText(error, failure));
    } finally {
      // Confirmed or given up elsewhere meanwhile: then it is shown no more.
      await securityChanged();
      setSending(false);
    }
  };
  return (
    <span className="mt-0.5 block">
      Falta confirmar {email}: abra o link que enviamos para lá.
      <span className="mt-1 flex flex-wrap gap-x-4">
        {[acts.resend, acts.cancel].map((act) => (
          <button
            key={act.word}
            type="button"
            className="link min-h-6 disabled:text-muted"
            disabled={sending}
            onClick={() => void run(act)}
          >
            {act.word}
          </button>
        ))}
      </span>
    </span>
  );
}
