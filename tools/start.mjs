// npm start: plain JavaScript for any Node; installs, and continues on the pinned one.
import { ensureInstalled, runTypeScript } from './install.mjs';

ensureInstalled();
runTypeScript('tools/start.ts', process.argv.slice(2));
