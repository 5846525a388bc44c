import type { GuildAuditEntry } from '../../../domain/audit/audit-entry.ts'
import { guildAuditEntriesOf } from '../../../domain/audit/guild-audit-entry.ts'
import { isOfThreads } from '../../../domain/audit/without-threads.ts'
import { computePermissions, holds } from '../../../domain/permissions/compute-permissions.ts'
import { auditLogEntryObject } from '../../../application/wire-objects/communities/audit-log-objects.ts'
import type { KnownEvent } from '../../visibility/known-event.ts'
import type { Lookups } from '../../visibility/lookups.ts'
import { perViewer, type Dispatch } from '../dispatch.ts'
import { preparing, untold, type Scene, type Telling } from '../telling.ts'

/**
 * GUILD_AUDIT_LOG_ENTRY_CREATE to holders of VIEW_AUDIT_LOG, for an event with entries in the guild's audit log. Personal parts
 * come from the log, since they do not travel with events.
 */
export function auditLogEntries(event: KnownEvent): Telling {
  const raised = guildAuditEntriesOf(event)
  if (raised.length === 0) return untold
  return preparing(['GUILD_AUDIT_LOG_ENTRY_CREATE'], {
    prepare: async ({ lookups }) => {
      const entries = await wholeEntries(lookups, raised)
      return (scene) => entries.map((entry) => entryTold(entry, scene))
    },
  })
}

/** The entries, those that tell of a person by more than its id as the log has them now. */
async function wholeEntries(
  lookups: Lookups,
  entries: readonly GuildAuditEntry[],
): Promise<readonly GuildAuditEntry[]> {
  const [first, ...others] = entries.filter(({ personal }) => personal)
  if (!first) return entries
  const ids = [first, ...others].map(({ id }) => id)
  const found = await lookups.ask(({ auditLog }) => auditLog.findMany(first.guildId, ids))
  const known = new Map(found.map((entry) => [entry.id, entry]))
  return entries.map((entry) => known.get(entry.id) ?? withoutPersonal(entry))
}

function entryTold(entry: GuildAuditEntry, { room, was }: Scene): Dispatch<'GUILD_AUDIT_LOG_ENTRY_CREATE'> {
  const channels = [...(was?.channels ?? []), ...(room?.guild.channels ?? [])]
  return {
    t: 'GUILD_AUDIT_LOG_ENTRY_CREATE',
    guildId: entry.guildId,
    audience: {
      kind: 'guild',
      needs: (guild, member) => holds(computePermissions(guild, member), 'VIEW_AUDIT_LOG'),
    },
    threadAccessOnly: isOfThreads(entry, channels),
    body: perViewer((viewer) => ({ ...auditLogEntryObject(entry, viewer), guild_id: entry.guildId })),
  }
}

/** The entry in the form that it has in the log after its person was erased. */
function withoutPersonal(entry: GuildAuditEntry): GuildAuditEntry {
  const { personal } = entry
  if (!personal) return entry
  return { ...entry, reason: null, changes: entry.changes.filter(({ key }) => !personal.keys.includes(key)) }
}
