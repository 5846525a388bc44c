import type { Account } from '../../../domain/account/state.ts'
import type { AccountId, ApplicationId, GuildId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { guildsOwnedBy } from '../../access/owns-guild.ts'
import { findHeir } from '../../communities/guilds/find-heir.ts'
import { protectedGuild } from '../../communities/guilds/one-community.ts'
import type { StoreProvider } from '../../../domain/store-purchase/purchase-facts.ts'
import { isOver } from '../../../domain/store-purchase/shown-purchase.ts'
import type { Ports } from '../../ports.ts'
import { purchasesOf } from '../premium/recompute-premium.ts'

/** Why an account is not erased although its deletion is due. */
export interface ErasureObstacle {
  readonly guildId: GuildId
  /**
   * `holder_owns_guild`: the holder asked for the deletion, and has to give the guild away first. `single_community`: nobody could
   * get the single community of the instance, which cannot be deleted.
   */
  readonly why: 'holder_owns_guild' | 'single_community'
}

/** What becomes of a guild: it goes to an heir, or is deleted where there is none. */
export interface GuildToHandOn {
  readonly id: GuildId
  readonly name: string
  readonly heir: AccountId | null
}

/** What becomes of subscriptions in the stores. */
export interface SubscriptionsTaken {
  /**
   * Those of store B. They are revoked with a refund soon after an administrator scheduled the deletion; otherwise the erasure
   * cancels their payments.
   */
  readonly storeB_count: number
  /** Those of store A that still run: only the customer can cancel them there. */
  readonly storeA_count: number
}

/** What the erasure of an account would take if it were due now. */
export interface ErasurePlan {
  readonly accountId: AccountId
  readonly dueAt: Timestamp
  /** Null if the holder asked for it. */
  readonly scheduledBy: AccountId | null
  readonly scheduledAt: Timestamp | null
  readonly guilds: readonly GuildToHandOn[]
  /** They are deleted with their bots. */
  readonly applications: readonly { readonly id: ApplicationId; readonly name: string }[]
  readonly memberships_count: number
  readonly subscriptions: SubscriptionsTaken
  /** None: it is erased when it is due. */
  readonly obstacles: readonly ErasureObstacle[]
}

type Needs = Pick<Ports, 'aggregates' | 'instancePolicies' | 'queries'>

/** Foretells the erasure of an account, with the very functions that erase it; undefined if no deletion is pending. */
export function whatErasureTakes(ports: Needs) {
  return async (accountId: AccountId): Promise<ErasurePlan | undefined> => {
    const { state } = await ports.aggregates.account.load(accountId)
    if (state.status !== 'registered' || state.deletion === null) return undefined
    const { dueAt, scheduledBy, scheduledAt } = state.deletion
    const applications = await ports.queries.applications.ofOwner(accountId)
    return {
      accountId,
      dueAt,
      scheduledBy,
      scheduledAt,
      guilds: await guildsToHandOn(ports, accountId),
      applications: applications.map(({ id, name }) => ({ id, name })),
      memberships_count: await ports.queries.members.guildCountOf(accountId),
      subscriptions: await subscriptionsTaken(ports, state),
      obstacles: await erasureObstacles(ports, state),
    }
  }
}

async function subscriptionsTaken(ports: Needs, { id, premium, deletion }: Account): Promise<SubscriptionsTaken> {
  const named = premium.purchases.filter(({ kind }) => kind === 'subscription').map(({ purchase }) => purchase)
  const own = (await purchasesOf(ports, named)).filter(({ owner }) => owner === id)
  const mayBeRevoked = (deletion?.scheduledBy ?? null) !== null
  const count = (wanted: StoreProvider, alsoOver: boolean): number =>
    own.filter((purchase) => purchase.provider === wanted && (alsoOver || !isOver(purchase))).length
  return { storeA_count: count('store_a', false), storeB_count: count('store_b', mayBeRevoked) }
}

/** What stands in the way of the erasure of an account. */
export async function erasureObstacles(
  ports: Needs,
  { id, deletion }: Pick<Account, 'id' | 'deletion'>,
): Promise<readonly ErasureObstacle[]> {
  const owned = await guildsOwnedBy(ports, id)
  if ((deletion?.scheduledBy ?? null) === null)
    return owned.map((guild) => ({ guildId: guild.id, why: 'holder_owns_guild' }))
  const kept = await protectedGuild(ports)
  const single = owned.find((guild) => guild.id === kept)
  return single && (await heirOf(ports, single.id)) === null ? [{ guildId: single.id, why: 'single_community' }] : []
}

async function guildsToHandOn(ports: Needs, owner: AccountId): Promise<readonly GuildToHandOn[]> {
  const handedOn: GuildToHandOn[] = []
  for (const { id, name } of await guildsOwnedBy(ports, owner))
    handedOn.push({ id, name, heir: await heirOf(ports, id) })
  return handedOn
}

async function heirOf(ports: Needs, guildId: GuildId): Promise<AccountId | null> {
  const guild = await ports.queries.guilds.find(guildId)
  return guild ? findHeir(ports, guild) : null
}
