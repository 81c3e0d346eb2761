import { renderToString } from 'react-dom/server';
import { LoginPage } from './app/login-page.tsx';
import { PrerenderedPage } from './app/prerendered-page.tsx';
import { RegisterPage } from './app/register-page.tsx';

export const prerenderedForms = { login: LoginPage, register: RegisterPage };

const nothing = () => {};

/** The markup of a form's page, for its HTML file. Runs only at build time. */
export function prerender(name: keyof typeof prerenderedForms): string {
  const Page = prerenderedForms[name];
  return renderToString(
    <PrerenderedPage>
      <Page onFormStart={nothing} onSignedIn={nothing} />
    </PrerenderedPage>,
  );
}
