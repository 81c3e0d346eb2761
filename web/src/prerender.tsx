import { renderToString } from 'react-dom/server';
import { LoginPage } from './app/login-page.tsx';
import { PrerenderedPage } from './app/prerendered-page.tsx';
import { RegisterPage } from './app/register-page.tsx';

/** The pages whose HTML is rendered at build time, so that their forms appear before any script has loaded. */
export const prerenderedForms = { login: LoginPage, register: RegisterPage };

const doNothing = () => {};

/** The markup of such a page, for its HTML file. Runs only at build time. */
export function prerender(name: keyof typeof prerenderedForms): string {
  const Page = prerenderedForms[name];
  return renderToString(
    <PrerenderedPage>
      <Page onFormStart={doNothing} onSignedIn={doNothing} />
    </PrerenderedPage>,
  );
}
