import { adminKeyEvents, type AdminKeyEvent } from '../../domain/admin-key/events.ts'
import { accountEvents, type AccountEvent } from '../../domain/account/events.ts'
import { directChannelEvents, type DirectChannelEvent } from '../../domain/direct-channel/events.ts'
import { guildEvents, type GuildEvent } from '../../domain/guild/events.ts'
import { guildExpressionsEvents, type GuildExpressionsEvent } from '../../domain/guild-expressions/events.ts'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import { guildAuditEvents, type GuildAuditEvent } from '../../domain/guild-audit/events.ts'
import { inviteEvents, type InviteEvent } from '../../domain/invite/events.ts'
import { membershipEvents, type MembershipEvent } from '../../domain/membership/events.ts'
import { privateChannelEvents, type PrivateChannelEvent } from '../../domain/private-channel/events.ts'
import { relationshipEvents, type RelationshipEvent } from '../../domain/relationship/events.ts'
import { threadEvents, type ThreadEvent } from '../../domain/thread/events.ts'
import { webhookEvents, type WebhookEvent } from '../../domain/webhook/events.ts'
import type { EventDefinitions } from '../../domain/kernel/event-catalog.ts'
import { userGuildSettingsEvents, type UserGuildSettingsEvent } from '../../domain/user-guild-settings/events.ts'
import { userSettingsEvents, type UserSettingsEvent } from '../../domain/user-settings/events.ts'
import type { EventMetadata, RecordedEvent } from '../../application/ports/event-store.ts'
import type { Position } from '../../domain/kernel/position.ts'
import { shownFlags } from '../../application/wire-objects/identity/user-objects.ts'

/** The events of an account alone, in its own streams. */
export type OwnFact = AccountEvent | UserSettingsEvent | UserGuildSettingsEvent
type Fact =
  | OwnFact
  | AdminKeyEvent
  | GuildAuditEvent
  | GuildEvent
  | GuildExpressionsEvent
  | InviteEvent
  | MembershipEvent
  | RelationshipEvent
  | WebhookEvent

/** The events of a direct message or group. */
type PrivateFact = DirectChannelEvent | PrivateChannelEvent

/** The events of a guild's thread. */
export type ThreadFact = ThreadEvent

/** An event that the Gateway handles. */
export type KnownEvent = (Fact | PrivateFact | ThreadFact) & {
  readonly position: Position
  readonly metadata: EventMetadata
}

/** A known event of one type. */
export type Known<Type extends KnownEvent['type']> = Extract<KnownEvent, { readonly type: Type }>

const ownCatalogs = [accountEvents, userSettingsEvents, userGuildSettingsEvents]
const typesOf = (catalogs: readonly EventDefinitions[]): ReadonlySet<string> =>
  new Set(catalogs.flatMap((events) => Object.keys(events)))

const knownTypes = typesOf([
  ...ownCatalogs,
  adminKeyEvents,
  guildAuditEvents,
  guildEvents,
  guildExpressionsEvents,
  inviteEvents,
  membershipEvents,
  directChannelEvents,
  privateChannelEvents,
  relationshipEvents,
  threadEvents,
  webhookEvents,
])

/** Parses an event from the bus; undefined for one that no session is notified of. */
export function knownEventIn({ type, data, position, metadata }: RecordedEvent): KnownEvent | undefined {
  // The codec has checked that the data matches the type, and type names are unique.
  return knownTypes.has(type) ? ({ type, data, position, metadata } as KnownEvent) : undefined
}

const ownTypes = typesOf(ownCatalogs)

/** Whether an event is in an account's own streams, and so in no guild. */
export function isOfAccount(event: KnownEvent): event is Known<OwnFact['type']> {
  return ownTypes.has(event.type)
}

const guildTypes = typesOf([guildEvents])

/** Whether an event is in a guild's own stream: it changes the guild itself. */
export function isOfGuild(event: KnownEvent): event is Known<GuildEvent['type']> {
  return guildTypes.has(event.type)
}

const webhookTypes = typesOf([webhookEvents])

/** Whether an event is in the stream of a webhook. */
export function isOfWebhook(event: KnownEvent): event is Known<WebhookEvent['type']> {
  return webhookTypes.has(event.type)
}

const expressionTypes = typesOf([guildExpressionsEvents])

/** Whether an event is about the emojis or stickers of a guild. */
export function isOfExpressions(event: KnownEvent): event is Known<GuildExpressionsEvent['type']> {
  return expressionTypes.has(event.type)
}

const betweenTypes = typesOf([relationshipEvents])

/** Whether an event is between two accounts, in no guild. */
export function isBetweenAccounts(event: KnownEvent): event is Known<RelationshipEvent['type']> {
  return betweenTypes.has(event.type)
}

const privateTypes = typesOf([directChannelEvents, privateChannelEvents])

/** Whether an event is about a private channel, in no guild. */
export function isOfPrivateChannel(event: KnownEvent): event is Known<PrivateFact['type']> {
  return privateTypes.has(event.type)
}

/** The guild of an event, if it names one. */
export function guildOf({ data }: KnownEvent): GuildId | undefined {
  return 'guildId' in data ? data.guildId : undefined
}

/** The account whose membership, sessions or own data an event is about. */
export function accountOf({ data }: KnownEvent): AccountId | undefined {
  return 'accountId' in data ? data.accountId : undefined
}

/** The events after which an account may look different in its guilds. */
export type ShownChange = 'TagChanged' | 'ProfileChanged' | 'FlagsChanged' | 'BotStatusSet' | 'SystemStatusSet'

/** Whether an account looks different in its guilds, whichever these are. */
export function changesShownAccount(event: KnownEvent): event is Known<ShownChange> {
  switch (event.type) {
    case 'TagChanged':
    case 'BotStatusSet':
    case 'SystemStatusSet':
      return true
    case 'ProfileChanged':
      return event.data.shownInGuilds === true
    case 'FlagsChanged':
      return shownFlags(event.data) !== shownFlags({ flags: event.data.before ?? '0' })
    default:
      return false
  }
}

/** All accounts that an event is about: both for an event between two, all recipients for one of a group. */
export function accountsOf(event: KnownEvent): readonly AccountId[] {
  if (isBetweenAccounts(event)) return [event.data.accountId, event.data.otherId]
  const account = accountOf(event)
  const own = account === undefined ? [] : [account]
  return 'recipients' in event.data ? [...own, ...event.data.recipients] : own
}
