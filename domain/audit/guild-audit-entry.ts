import { entryId } from '../ids/ids.ts'
import { composeSnowflake } from '../ids/snowflake.ts'
import { msOf, type Timestamp } from '../kernel/timestamp.ts'
import { accountOf, type AuditActor } from './actors.ts'
import { inOrderOfKeys, type AuditDraft, type GuildAuditEntry } from './audit-entry.ts'
import { channelDrafts } from './drafts/channel-drafts.ts'
import { expressionDrafts } from './drafts/expression-drafts.ts'
import { guildDrafts } from './drafts/guild-drafts.ts'
import { inviteDrafts } from './drafts/invite-drafts.ts'
import { memberDrafts } from './drafts/member-drafts.ts'
import { messageDrafts } from './drafts/message-drafts.ts'
import { roleDrafts } from './drafts/role-drafts.ts'
import { threadDrafts } from './drafts/thread-drafts.ts'
import { webhookDrafts } from './drafts/webhook-drafts.ts'

/** The parts of a recorded event that an entry is made of. */
export interface AuditedEvent {
  readonly type: string
  readonly data: object
  readonly position: bigint
  readonly metadata: { readonly at: Timestamp; readonly actor: AuditActor; readonly reason?: string }
}

const drafts = {
  ...channelDrafts,
  ...expressionDrafts,
  ...guildDrafts,
  ...inviteDrafts,
  ...memberDrafts,
  ...messageDrafts,
  ...roleDrafts,
  ...threadDrafts,
  ...webhookDrafts,
}

/** The types of events with entries. */
export const auditedTypes: readonly string[] = Object.keys(drafts)

const draftsByType: ReadonlyMap<string, unknown> = new Map(Object.entries(drafts))

/**
 * The entries of an event, in order; most events have none. The ids derive from the event alone, so a replay gives each entry the
 * same id. The position tells events apart, and each further entry of an event is a millisecond later. The changes are in the
 * order of their keys.
 */
export function guildAuditEntriesOf(recorded: AuditedEvent): readonly GuildAuditEntry[] {
  const { metadata, position } = recorded
  const low_bits = Number(BigInt.asUintN(22, position))
  return draftsFor(recorded).map(({ changes, ...draft }, index) => ({
    id: entryId(composeSnowflake(msOf(metadata.at) + index, low_bits)),
    userId: accountOf(metadata.actor),
    reason: metadata.reason ?? null,
    ...draft,
    changes: inOrderOfKeys(changes),
  }))
}

/** The codec has checked that an event's data matches its type, and type names are unique. */
function draftsFor({ type, data }: AuditedEvent): readonly AuditDraft[] {
  const draft = draftsByType.get(type) as ((of: object) => readonly AuditDraft[]) | undefined
  return draft?.(data) ?? []
}
