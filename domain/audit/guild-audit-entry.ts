import { composeSnowflake } from '../ids/snowflake.js'
import type { GuildEvent } from '../guild/events.js'
import type { Role } from '../guild/state.js'
import { entryId, everyoneRoleId, type AccountId, type EntryId, type GuildId } from '../ids/ids.js'
import { inviteEvents, type InviteEvent, type InviteTerms } from '../invite/events.js'
import { msOf, type Timestamp } from '../kernel/timestamp.js'
import type { MemberJoined, MembershipEvent } from '../membership/events.js'
import { auditActions, type AuditActionType } from './audit-actions.js'

/** One entry of a guild's audit log. `options` and `changes` have the contract's own keys (reference gateway 3.14). */
export interface GuildAuditEntry {
  readonly id: EntryId
  readonly guildId: GuildId
  readonly actionType: AuditActionType
  /** Who did it; null where no account did. */
  readonly userId: AccountId | null
  /** An id, or the code of an invite; null for an action without a target. */
  readonly targetId: string | null
  /** At most 512 characters; null where none was given. */
  readonly reason: string | null
  readonly options: AuditOptions
  readonly changes: readonly AuditChange[]
}

export interface AuditOptions {
  readonly channel_id?: string
  readonly inviter_id?: string
  /** Seconds. */
  readonly max_age?: number
  readonly max_uses?: number
  readonly temporary?: boolean
}

/** One value before and after: a create entry has only `new_value`, a delete entry only `old_value`. */
export interface AuditChange {
  readonly key: string
  readonly old_value?: AuditValue
  readonly new_value?: AuditValue
}

export type AuditValue =
  string | number | boolean | null | readonly AuditValue[] | { readonly [key: string]: AuditValue }

/** What an entry is made of: as much of a recorded event as the audit log needs to know. */
export interface AuditedEvent {
  readonly type: string
  readonly data: object
  readonly position: bigint
  readonly metadata: { readonly at: Timestamp; readonly actor: AuditActor; readonly reason?: string }
}

type AuditActor =
  | { readonly kind: 'account'; readonly id: AccountId }
  | { readonly kind: 'admin_key'; readonly accountId: AccountId }
  | { readonly kind: 'system' }

/**
 * The entry that an event raises (contract part 1, Create channel invite and Delete invite; reference gateway 3.14); undefined
 * for one that raises none.
 */
export function guildAuditEntryOf(recorded: AuditedEvent): GuildAuditEntry | undefined {
  const event = auditedEventIn(recorded)
  switch (event?.type) {
    case 'MemberJoined':
      return event.data.admission.by === 'bot_installation' ? botAdded(recorded, event.data) : undefined
    case 'RoleCreated':
      return roleCreated(recorded, event.data)
    case 'InviteCreated': {
      const changes = created(inviteValues(event.data, 0))
      return { ...whoAndWhen(recorded), ...aboutInvite(event.data), actionType: auditActions.INVITE_CREATE, changes }
    }
    case 'InviteDeleted': {
      const changes = deleted(inviteValues(event.data, event.data.uses))
      return { ...whoAndWhen(recorded), ...aboutInvite(event.data), actionType: auditActions.INVITE_DELETE, changes }
    }
    case 'InviteRedeemed':
    case 'InviteRedemptionReturned':
    case undefined:
      return undefined
  }
}

type Audited = InviteEvent | Extract<MembershipEvent | GuildEvent, { readonly type: 'MemberJoined' | 'RoleCreated' }>

const auditedTypes: ReadonlySet<string> = new Set([...Object.keys(inviteEvents.events), 'MemberJoined', 'RoleCreated'])

/** Reads an event that may raise one. The codec has checked that its data is what its type says, and type names are unique. */
function auditedEventIn({ type, data }: AuditedEvent): Audited | undefined {
  return auditedTypes.has(type) ? ({ type, data } as Audited) : undefined
}

function botAdded(recorded: AuditedEvent, { guildId, accountId, temporary }: MemberJoined): GuildAuditEntry {
  const about = { guildId, targetId: accountId, options: { temporary }, changes: [] }
  return { ...whoAndWhen(recorded), ...about, actionType: auditActions.BOT_ADD }
}

/** Everyone's role comes with the guild, which nobody has to be told of. */
function roleCreated(
  recorded: AuditedEvent,
  { guildId, role }: { readonly guildId: GuildId; readonly role: Role },
): GuildAuditEntry | undefined {
  if (role.id === everyoneRoleId(guildId)) return undefined
  const { id: role_id, unicodeEmoji: unicode_emoji, ...values } = role
  const about = { guildId, targetId: role_id, options: {}, changes: created({ role_id, ...values, unicode_emoji }) }
  return { ...whoAndWhen(recorded), ...about, actionType: auditActions.ROLE_CREATE }
}

/** The id follows from the event alone, so that a replay gives each entry the id that it had. */
function whoAndWhen({ metadata, position }: AuditedEvent): Pick<GuildAuditEntry, 'id' | 'userId' | 'reason'> {
  const lowBits = Number(BigInt.asUintN(22, position))
  const id = entryId(composeSnowflake(msOf(metadata.at), lowBits))
  return { id, userId: accountOf(metadata.actor), reason: metadata.reason ?? null }
}

function aboutInvite(terms: InviteTerms): Pick<GuildAuditEntry, 'guildId' | 'targetId' | 'options'> {
  const { code, guildId, channelId, inviterId, maxAge, maxUses, temporary } = terms
  const options = { channel_id: channelId, inviter_id: inviterId, max_age: maxAge, max_uses: maxUses, temporary }
  return { guildId, targetId: code, options }
}

function inviteValues(terms: InviteTerms, uses: number): Readonly<Record<string, AuditValue>> {
  return {
    code: terms.code,
    channel_id: terms.channelId,
    guild_id: terms.guildId,
    inviter_id: terms.inviterId,
    uses,
    max_uses: terms.maxUses,
    max_age: terms.maxAge,
    temporary: terms.temporary,
    created_at: terms.createdAt,
  }
}

function created(values: Readonly<Record<string, AuditValue>>): readonly AuditChange[] {
  return Object.entries(values).map(([key, value]) => ({ key, new_value: value }))
}

function deleted(values: Readonly<Record<string, AuditValue>>): readonly AuditChange[] {
  return Object.entries(values).map(([key, value]) => ({ key, old_value: value }))
}

function accountOf(actor: AuditActor): AccountId | null {
  switch (actor.kind) {
    case 'account':
      return actor.id
    case 'admin_key':
      return actor.accountId
    case 'system':
      return null
  }
}
