import { useEffect } from 'react';
import { replayEarlySubmit } from '../early-submit.ts';
import { RegisterForm } from '../features/register/register-form.tsx';
import { LoginForm } from '../features/sign-in/login-form.tsx';
import { Toaster } from '../ui/toast.tsx';
import { PublicLayout } from './layouts/public-layout.tsx';
import { DOCS_PAGE, paths } from './paths.ts';
import { usePublicSettings } from './use-public-settings.ts';

export type Entry = {
  /** The form is being sent: what comes after may be loaded meanwhile. */
  onSending: () => void;
  onSignedIn: () => void;
};

export function LoginPage(entry: Entry & { reason?: string | undefined }) {
  const settings = usePublicSettings();
  return (
    <PublicLayout sandbox={settings?.sandbox === true}>
      <LoginForm
        registerPath={paths.register}
        recoverPath={paths.recoverPassword}
        recovers={settings?.mail === true}
        {...entry}
      />
      <p className="mt-3 text-muted">
        Para desenvolvedores:{' '}
        <a className="link" href={DOCS_PAGE}>
          Documentação da API
        </a>
      </p>
    </PublicLayout>
  );
}

export function RegisterPage(entry: Entry) {
  const settings = usePublicSettings();
  return (
    <PublicLayout sandbox={settings?.sandbox === true} wide>
      <RegisterForm loginPath={paths.login} {...entry} />
    </PublicLayout>
  );
}

export const publicPages = { login: LoginPage, register: RegisterPage };
export type PublicPageName = keyof typeof publicPages;

/** The whole of a prerendered page: rendered at build, and hydrated as it stands. */
export function PublicPage({ name, ...entry }: Entry & { name: PublicPageName }) {
  const Page = publicPages[name];
  useEffect(replayEarlySubmit, []);
  return (
    <>
      <Page {...entry} />
      <Toaster />
    </>
  );
}
