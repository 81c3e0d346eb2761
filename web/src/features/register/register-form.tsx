import type { DocType, RegistrationForm } from '@jangada/contract';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { ApiError, loadChunk } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { documentMasks } from '../../format/document-mask.ts';
import { readStored } from '../../session/storage.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField, TextField } from '../../ui/field.tsx';
import { MaskedField } from '../../ui/masked-field.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { toast } from '../../ui/toast.tsx';
import type { RegistrationProblems } from './open-account.ts';
import { type RegistrationFailure, RegistrationFailureDialog } from './registration-failure-dialog.tsx';

const documentTypes = (['CPF', 'CNPJ'] satisfies DocType[]).map((value) => ({ value, label: value }));

const loadOpenAccount = () => loadChunk(import('./open-account.ts'));

type RegisterFormProps = {
  loginPath: string;
  /**
   * Called when the user begins to fill in the form, so that the app can be prefetched. May be called
   * repeatedly.
   */
  onFormStart: () => void;
  /** Called once the account is open and signed in. */
  onSignedIn: () => void;
};

/** Opens an account. The text fields are uncontrolled, so that input typed before hydration is kept. */
export function RegisterForm({ loginPath, onFormStart, onSignedIn }: RegisterFormProps) {
  const registration = useRegistration(onFormStart, onSignedIn);
  return (
    <>
      <h1 className="text-xl font-strong">Criar conta</h1>
      <p className="mt-1 text-base text-muted">
        {registration.isInvited ? 'Para entrar na conta que convidou você.' : 'Receba Pix na sua loja.'}
      </p>
      <form
        ref={registration.form}
        className="mt-8 grid gap-x-4 gap-y-5 md:grid-cols-2"
        method="post"
        onFocus={registration.prefetch}
        onInput={registration.prefetch}
        onSubmit={registration.submit}
        noValidate
      >
        <RegistrationFields
          problems={registration.problems}
          isInvited={registration.isInvited}
          docType={registration.docType}
          onDocType={registration.changeDocType}
          documentField={registration.documentField}
        />
        <Button
          type="submit"
          variant="primary"
          block
          className="mt-1 md:col-span-2"
          isSending={registration.isSending}
        >
          Criar conta
        </Button>
      </form>
      <p className="mt-6 text-muted">
        Já tem conta?{' '}
        <a className="link" href={loginPath}>
          Entrar
        </a>
      </p>
      <RegistrationFailureDialog failure={registration.failure} onClose={registration.closeFailure} />
    </>
  );
}

