// npm start: plain JavaScript for any Node. Installs the packages, and continues on the pinned Node.
import { ensureInstalled, runTypeScript } from './install.mjs';

ensureInstalled();
runTypeScript('tools/start.ts', process.argv.slice(2));
