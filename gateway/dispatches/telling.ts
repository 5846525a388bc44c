import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { Stay } from '../../domain/user-settings/guild-folders.ts'
import type { LastMessages } from '../../application/wire-objects/communities/channel-objects.ts'
import type { AccountRecord } from '../../application/ports/queries/account-queries.ts'
import type { Lookups } from '../visibility/lookups.ts'
import type { NewestMessages } from '../visibility/newest-messages.ts'
import type { Session } from '../sessions/session.ts'
import type { Change, Opening, World } from '../visibility/world.ts'
import type { DispatchName } from '../protocol/dispatch-names.ts'
import type { Dispatch } from './dispatch.ts'

/** How an event is told: first everything it needs is looked up, then the world takes the event in, then it is told. */
export interface Telling {
  /** Whose records it needs. A batch of events looks up the accounts of all its events together. */
  readonly accounts?: readonly AccountId[]
  /** The dispatches that it may lead to. */
  readonly raises: readonly DispatchName[]
  /** Looks up what it needs besides the accounts. Rejects with `LookupFailed`. */
  readonly prepare: (preparation: Preparation) => Promise<Tell> | Tell
}

/**
 * Gives the dispatches of an event, and may first store in the sessions what was looked up. It runs at once after the
 * world took the event in, so that nobody ever sees one without the other.
 */
export type Tell<Name extends DispatchName = DispatchName> = (scene: Scene) => readonly Dispatch<Name>[]

/** What a telling is prepared with. The world has not taken the event in yet. */
export interface Preparation {
  readonly lookups: Lookups
  readonly newest: NewestMessages
  readonly world: World
  /** If the event is a join, and no session here was in that guild: the guild. Otherwise undefined. */
  readonly opening: Opening | undefined
  /** The record of one of the telling's `accounts`. An account that is gone looks like a deleted one. */
  readonly account: (id: AccountId) => AccountRecord
}

/** Where an event is told: what it changed, and how things stand now. */
export interface Scene extends Change {
  /** The newest message and the last pin of each channel of the guild, where the telling learned of those channels. */
  readonly lastMessages: LastMessages
  /** The session's current memberships, last joined first. */
  readonly staysOf: (session: Session) => readonly Stay[]
  readonly onlineCount: (guild: GuildId) => number
  /** When it happened. */
  readonly now: Timestamp
  /** The sessions of an account whose READY does not include the event. */
  readonly sessionsOf: (account: AccountId) => readonly Session[]
}

/** A telling that needs nothing looked up, and the names of all that it may lead to. */
export function telling<const Name extends DispatchName>(raises: readonly Name[], tell: Tell<NoInfer<Name>>): Telling {
  return { raises, prepare: () => tell }
}

/** What is looked up for a telling that leads to some dispatches. */
interface Prepared<Name extends DispatchName> {
  readonly accounts?: readonly AccountId[]
  readonly prepare: (preparation: Preparation) => Promise<Tell<Name>> | Tell<Name>
}

/** The same for a telling that looks something up. */
export function preparing<const Name extends DispatchName>(
  raises: readonly Name[],
  { accounts = [], prepare }: Prepared<NoInfer<Name>>,
): Telling {
  return { accounts, raises, prepare }
}

/** For events that lead to no dispatch. */
export const untold: Telling = telling([], () => [])

/** Several tellings of one event: each looks up what it needs, then each tells, in this order. */
export function inTurn(tellings: readonly Telling[]): Telling {
  return {
    accounts: tellings.flatMap(({ accounts = [] }) => accounts),
    raises: [...new Set(tellings.flatMap(({ raises }) => raises))],
    prepare: async (preparation) => {
      const tells: Tell[] = []
      for (const { prepare } of tellings) tells.push(await prepare(preparation))
      return (scene) => tells.flatMap((tell) => tell(scene))
    },
  }
}

/** Looks up all that a telling needs. Rejects with `LookupFailed`. */
export async function prepared(
  { accounts = [], prepare }: Telling,
  sources: Omit<Preparation, 'account'>,
): Promise<Tell> {
  const records = accounts.length === 0 ? none : await sources.lookups.accountsOf(accounts)
  const account = (id: AccountId): AccountRecord => {
    const record = records.get(id)
    if (!record) throw new Error('a telling shows an account that it did not ask for')
    return record
  }
  return prepare({ ...sources, account })
}

const none: ReadonlyMap<AccountId, AccountRecord> = new Map()
