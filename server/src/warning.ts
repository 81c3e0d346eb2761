import type { Config } from './config.ts';
import { isMailEnabled } from './mail/index.ts';

/** A problem that an operator should fix. The name is public (/api/health); the text is only logged. */
export type Warning = { readonly name: string; readonly text: string };

/** Returns warnings about missing settings without which the gateway can start, but which its users will need. */
export function findSettingWarnings(config: Pick<Config, 'mode' | 'mail' | 'adminEmail'>): Warning[] {
  const warnings: Warning[] = [];
  if (config.mode === 'live' && !isMailEnabled(config))
    warnings.push({
      name: 'mail-off',
      text: 'SMTP_URL is not set: nobody can recover a password, or is told by e-mail what changes on their account.',
    });
  if (config.adminEmail === undefined)
    warnings.push({
      name: 'admin-email-missing',
      text: 'ADMIN_EMAIL is not set: companies do not learn where to send their documents.',
    });
  return warnings;
}
