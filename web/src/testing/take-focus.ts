import { beforeEach } from 'vitest';

// Keys go to the document that has the focus, and another file's page may have taken it.
beforeEach(() => window.focus());
