import {
  getAdminAuditEntry,
  listAdminAuditLog,
} from '../../../application/administration/audit/read-admin-audit-log.js'
import {
  changeAdminKey,
  createAdminKey,
  deleteAdminKey,
} from '../../../application/administration/keys/change-admin-keys.js'
import { getAdminKey, listAdminKeys } from '../../../application/administration/keys/read-admin-keys.js'
import { currentAdminUser } from '../../../application/administration/acls/read-admin-user.js'
import { setAcls } from '../../../application/administration/acls/set-acls.js'
import { addFileHashes } from '../../../application/administration/blocklists/add-file-hashes.js'
import {
  addToBlocklist,
  changeBlocklistEntry,
  removeFromBlocklist,
} from '../../../application/administration/blocklists/change-blocklists.js'
import { checkBlocklist, listBlocklistEntries } from '../../../application/administration/blocklists/read-blocklists.js'
import {
  cancelBackgroundJob,
  getBackgroundJob,
  listActiveBackgroundJobs,
  listBackgroundJobs,
} from '../../../application/administration/jobs/read-background-jobs.js'
import {
  createRegistrationUrlAsAdmin,
  decideRegistrationAsAdmin,
  revokeRegistrationUrlAsAdmin,
} from '../../../application/administration/registrations/registrations-as-admin.js'
import type { Ports } from '../../../application/ports.js'

/** What administrators do. */
export function adminUseCases(ports: Ports) {
  return {
    adminAuditLog: {
      list: listAdminAuditLog(ports),
      get: getAdminAuditEntry(ports),
    },
    adminKeys: {
      change: changeAdminKey(ports),
      create: createAdminKey(ports),
      delete: deleteAdminKey(ports),
      get: getAdminKey(ports),
      list: listAdminKeys(ports),
    },
    backgroundJobs: {
      cancel: cancelBackgroundJob(ports),
      get: getBackgroundJob(ports),
      list: listBackgroundJobs(ports),
      listActive: listActiveBackgroundJobs(ports),
    },
    blocklists: {
      add: addToBlocklist(ports),
      addFileHashes: addFileHashes(ports),
      change: changeBlocklistEntry(ports),
      check: checkBlocklist(ports),
      list: listBlocklistEntries(ports),
      remove: removeFromBlocklist(ports),
    },
    registrations: {
      createUrl: createRegistrationUrlAsAdmin(ports),
      decide: decideRegistrationAsAdmin(ports),
      revokeUrl: revokeRegistrationUrlAsAdmin(ports),
    },
    adminUsers: {
      current: currentAdminUser(ports),
      setAcls: setAcls(ports),
    },
  }
}
