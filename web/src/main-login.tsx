// The script of the prerendered sign-in page.

import { hydratePage } from './app/hydrate-page.tsx';
import { LoginPage } from './app/login-page.tsx';

hydratePage(LoginPage);
