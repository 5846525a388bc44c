import type { AccountEvent } from '../../domain/account/events.ts'
import type { GuildAuditEntry } from '../../domain/audit/audit-entry.ts'
import { auditedTypes, guildAuditEntriesOf } from '../../domain/audit/guild-audit-entry.ts'
import type { GuildAuditEvent } from '../../domain/guild-audit/events.ts'
import type { GuildEvent } from '../../domain/guild/events.ts'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import { projection, put, remove, removeWhere, type RowChange } from '../runner/projection.ts'

/** The entries of guilds' audit logs. The domain decides which events have entries. */
export const guildAuditLogProjection = projection<GuildEvent | GuildAuditEvent | AccountEvent>({
  name: 'guild_audit_log',
  answers: "What a guild's moderators read.",
  version: 7,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { entries: ['guild_id', 'id'], personal_parts: ['guild_id', 'id'] },
  on: {
    ...Object.fromEntries(auditedTypes.map((type) => [type, entries])),
    // One entry replaces those that it folds.
    MessageDeletionsFolded: (event) => [
      ...event.data.folded.map((id) => remove('entries', { guild_id: event.data.guildId, id })),
      ...entries(event),
    ],
    AccountErasureStarted: ({ data }) => [removeWhere('personal_parts', { account_id: data.accountId })],
    GuildDeleted: ({ data }) => [
      removeWhere('entries', { guild_id: data.guildId }),
      removeWhere('personal_parts', { guild_id: data.guildId }),
    ],
  },
})

function entries(event: RecordedEvent): readonly RowChange[] {
  return guildAuditEntriesOf(event).flatMap((raised) => [
    put('entries', {
      guild_id: raised.guildId,
      id: raised.id,
      action_type: raised.actionType,
      user_id: raised.userId,
      target_id: raised.targetId,
      reason: raised.personal ? null : raised.reason,
      options: { ...raised.options },
      changes: plainChanges(raised, (key) => raised.personal?.keys.includes(key) !== true),
    }),
    ...personalParts(raised),
  ])
}

function personalParts(raised: GuildAuditEntry): readonly RowChange[] {
  const { guildId, id, personal, reason } = raised
  if (!personal) return []
  const changes = plainChanges(raised, (key) => personal.keys.includes(key))
  if (changes.length === 0 && reason === null) return []
  return [put('personal_parts', { guild_id: guildId, id, account_id: personal.accountId, reason, changes })]
}

function plainChanges({ changes }: GuildAuditEntry, isWanted: (key: string) => boolean) {
  return changes.filter(({ key }) => isWanted(key)).map((change) => ({ ...change }))
}
