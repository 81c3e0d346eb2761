import type { DocType, RegistrationForm } from '@jangada/contract';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { ApiError, loadChunk } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { documentMasks } from '../../format/document-mask.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField, TextField } from '../../ui/field.tsx';
import { MaskedField } from '../../ui/masked-field.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { toast } from '../../ui/toast.tsx';
import type { RegistrationProblems } from './open-account.ts';
import { type RegistrationFailure, RegistrationFailureDialog } from './registration-failure-dialog.tsx';

const types = (['CPF', 'CNPJ'] satisfies DocType[]).map((value) => ({ value, label: value }));

const loadOpening = () => loadChunk(import('./open-account.ts'));

type RegisterFormProps = {
  loginPath: string;
  /**
   * The user has begun to fill in the form, so the next step can be prefetched. May be called more than once.
   */
  onBegun: () => void;
  /** Called once the account is open and signed in. */
  onSignedIn: () => void;
};

/** Opens an account. The text fields are uncontrolled, so that input typed before hydration is kept. */
export function RegisterForm({ loginPath, onBegun, onSignedIn }: RegisterFormProps) {
  const {
    docType,
    problems,
    failure,
    sending,
    form,
    documentField,
    closeFailure,
    chooseType,
    begin,
    submit,
  } = useRegistration(onBegun, onSignedIn);

  return (
    <>
      <h1 className="text-xl font-strong">Criar conta</h1>
      <p className="mt-1 text-base text-muted">Receba Pix na sua loja.</p>
      <form
        ref={form}
        className="mt-8 grid gap-x-4 gap-y-5 md:grid-cols-2"
        method="post"
        onFocus={begin}
        onInput={begin}
        onSubmit={submit}
        noValidate
      >
        <RegistrationFields
          problems={problems}
          docType={docType}
          onDocType={chooseType}
          documentField={documentField}
        />
        <Button type="submit" variant="primary" block className="mt-1 md:col-span-2" sending={sending}>
          Criar conta
        </Button>
      </form>
      <p className="mt-6 text-muted">
        Já tem conta?{' '}
        <a className="link" href={loginPath}>
          Entrar
        </a>
      </p>
      <RegistrationFailureDialog failure={failure} onClose={closeFailure} />
    </>
  );
}

/** The state of the form, and its submission. */
function useRegistration(onBegun: () => void, onSignedIn: () => void) {
  const [docType, setDocType] = useState<DocType>('CPF');
  const [problems, setProblems] = useState<RegistrationProblems>({});
  const [failure, setFailure] = useState<RegistrationFailure>();
  const [sending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const documentField = useRef<HTMLInputElement>(null);
  const taken = useRef<keyof RegistrationProblems>(undefined);
  const closeFailure = () => setFailure(undefined);
  const busy = useRef(false);
  // An attempt without an answer may have opened the account that a later one finds in its way.
  const perhapsOpened = useRef(false);
  // Closing the dialog restores focus to where it was; the refused field is a better place.
  useEffect(() => {
    if (failure === undefined && taken.current !== undefined) focusField(form.current, taken.current);
  }, [failure]);

  const chooseType = (type: DocType) => {
    setDocType(type);
    if (documentField.current !== null) documentField.current.value = '';
    setProblems(({ document: _, ...others }) => others);
  };
  const begin = () => {
    loadOpening().catch(() => {});
    onBegun();
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy.current) return;
    busy.current = true;
    begin();
    const sent = event.currentTarget;
    try {
      await open(sent, await loadOpening());
    } catch (error) {
      fail(sent, failureOf(error));
    } finally {
      busy.current = false;
    }
  };
  const open = async (sent: HTMLFormElement, { fields, registrationProblems, openAccount }: Opening) => {
    const values = valuesOf(sent, docType);
    const found = registrationProblems(values);
    setProblems(found);
    const first = fields.find((field) => found[field] !== undefined);
    if (first !== undefined) return focusField(sent, first);
    setSending(true);
    await openAccount(values).catch((error: unknown) => {
      perhapsOpened.current ||= isUnanswered(error);
      throw error;
    });
    toast('Conta criada com sucesso!');
    onSignedIn();
  };
  const fail = (sent: HTMLFormElement, failed: RegistrationFailure) => {
    setSending(false);
    if (failed.code === 'PASSWORD_COMMON') {
      setProblems({ password: failed.message });
      return focusField(sent, 'password');
    }
    taken.current = takenFields.get(failed.code);
    if (taken.current !== undefined) setProblems({ [taken.current]: failed.message });
    const message =
      taken.current !== undefined && perhapsOpened.current
        ? `${failed.message} ${PERHAPS_OPENED}`
        : failed.message;
    setFailure({ ...failed, message });
  };

  return {
    docType,
    problems,
    failure,
    sending,
    form,
    documentField,
    closeFailure,
    chooseType,
    begin,
    submit,
  };
}

type RegistrationFieldsProps = {
  problems: RegistrationProblems;
  docType: DocType;
  onDocType: (type: DocType) => void;
  documentField: RefObject<HTMLInputElement | null>;
};

function RegistrationFields({ problems, docType, onDocType, documentField }: RegistrationFieldsProps) {
  return (
    <>
      <TextField
        label="Nome de usuário"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        hint="Letras, números, ponto, hífen ou sublinhado"
        error={problems.username}
      />
      <TextField label="Nome completo" name="name" autoComplete="name" error={problems.name} />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="email"
        className="md:col-span-2"
        error={problems.email}
      />
      <SegmentedControl
        label="Tipo de documento"
        labelShown
        size="normal"
        block
        segments={types}
        value={docType}
        onChange={onDocType}
      />
      <MaskedField
        label={docType}
        name="document"
        inputMode={docType === 'CPF' ? 'numeric' : 'text'}
        autoCapitalize="characters"
        mask={documentMasks[docType]}
        ref={documentField}
        error={problems.document}
      />
      <PasswordField
        label="Senha"
        name="password"
        autoComplete="new-password"
        hint="Mínimo de 8 caracteres"
        error={problems.password}
      />
      <PasswordField
        label="Confirmar senha"
        name="confirmPassword"
        autoComplete="new-password"
        error={problems.confirmPassword}
      />
    </>
  );
}

type Opening = typeof import('./open-account.ts');

/** The field whose value is already taken, by the code of the refusal. */
const takenFields = new Map<string | null, keyof RegistrationProblems>([
  ['USERNAME_TAKEN', 'username'],
  ['EMAIL_TAKEN', 'email'],
  ['DOCUMENT_TAKEN', 'document'],
]);

const PERHAPS_OPENED = 'Talvez a conta já tenha sido criada: tente entrar.';

/** Nobody knows whether the call was done: its answer was lost, or something in between broke. */
function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && (!error.answered || error.status >= 500);
}

function focusField(form: HTMLFormElement | null, name: keyof RegistrationProblems): void {
  form?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus();
}

function valuesOf(form: HTMLFormElement, docType: DocType): RegistrationForm {
  const values = new FormData(form);
  const text = (name: string) => String(values.get(name) ?? '');
  return {
    username: text('username'),
    name: text('name'),
    email: text('email'),
    docType,
    document: text('document'),
    password: text('password'),
    confirmPassword: text('confirmPassword'),
  };
}

function failureOf(error: unknown): RegistrationFailure {
  const message = errorText(error, 'Ocorreu um erro inesperado. Tente novamente mais tarde.');
  return { message, code: error instanceof ApiError ? error.code : null };
}
