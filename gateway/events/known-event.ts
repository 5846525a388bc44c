import { accountEvents, type AccountEvent } from '../../domain/account/events.js'
import { guildEvents, type GuildEvent } from '../../domain/guild/events.js'
import type { AccountId, GuildId } from '../../domain/ids/ids.js'
import { inviteEvents, type InviteEvent } from '../../domain/invite/events.js'
import { membershipEvents, type MembershipEvent } from '../../domain/membership/events.js'
import type { EventMetadata, Position, RecordedEvent } from '../../application/ports/event-store.js'

type Fact = AccountEvent | GuildEvent | InviteEvent | MembershipEvent

/** An event that the Gateway has something to do with. */
export type KnownEvent = Fact & { readonly position: Position; readonly metadata: EventMetadata }

/** A known event of one type. */
export type Known<Type extends KnownEvent['type']> = Extract<KnownEvent, { readonly type: Type }>

const knownTypes: ReadonlySet<string> = new Set(
  [accountEvents, guildEvents, inviteEvents, membershipEvents].flatMap(({ events }) => Object.keys(events)),
)

/** Reads an event that came over the bus; undefined for one of a kind that no session hears of. */
export function knownEventIn({ type, data, position, metadata }: RecordedEvent): KnownEvent | undefined {
  // The codec has checked that the data is what the type says, and type names are unique.
  return knownTypes.has(type) ? ({ type, data, position, metadata } as KnownEvent) : undefined
}

const accountTypes: ReadonlySet<string> = new Set(Object.keys(accountEvents.events))

/** Whether an event is of an account's own stream: it happened in no guild. */
export function isOfAccount(event: KnownEvent): event is Known<AccountEvent['type']> {
  return accountTypes.has(event.type)
}

/** The guild that an event happened in, where it says so. */
export function guildOf({ data }: KnownEvent): GuildId | undefined {
  return 'guildId' in data ? data.guildId : undefined
}

/** The account whose membership, sessions or self an event is about. */
export function accountOf({ data }: KnownEvent): AccountId | undefined {
  return 'accountId' in data ? data.accountId : undefined
}
