import { KeyRound } from 'lucide-react';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { isCancelled } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import {
  passkeyProblem,
  signWithPasskey,
  stripTotpSpaces,
  supportsPasskeys,
  totpProblem,
} from './given-factor.ts';

export type FactorMethodName = 'totp' | 'passkey' | 'recovery-code';
/** The proof that the user gave: a typed code, or the signature of a passkey. */
export type FactorInput = { code: string } | { credential: Record<string, unknown> };

type FactorFormProps = {
  methods: readonly FactorMethodName[];
  /** The request that the browser signs with a passkey; null when no passkey can be used. */
  passkey: Record<string, unknown> | null;
  /** Submits the factor. If that fails, the form stays and shows the error. */
  onFactor: (factor: FactorInput) => Promise<unknown>;
  /** True to ask for a passkey first, where one can be used, because it proves more than a code. */
  isPasskeyFirst?: boolean;
  /** The label of the submit button. */
  confirm?: string;
  /** Content at the bottom of the form, e.g. a link back. */
  children?: ReactNode;
};

const CODE_FAILED = 'Não foi possível confirmar o código. Tente novamente.';
const PASSKEY_FAILED = 'A chave de acesso não foi confirmada. Tente de novo.';

/** The two kinds of code that can be typed. `normalize` removes what users type around a code. */
const codeKinds = {
  totp: {
    label: 'Código do aplicativo autenticador',
    hint: 'São 6 dígitos, e mudam a cada 30 segundos.',
    problem: totpProblem,
    normalize: stripTotpSpaces,
  },
  'recovery-code': {
    label: 'Código de recuperação',
    hint: 'Um dos que você guardou. Cada um vale uma vez.',
    problem: (typed: string) => (typed.trim() === '' ? 'Informe o código.' : undefined),
    normalize: (typed: string) => typed.trim(),
  },
} as const;

type CodeKind = keyof typeof codeKinds;

/**
 * Asks for the second factor: a code from the authenticator app (TOTP), a passkey or a recovery code, depending on what
 * the account has set up.
 */
export function FactorForm({
  methods,
  passkey,
  onFactor,
  isPasskeyFirst = false,
  confirm = 'Confirmar',
  children,
}: FactorFormProps) {
  const hasTotp = methods.includes('totp');
  const canUsePasskey = passkey !== null && methods.includes('passkey') && supportsPasskeys();
  // A recovery code is asked for first only if there is no other way.
  const kindWithoutTotp = canUsePasskey ? null : 'recovery-code';
  const firstKind = hasTotp && !(canUsePasskey && isPasskeyFirst) ? 'totp' : kindWithoutTotp;
  const form = useFactorForm({ firstKind, onFactor, passkey });

  return (
    <form method="post" onSubmit={form.submit} noValidate className="grid grid-cols-1 gap-4">
      {form.failure !== undefined && (
        <Notice tone="error">
          <span className="font-medium">{form.failure}</span>
        </Notice>
      )}
      {form.codeKind !== null && (
        <>
          <CodeField
            codeKind={form.codeKind}
            field={form.field}
            code={form.code}
            onCode={form.setCode}
            problem={form.problem}
          />
          <Button
            type="submit"
            variant="primary"
            block
            isSending={form.sending === 'code'}
            disabled={form.sending !== null}
          >
            {confirm}
          </Button>
        </>
      )}
      {canUsePasskey && (
        <PasskeyButton codeKind={form.codeKind} sending={form.sending} onPasskey={form.submitPasskey} />
      )}
      {hasTotp && form.codeKind === null && (
        <Button
          variant="quiet"
          block
          disabled={form.sending !== null}
          onClick={() => form.changeCodeKind('totp')}
        >
          Usar o aplicativo autenticador
        </Button>
      )}
      <RecoveryCodeSwitch
        methods={methods}
        codeKind={form.codeKind}
        sending={form.sending}
        onChange={form.changeCodeKind}
        firstKind={firstKind}
        hasTotp={hasTotp}
      />
      {children}
    </form>
  );
}

type UseFactorFormOptions = {
  /** The kind of code that the form asks for at first; null to offer only the passkey. */
  firstKind: CodeKind | null;
  onFactor: FactorFormProps['onFactor'];
  passkey: FactorFormProps['passkey'];
};

