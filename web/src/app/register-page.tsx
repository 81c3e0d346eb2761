import { RegisterForm } from '../features/register/register-form.tsx';
import { PublicLayout } from './layouts/public-layout.tsx';
import { paths } from './paths.ts';
import type { EntryFormCallbacks } from './prerendered-page.tsx';
import { usePublicSettings } from './use-public-settings.ts';

/** The registration page, prerendered and also shown within the app. */
export function RegisterPage(formCallbacks: EntryFormCallbacks) {
  const settings = usePublicSettings();
  return (
    <PublicLayout sandbox={settings?.sandbox === true} wide>
      <RegisterForm loginPath={paths.login} {...formCallbacks} />
    </PublicLayout>
  );
}
