// The script of the dashboard. The configuration of Zod must be imported before any schema.

import { startApp } from './app/start-app.tsx';

const container = document.getElementById('root');
if (container !== null) startApp(container);