/** The state of the form, and its submission. */
function useRegistration(onFormStart: () => void, onSignedIn: () => void) {
  const [docType, setDocType] = useState<DocType>('CPF');
  const [problems, setProblems] = useState<RegistrationProblems>({});
  const [failure, setFailure] = useState<RegistrationFailure>();
  const [isSending, setIsSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isInvited = useInvitedEmail(form);
  const documentField = useRef<HTMLInputElement>(null);
  /** The field whose value belongs to another account, according to the last attempt. */
  const takenField = useRef<keyof RegistrationProblems>(undefined);
  const closeFailure = () => setFailure(undefined);
  // A ref, because a second submit may arrive before React has rendered `isSending`.
  const isSubmitting = useRef(false);
  // True after an attempt with an unknown outcome: it may have opened the account, in which case a later attempt finds
  // the user name taken.
  const mayHaveOpenedAccount = useRef(false);
  // Closing the dialog would return the focus to the submit button, but the field to correct is more useful.
  useEffect(() => {
    if (failure === undefined && takenField.current !== undefined)
      focusField(form.current, takenField.current);
  }, [failure]);

  const changeDocType = (type: DocType) => {
    setDocType(type);
    if (documentField.current !== null) documentField.current.value = '';
    setProblems(({ document: _, ...others }) => others);
  };
  const prefetch = () => {
    loadOpenAccount().catch(() => {});
    onFormStart();
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSubmitting.current) return;
    isSubmitting.current = true;
    prefetch();
    const formElement = event.currentTarget;
    try {
      await validateAndOpen(formElement, await loadOpenAccount());
    } catch (error) {
      showFailure(formElement, failureOf(error));
    } finally {
      isSubmitting.current = false;
    }
  };
  const validateAndOpen = async (
    formElement: HTMLFormElement,
    { fields, registrationProblems, openAccount }: OpenAccountModule,
  ) => {
    const values = valuesOf(formElement, docType);
    const newProblems = registrationProblems(values);
    setProblems(newProblems);
    const firstInvalid = fields.find((field) => newProblems[field] !== undefined);
    if (firstInvalid !== undefined) return focusField(formElement, firstInvalid);
    setIsSending(true);
    await openAccount(values).catch((error: unknown) => {
      mayHaveOpenedAccount.current ||= isOutcomeUnknown(error);
      throw error;
    });
    toast('Conta criada com sucesso!');
    onSignedIn();
  };
  const showFailure = (formElement: HTMLFormElement, newFailure: RegistrationFailure) => {
    setIsSending(false);
    if (newFailure.code === 'PASSWORD_COMMON') {
      setProblems({ password: newFailure.message });
      return focusField(formElement, 'password');
    }
    takenField.current = takenFieldByCode.get(newFailure.code);
    if (takenField.current === undefined) return setFailure(newFailure);
    setProblems({ [takenField.current]: newFailure.message });
    const message = mayHaveOpenedAccount.current
      ? `${newFailure.message} ${MAY_HAVE_OPENED}`
      : newFailure.message;
    setFailure({ ...newFailure, message });
  };

  return {
    form,
    isInvited,
    documentField,
    docType,
    changeDocType,
    problems,
    failure,
    closeFailure,
    isSending,
    prefetch,
    submit,
  };
}

/** Fills in the e-mail of the invitation from which the person came, and keeps it. Returns whether there was one. */
function useInvitedEmail(form: RefObject<HTMLFormElement | null>): boolean {
  const [isInvited, setIsInvited] = useState(false);
  useEffect(() => {
    if (!location.search.includes('from=%2Fconvite')) return;
    const email = /"email":"([^"\\]+)"/.exec(readStored('invitation', 'tab') ?? '')?.[1];
    const field = form.current?.querySelector<HTMLInputElement>('input[name=email]');
    if (email === undefined || field == null) return;
    field.value = email;
    field.readOnly = true;
    setIsInvited(true);
  }, [form]);
  return isInvited;
}

type RegistrationFieldsProps = {
  problems: RegistrationProblems;
  /** The e-mail is that of an invitation, which nobody else could accept. */
  isInvited: boolean;
  docType: DocType;
  onDocType: (type: DocType) => void;
  documentField: RefObject<HTMLInputElement | null>;
};

function RegistrationFields({
  problems,
  isInvited,
  docType,
  onDocType,
  documentField,
}: RegistrationFieldsProps) {
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
        hint={isInvited ? 'O convite é para este e-mail.' : undefined}
        error={problems.email}
      />
      <SegmentedControl
        label="Tipo de documento"
        labelShown
        size="normal"
        block
        segments={documentTypes}
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

type OpenAccountModule = typeof import('./open-account.ts');

/** The field whose value another account already has, by the error code. */
const takenFieldByCode = new Map<string | null, keyof RegistrationProblems>([
  ['USERNAME_TAKEN', 'username'],
  ['EMAIL_TAKEN', 'email'],
  ['DOCUMENT_TAKEN', 'document'],
]);

const MAY_HAVE_OPENED = 'Talvez a conta já tenha sido criada: tente entrar.';

/** True when it is unknown whether the account was opened: the response was lost, or a server failed on the way. */
function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ApiError && (!error.hasResponse || error.status >= 500);
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
