import type { GuildAuditEntry } from '../../../domain/audit/audit-entry.js'
import { guildAuditEntriesOf } from '../../../domain/audit/guild-audit-entry.js'
import { isOfThreads } from '../../../domain/audit/without-threads.js'
import { computePermissions, holds } from '../../../domain/permissions/compute-permissions.js'
import { auditLogEntryObject } from '../../../application/wire-objects/communities/audit-log-objects.js'
import type { KnownEvent } from '../../events/known-event.js'
import { perViewer, type AskedEntries, type Dispatch, type Scene } from '../dispatch.js'

/** The entries of an event with personal parts; undefined if there are none. */
export function personalEntriesIn(event: KnownEvent): AskedEntries | undefined {
  const [first, ...others] = guildAuditEntriesOf(event).filter(({ personal }) => personal)
  return first && { guildId: first.guildId, ids: [first, ...others].map(({ id }) => id) }
}

/**
 * GUILD_AUDIT_LOG_ENTRY_CREATE to holders of VIEW_AUDIT_LOG, for an event with entries in the guild's audit log. Personal parts
 * come from the log, since they do not travel with events.
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

/** The entry in the form that it has in the log after its person was erased. */
function withoutPersonal(entry: GuildAuditEntry): GuildAuditEntry {
  const { personal } = entry
  if (!personal) return entry
  return { ...entry, reason: null, changes: entry.changes.filter(({ key }) => !personal.keys.includes(key)) }
}
