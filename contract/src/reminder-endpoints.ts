// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import { endpoint } from './endpoint.ts';
import { changedReminders, reminderSettings } from './reminder.ts';

const tag = 'Clientes';

export const getReminders = endpoint({
  name: 'getReminders',
  method: 'GET',
  path: '/authed/reminders',
  access: 'session',
  permission: 'manage-customers',
  tag,
  summary: 'Quando e com que texto os clientes são lembrados do vencimento por e-mail.',
  response: reminderSettings,
  refusals: [],
  isExtension: true,
});

export const setReminders = endpoint({
  name: 'setReminders',
  method: 'PUT',
  path: '/authed/reminders',
  access: 'session',
  permission: 'manage-customers',
  tag,
  summary: 'Liga, desliga ou muda os lembretes por e-mail.',
  body: changedReminders,
  response: reminderSettings,
  refusals: ['STALE_VERSION'],
  isExtension: true,
});

export const reminderEndpoints = [getReminders, setReminders] as const;
