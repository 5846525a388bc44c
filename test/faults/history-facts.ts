import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { AccountEvent } from '../../domain/account/events.ts'
import type { EmailAddressEvent } from '../../domain/email-address/events.ts'
import type { GuildEvent } from '../../domain/guild/events.ts'
import type { HandleEvent } from '../../domain/handle/events.ts'
import type { InviteEvent } from '../../domain/invite/events.ts'
import type { MembershipEvent } from '../../domain/membership/events.ts'

/** Items grouped by a key. */
type Lists<Thing> = ReadonlyMap<string, readonly Thing[]>

/** The history, arranged so that the effect of each command can be found. */
export interface Facts {
  /** Ids of accounts, by username. */
  readonly accounts: Lists<string>
  /** Tags and addresses that are taken, by the id of the account. */
  readonly tags: Lists<string>
  readonly addresses: Lists<string>
  /** Ids of guilds, by name. */
  readonly guilds: Lists<string>
  /** Codes, by `max_age`: each command asks for an age of its own. */
  readonly codes: Lists<string>
  /** The `max_uses` of each invite, by code. */
  readonly maxUses: ReadonlyMap<string, number>
  /** Redemptions that were not released, by code and account. */
  readonly redemptions: Lists<string>
  /** Redemptions by which an account joined, by code and account. */
  readonly admissions: Lists<string>
  readonly joins: Lists<string>
  readonly leaves: Lists<string>
  readonly foundings: Lists<string>
  /** Use counts that any event mentions, by code. */
  readonly uses: Lists<number>
}

type Known = AccountEvent | HandleEvent | EmailAddressEvent | GuildEvent | InviteEvent | MembershipEvent

export const pair = (left: string, right: string): string => `${left} ${right}`

/** Arranges the whole history of a store. */
export function factsOf(events: readonly RecordedEvent[]): Facts {
  const facts = emptyFacts()
  const returned = new Set<string>()
  for (const { type, data } of events) {
    // Skips types that the switch does not name.
    const event = { type, data } as Known
    if (event.type === 'InviteRedemptionReturned') returned.add(event.data.redemptionId)
    note(facts, event)
  }
  for (const [key, ids] of facts.redemptions) {
    facts.redemptions.set(
      key,
      ids.filter((id) => !returned.has(id)),
    )
  }
  return facts
}

function emptyFacts() {
  return {
    accounts: new Map<string, string[]>(),
    tags: new Map<string, string[]>(),
    addresses: new Map<string, string[]>(),
    guilds: new Map<string, string[]>(),
    codes: new Map<string, string[]>(),
    maxUses: new Map<string, number>(),
    redemptions: new Map<string, string[]>(),
    admissions: new Map<string, string[]>(),
    joins: new Map<string, string[]>(),
    leaves: new Map<string, string[]>(),
    foundings: new Map<string, string[]>(),
    uses: new Map<string, number[]>(),
  }
}

function note(facts: ReturnType<typeof emptyFacts>, event: Known): void {
  switch (event.type) {
    case 'AccountRegistered':
      return push(facts.accounts, event.data.username, event.data.accountId)
    case 'HandleClaimed':
      return push(facts.tags, event.data.accountId, `${event.data.username}#${event.data.discriminator}`)
    case 'HandleReleased':
      return void facts.tags.get(event.data.accountId)?.pop()
    case 'EmailAddressClaimed':
      return push(facts.addresses, event.data.accountId, event.data.addressHash)
    case 'EmailAddressReleased':
      return void facts.addresses.get(event.data.accountId)?.pop()
    case 'GuildCreated':
      return push(facts.guilds, event.data.name, event.data.guildId)
    case 'InviteCreated':
      facts.maxUses.set(event.data.code, event.data.maxUses)
      return push(facts.codes, String(event.data.maxAge), event.data.code)
    case 'InviteRedeemed':
      push(facts.uses, event.data.code, event.data.uses)
      return push(facts.redemptions, pair(event.data.code, event.data.accountId), event.data.redemptionId)
    case 'MemberJoined': {
      const { guildId, accountId, admission } = event.data
      push(facts.joins, pair(guildId, accountId), admission.by)
      if (admission.by === 'founding') push(facts.foundings, pair(guildId, accountId), guildId)
      if (admission.by === 'invite') push(facts.admissions, pair(admission.code, accountId), admission.redemptionId)
      return
    }
    case 'MemberLeft':
      return push(facts.leaves, pair(event.data.guildId, event.data.accountId), event.data.guildId)
    default:
  }
}

function push<Thing>(lists: Map<string, Thing[]>, key: string, thing: Thing): void {
  const list = lists.get(key)
  if (list) list.push(thing)
  else lists.set(key, [thing])
}
