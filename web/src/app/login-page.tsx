import { LoginForm, type SignInProblem } from '../features/sign-in/login-form.tsx';
import { PublicLayout } from './layouts/public-layout.tsx';
import { DOCS_PAGE, paths } from './paths.ts';
import type { EntryFormCallbacks } from './prerendered-page.tsx';
import { usePublicSettings } from './use-public-settings.ts';

/** The sign-in page, prerendered. The app shows it too, after a session has ended. */
export function LoginPage(formProps: EntryFormCallbacks & { reason?: SignInProblem | undefined }) {
  const settings = usePublicSettings();
  return (
    <PublicLayout sandbox={settings?.sandbox === true}>
      <LoginForm
        registerPath={paths.register}
        recoverPath={paths.recoverPassword}
        canRecover={settings?.mail === true}
        supportEmail={settings?.adminEmail}
        {...formProps}
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
