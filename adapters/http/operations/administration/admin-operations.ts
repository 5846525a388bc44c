import type { Operation } from '../../operation.js'
import { getCurrentAdminUserOperation, setUserAclsOperation } from './users.js'
import {
  changeInstanceConfigOperation,
  changeLimitConfigOperation,
  getInstanceConfigOperation,
  getLimitConfigOperation,
  setBrandingAssetOperation,
  testMailServerOperation,
} from './instance.js'
import {
  createRegistrationUrlOperation,
  decideRegistrationOperation,
  revokeRegistrationUrlOperation,
} from './registrations.js'
import {
  changeAdminKeyOperation,
  createAdminKeyOperation,
  deleteAdminKeyOperation,
  getAdminKeyOperation,
  listAdminAclsOperation,
  listAdminKeysOperation,
} from './keys.js'
import { getAdminAuditEntryOperation, listAdminAuditLogOperation } from './audit-log.js'
import { blocklistOperations } from './blocklists.js'
import { cancelJobOperation, getJobOperation, listActiveJobsOperation, listJobsOperation } from './jobs.js'

/** Those of administrators. */
export const adminOperations: readonly Operation[] = [
  getCurrentAdminUserOperation,
  setUserAclsOperation,
  getInstanceConfigOperation,
  changeInstanceConfigOperation,
  setBrandingAssetOperation,
  testMailServerOperation,
  createRegistrationUrlOperation,
  revokeRegistrationUrlOperation,
  decideRegistrationOperation,
  getLimitConfigOperation,
  changeLimitConfigOperation,
  listAdminAclsOperation,
  listAdminKeysOperation,
  createAdminKeyOperation,
  getAdminKeyOperation,
  changeAdminKeyOperation,
  deleteAdminKeyOperation,
  listAdminAuditLogOperation,
  getAdminAuditEntryOperation,
  ...blocklistOperations,
  listJobsOperation,
  listActiveJobsOperation,
  getJobOperation,
  cancelJobOperation,
]
