import { guildAuditEntryOf } from '../../domain/audit/guild-audit-entry.js'
import { computePermissions, holds } from '../../domain/permissions/compute-permissions.js'
import { auditLogEntryObject } from '../../application/objects/audit-log-objects.js'
import type { KnownEvent } from '../events/known-event.js'
import { same, type Dispatch } from './dispatch.js'

/** GUILD_AUDIT_LOG_ENTRY_CREATE to the holders of VIEW_AUDIT_LOG, for an event that the guild's audit log tells of. */
export function auditLogEntries(event: KnownEvent): readonly Dispatch[] {
  const entry = guildAuditEntryOf(event)
  if (!entry) return []
  const { guildId } = entry
  return [
    {
      t: 'GUILD_AUDIT_LOG_ENTRY_CREATE',
      guildId,
      audience: {
        kind: 'guild',
        needs: (guild, member) => holds(computePermissions(guild, member), 'VIEW_AUDIT_LOG'),
      },
      body: same({ ...auditLogEntryObject(entry), guild_id: guildId }),
    },
  ]
}