/** The state of the form, and the submission of a code or a passkey's signature. */
function useFactorForm({ firstKind, onFactor, passkey }: UseFactorFormOptions) {
  /** The kind of code that the form asks for; null while it offers only the passkey. */
  const [codeKind, setCodeKind] = useState<CodeKind | null>(firstKind);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<string>();
  /** What is being submitted. */
  const [sending, setSending] = useState<'code' | 'passkey' | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (codeKind !== null) field.current?.focus();
  }, [codeKind]);

  const changeCodeKind = (kind: CodeKind | null) => {
    setCodeKind(kind);
    setCode('');
    setProblem(undefined);
    setFailure(undefined);
  };
  const send = async (method: 'code' | 'passkey', submitFactor: () => Promise<unknown>) => {
    setFailure(undefined);
    setSending(method);
    try {
      await submitFactor();
    } catch (error) {
      setSending(null);
      if (isCancelled(error)) return;
      setFailure(method === 'code' ? errorText(error, CODE_FAILED) : passkeyProblem(error, PASSKEY_FAILED));
      setCode('');
      field.current?.focus();
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (codeKind === null) return;
    const newProblem = codeKinds[codeKind].problem(code);
    setProblem(newProblem);
    if (newProblem !== undefined) return field.current?.focus();
    await send('code', () => onFactor({ code: codeKinds[codeKind].normalize(code) }));
  };
  const submitPasskey = () =>
    send('passkey', async () => onFactor({ credential: await signWithPasskey(passkey ?? {}) }));

  return {
    codeKind,
    changeCodeKind,
    code,
    setCode,
    field,
    problem,
    failure,
    sending,
    submit,
    submitPasskey,
  };
}

type CodeFieldProps = {
  codeKind: CodeKind;
  field: RefObject<HTMLInputElement | null>;
  code: string;
  onCode: (code: string) => void;
  problem: string | undefined;
};

function CodeField({ codeKind, field, code, onCode, problem }: CodeFieldProps) {
  return (
    <TextField
      key={codeKind}
      ref={field}
      data-autofocus
      label={codeKinds[codeKind].label}
      hint={codeKinds[codeKind].hint}
      name="code"
      inputMode={codeKind === 'totp' ? 'numeric' : 'text'}
      autoComplete="one-time-code"
      autoCapitalize={codeKind === 'totp' ? 'none' : 'characters'}
      spellCheck={false}
      maxLength={32}
      value={code}
      onChange={(event) => onCode(event.currentTarget.value)}
      error={problem}
    />
  );
}

type RecoveryCodeSwitchProps = {
  methods: readonly FactorMethodName[];
  codeKind: CodeKind | null;
  sending: 'code' | 'passkey' | null;
  onChange: (kind: CodeKind | null) => void;
  firstKind: CodeKind | null;
  hasTotp: boolean;
};

/** Buttons that switch to a recovery code and back. */
function RecoveryCodeSwitch({
  methods,
  codeKind,
  sending,
  onChange,
  firstKind,
  hasTotp,
}: RecoveryCodeSwitchProps) {
  return (
    <>
      {methods.includes('recovery-code') && codeKind !== 'recovery-code' && (
        <Button variant="quiet" block disabled={sending !== null} onClick={() => onChange('recovery-code')}>
          Usar um código de recuperação
        </Button>
      )}
      {codeKind === 'recovery-code' && firstKind !== 'recovery-code' && (
        <Button variant="quiet" block disabled={sending !== null} onClick={() => onChange(firstKind)}>
          {hasTotp ? 'Usar o aplicativo autenticador' : 'Usar chave de acesso'}
        </Button>
      )}
    </>
  );
}

type PasskeyButtonProps = {
  codeKind: CodeKind | null;
  sending: 'code' | 'passkey' | null;
  onPasskey: () => Promise<void>;
};

function PasskeyButton({ codeKind, sending, onPasskey }: PasskeyButtonProps) {
  return (
    <Button
      variant={codeKind === null ? 'primary' : 'line'}
      block
      data-autofocus={codeKind === null || undefined}
      isSending={sending === 'passkey'}
      sendingLabel="Aguardando"
      disabled={sending !== null}
      icon={<KeyRound className="size-4" strokeWidth={1.75} aria-hidden="true" />}
      onClick={onPasskey}
    >
      Usar chave de acesso
    </Button>
  );
}
