import { accountEvents, type AccountEvent } from '../../domain/account/events.js'
import { guildEvents, type GuildEvent } from '../../domain/guild/events.js'
import type { AccountId, GuildId } from '../../domain/ids/ids.js'
import { inviteEvents, type InviteEvent } from '../../domain/invite/events.js'
import { membershipEvents, type MembershipEvent } from '../../domain/membership/events.js'
import type { EventCatalog } from '../../domain/kernel/event-catalog.js'
import { userGuildSettingsEvents, type UserGuildSettingsEvent } from '../../domain/user-guild-settings/events.js'
import { userSettingsEvents, type UserSettingsEvent } from '../../domain/user-settings/events.js'
import type { EventMetadata, Position, RecordedEvent } from '../../application/ports/event-store.js'

/** What happens to an account and to nobody else, each in a stream of the account's. */
type OwnFact = AccountEvent | UserSettingsEvent | UserGuildSettingsEvent
type Fact = OwnFact | GuildEvent | InviteEvent | MembershipEvent

/** An event that the Gateway has something to do with. */
export type KnownEvent = Fact & { readonly position: Position; readonly metadata: EventMetadata }

/** A known event of one type. */
export type Known<Type extends KnownEvent['type']> = Extract<KnownEvent, { readonly type: Type }>

const ownCatalogs = [accountEvents, userSettingsEvents, userGuildSettingsEvents]
const typesOf = (catalogs: readonly EventCatalog[]): ReadonlySet<string> =>
  new Set(catalogs.flatMap(({ events }) => Object.keys(events)))

const knownTypes = typesOf([...ownCatalogs, guildEvents, inviteEvents, membershipEvents])

/** Reads an event that came over the bus; undefined for one of a kind that no session hears of. */
export function knownEventIn({ type, data, position, metadata }: RecordedEvent): KnownEvent | undefined {
  // The codec has checked that the data is what the type says, and type names are unique.
  return knownTypes.has(type) ? ({ type, data, position, metadata } as KnownEvent) : undefined
}

const ownTypes = typesOf(ownCatalogs)

/** Whether an event is of an account's own streams: it happened in no guild. */
export function isOfAccount(event: KnownEvent): event is Known<OwnFact['type']> {
  return ownTypes.has(event.type)
}

/** The guild that an event happened in, where it says so. */
export function guildOf({ data }: KnownEvent): GuildId | undefined {
  return 'guildId' in data ? data.guildId : undefined
}

/** The account whose membership, sessions or self an event is about. */
export function accountOf({ data }: KnownEvent): AccountId | undefined {
  return 'accountId' in data ? data.accountId : undefined
}
