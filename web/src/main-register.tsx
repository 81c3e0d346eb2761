// The script of the prerendered registration page.

import { hydratePage } from './app/hydrate-page.tsx';
import { RegisterPage } from './app/register-page.tsx';

hydratePage(RegisterPage);
