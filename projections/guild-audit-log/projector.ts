import { guildAuditEntryOf } from '../../domain/audit/guild-audit-entry.js'
import type { GuildEvent } from '../../domain/guild/events.js'
import type { InviteEvent } from '../../domain/invite/events.js'
import type { MembershipEvent } from '../../domain/membership/events.js'
import type { RecordedEvent } from '../../application/ports/event-store.js'
import { projection, put, removeWhere, type RowChange } from '../runner/projection.js'

/** The entries of guilds' audit logs; which events raise one is the domain's to say. */
export const guildAuditLogProjection = projection<InviteEvent | GuildEvent | MembershipEvent>({
  name: 'guild_audit_log',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { entries: ['guild_id', 'id'] },
  on: {
    InviteCreated: entry,
    InviteDeleted: entry,
    MemberJoined: entry,
    RoleCreated: entry,
    GuildDeleted: ({ data }) => [removeWhere('entries', { guild_id: data.guildId })],
  },
})

function entry(event: RecordedEvent): readonly RowChange[] {
  const raised = guildAuditEntryOf(event)
  if (!raised) return []
  return [
    put('entries', {
      guild_id: raised.guildId,
      id: raised.id,
      action_type: raised.actionType,
      user_id: raised.userId,
      target_id: raised.targetId,
      reason: raised.reason,
      options: { ...raised.options },
      changes: raised.changes.map((change) => ({ ...change })),
    }),
  ]
}
