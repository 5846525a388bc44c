import { perUser } from '../../bucket.ts'

/** The buckets of administration. */
export const adminLookup = perUser('admin:lookup', { requests: 200, seconds: 60 })
export const adminUserModify = perUser('admin:user:modify', { requests: 100, seconds: 60 })
export const adminGuildModify = perUser('admin:guild:modify', { requests: 100, seconds: 60 })
export const adminMessages = perUser('admin:message:operation', { requests: 100, seconds: 60 })
export const adminCodeGeneration = perUser('admin:code:generation', { requests: 30, seconds: 60 })
export const adminAuditLog = perUser('admin:audit_log', { requests: 100, seconds: 60 })
export const adminBan = perUser('admin:ban:operation', { requests: 60, seconds: 60 })
export const adminBulk = perUser('admin:bulk:operation', { requests: 20, seconds: 60 })
export const adminJobs = perUser('admin:jobs:view', { requests: 600, seconds: 60 })
