import { RegisterForm } from '../features/register/register-form.tsx';
import type { EntryFormCallbacks } from './hydrate-page.tsx';
import { PublicLayout } from './layouts/public-layout.tsx';
import { paths } from './paths.ts';
import { usePublicSettings } from './use-public-settings.ts';

export function RegisterPage(entry: EntryFormCallbacks) {
  const settings = usePublicSettings();
  return (
    <PublicLayout sandbox={settings?.sandbox === true} wide>
      <RegisterForm loginPath={paths.login} {...entry} />
    </PublicLayout>
  );
}
