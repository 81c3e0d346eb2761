/** The register of customers: the people and companies whom a merchant charges. */

export {
  customerPageUrl,
  type StoredCustomer,
  seesCustomerDocuments,
  stopRemindersUrl,
} from './customer.ts';
export { customerResponse } from './customer-response.ts';
export { customerRoutes } from './routes.ts';
export { findCustomer, findCustomerByToken, setRemindersStopped } from './store.ts';
