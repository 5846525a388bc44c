import type { GuildAuditEntry } from '../../../domain/audit/audit-entry.js'
import { guildAuditEntriesOf } from '../../../domain/audit/guild-audit-entry.js'
import { isOfThreads } from '../../../domain/audit/without-threads.js'
import { computePermissions, holds } from '../../../domain/permissions/compute-permissions.js'
import { auditLogEntryObject } from '../../../application/wire-objects/communities/audit-log-objects.js'
import type { KnownEvent } from '../../events/known-event.js'
import { perViewer, type AskedEntries, type Dispatch, type Scene } from '../dispatch.js'

/** The entries of an event that tell of a person by more than its id; undefined where there are none. */
export function personalEntriesIn(event: KnownEvent): AskedEntries | undefined {
  const [first, ...others] = guildAuditEntriesOf(event).filter(({ personal }) => personal)
  return first && { guildId: first.guildId, ids: [first, ...others].map(({ id }) => id) }
}

/**
 * GUILD_AUDIT_LOG_ENTRY_CREATE to the holders of VIEW_AUDIT_LOG, for an event that the guild's audit log tells of. What is personal
 * of it is told as the log has it, since it does not travel with events.
 */
export function auditLogEntries(
  event: KnownEvent,
  { room, was, entries }: Pick<Scene, 'room' | 'was' | 'entries'>,
): readonly Dispatch[] {
  const channels = [...(was?.channels ?? []), ...(room?.guild.channels ?? [])]
  const raised = guildAuditEntriesOf(event).map((entry) => entries.get(entry.id) ?? withoutPersonal(entry))
  return raised.map((entry) => ({
    t: 'GUILD_AUDIT_LOG_ENTRY_CREATE',
    guildId: entry.guildId,
    audience: {
      kind: 'guild',
      needs: (guild, member) => holds(computePermissions(guild, member), 'VIEW_AUDIT_LOG'),
    },
    threadAccessOnly: isOfThreads(entry, channels),
    body: perViewer((viewer) => ({ ...auditLogEntryObject(entry, viewer), guild_id: entry.guildId })),
  }))
}

/** As the log has an entry whose person is gone. */
function withoutPersonal(entry: GuildAuditEntry): GuildAuditEntry {
  const { personal } = entry
  if (!personal) return entry
  return { ...entry, reason: null, changes: entry.changes.filter(({ key }) => !personal.keys.includes(key)) }
}
