import { KeyRound } from 'lucide-react';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { isCancelled } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { bareTotp, passkeyProblem, passkeysWork, signWithPasskey, totpProblem } from './given-factor.ts';

export type FactorMethodName = 'totp' | 'passkey' | 'recovery-code';
export type FactorInput = { code: string } | { credential: Record<string, unknown> };

type FactorFormProps = {
  methods: readonly FactorMethodName[];
  /** The request that the browser signs with a passkey; null when no passkey can be used. */
  passkey: Record<string, unknown> | null;
  /** Submits the factor; anything it throws is shown, and the form stays. */
  onFactor: (factor: FactorInput) => Promise<unknown>;
  /** The label of the submit button. */
  confirm?: string;
  /** Content below the confirmation methods, e.g. a link back. */
  children?: ReactNode;
};

const CODE_FAILED = 'Não foi possível confirmar o código. Tente novamente.';
const PASSKEY_FAILED = 'A chave de acesso não foi confirmada. Tente de novo.';

const codes = {
  totp: {
    label: 'Código do aplicativo autenticador',
    hint: 'São 6 dígitos, e mudam a cada 30 segundos.',
    problem: totpProblem,
    bare: bareTotp,
  },
  'recovery-code': {
    label: 'Código de recuperação',
    hint: 'Um dos que você guardou. Cada um vale uma vez.',
    problem: (typed: string) => (typed.trim() === '' ? 'Informe o código.' : undefined),
    bare: (typed: string) => typed.trim(),
  },
} as const;

type CodeKind = keyof typeof codes;

/**
 * The second factor: an authenticator code, a passkey or a recovery code, depending on what the account has set up.
 */
export function FactorForm({ methods, passkey, onFactor, confirm = 'Confirmar', children }: FactorFormProps) {
  const withApp = methods.includes('totp');
  const withPasskey = passkey !== null && methods.includes('passkey') && passkeysWork();
  const first = withApp ? 'totp' : withPasskey ? null : 'recovery-code';
  const form = useFactorForm({ first, onFactor, passkey });

  return (
    <form method="post" onSubmit={form.submit} noValidate className="grid grid-cols-1 gap-4">
      {form.failure !== undefined && (
        <Notice tone="error">
          <span className="font-medium">{form.failure}</span>
        </Notice>
      )}
      {form.asked !== null && (
        <>
          <CodeField
            asked={form.asked}
            field={form.field}
            code={form.code}
            onCode={form.setCode}
            problem={form.problem}
          />
          <Button
            type="submit"
            variant="primary"
            block
            sending={form.sending === 'code'}
            disabled={form.sending !== null}
          >
            {confirm}
          </Button>
        </>
      )}
      {withPasskey && <PasskeyButton asked={form.asked} sending={form.sending} onPasskey={form.byPasskey} />}
      <OtherFactor
        methods={methods}
        asked={form.asked}
        sending={form.sending}
        onAsk={form.ask}
        first={first}
        withApp={withApp}
      />
      {children}
    </form>
  );
}

type UseFactorFormOptions = {
  first: CodeKind | null;
  onFactor: FactorFormProps['onFactor'];
  passkey: FactorFormProps['passkey'];
};

/** The state of the form, and the submission of a code or a passkey's signature. */
function useFactorForm({ first, onFactor, passkey }: UseFactorFormOptions) {
  // The kind of code being typed; null when the passkey is used.
  const [asked, setAsked] = useState<CodeKind | null>(first);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [sending, setSending] = useState<'code' | 'passkey' | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (asked !== null) field.current?.focus();
  }, [asked]);

  const ask = (kind: typeof asked) => {
    setAsked(kind);
    setCode('');
    setProblem(undefined);
    setFailure(undefined);
  };
  const send = async (way: 'code' | 'passkey', factor: () => Promise<unknown>) => {
    setFailure(undefined);
    setSending(way);
    try {
      await factor();
    } catch (error) {
      setSending(null);
      if (isCancelled(error)) return;
      setFailure(way === 'code' ? errorText(error, CODE_FAILED) : passkeyProblem(error, PASSKEY_FAILED));
      setCode('');
      field.current?.focus();
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (asked === null) return;
    const found = codes[asked].problem(code);
    setProblem(found);
    if (found !== undefined) return field.current?.focus();
    await send('code', () => onFactor({ code: codes[asked].bare(code) }));
  };
  const byPasskey = () =>
    send('passkey', async () => onFactor({ credential: await signWithPasskey(passkey ?? {}) }));

  return { asked, code, setCode, problem, failure, sending, field, ask, submit, byPasskey };
}

type CodeFieldProps = {
  asked: CodeKind;
  field: RefObject<HTMLInputElement | null>;
  code: string;
  onCode: (code: string) => void;
  problem: string | undefined;
};

function CodeField({ asked, field, code, onCode, problem }: CodeFieldProps) {
  return (
    <TextField
      key={asked}
      ref={field}
      data-autofocus
      label={codes[asked].label}
      hint={codes[asked].hint}
      name="code"
      inputMode={asked === 'totp' ? 'numeric' : 'text'}
      autoComplete="one-time-code"
      autoCapitalize={asked === 'totp' ? 'none' : 'characters'}
      spellCheck={false}
      maxLength={32}
      value={code}
      onChange={(event) => onCode(event.currentTarget.value)}
      error={problem}
    />
  );
}

type OtherFactorProps = {
  methods: readonly FactorMethodName[];
  asked: CodeKind | null;
  sending: 'code' | 'passkey' | null;
  onAsk: (kind: CodeKind | null) => void;
  first: CodeKind | null;
  withApp: boolean;
};

function OtherFactor({ methods, asked, sending, onAsk, first, withApp }: OtherFactorProps) {
  return (
    <>
      {methods.includes('recovery-code') && asked !== 'recovery-code' && (
        <Button variant="quiet" block disabled={sending !== null} onClick={() => onAsk('recovery-code')}>
          Usar um código de recuperação
        </Button>
      )}
      {asked === 'recovery-code' && first !== 'recovery-code' && (
        <Button variant="quiet" block disabled={sending !== null} onClick={() => onAsk(first)}>
          {withApp ? 'Usar o aplicativo autenticador' : 'Usar chave de acesso'}
        </Button>
      )}
    </>
  );
}

type PasskeyButtonProps = {
  asked: CodeKind | null;
  sending: 'code' | 'passkey' | null;
  onPasskey: () => Promise<void>;
};

function PasskeyButton({ asked, sending, onPasskey }: PasskeyButtonProps) {
  return (
    <Button
      variant={asked === null ? 'primary' : 'line'}
      block
      data-autofocus={asked === null || undefined}
      sending={sending === 'passkey'}
      sendingWord="Aguardando"
      disabled={sending !== null}
      icon={<KeyRound className="size-4" strokeWidth={1.75} aria-hidden="true" />}
      onClick={onPasskey}
    >
      Usar chave de acesso
    </Button>
  );
}
