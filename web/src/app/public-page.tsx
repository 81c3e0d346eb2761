import { useEffect } from 'react';
import { replayEarlySubmit } from '../early-submit.ts';
import { RegisterForm } from '../features/register/register-form.tsx';
import { LoginForm } from '../features/sign-in/login-form.tsx';
import { Toaster } from '../ui/toast.tsx';
import { PublicLayout } from './layouts/public-layout.tsx';
import { paths } from './paths.ts';

export type Entry = {
  /** The form is being sent: what comes after may be loaded meanwhile. */
  onSending: () => void;
  onSignedIn: () => void;
};

export function LoginPage(entry: Entry & { reason?: string | undefined }) {
  return (
    <PublicLayout>
      <LoginForm registerPath={paths.register} {...entry} />
    </PublicLayout>
  );
}

export function RegisterPage(entry: Entry) {
  return (
    <PublicLayout wide>
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
