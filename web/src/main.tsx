// The script of the dashboard.

import { startApp } from './app/start-app.tsx';

const container = document.getElementById('root');
if (container !== null) startApp(container);
