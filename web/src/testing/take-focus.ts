import type {} from '@vitest/browser-playwright';
import { beforeAll, beforeEach } from 'vitest';
import { cdp } from 'vitest/browser';

// Files run in pages side by side, and a menu closes when its page loses the focus. So each page behaves as if it had
// the focus, whichever took it last.
beforeAll(() => cdp().send('Emulation.setFocusEmulationEnabled', { enabled: true }));

// Within its page, keys go to the document that has the focus.
beforeEach(() => window.focus());
