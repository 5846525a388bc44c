import { relationshipTypes } from '../../domain/relationship/relationship-types.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { SessionSnapshot } from '../../application/ports/queries/session-snapshot.ts'
import type { AccountId, ChannelId } from '../../domain/ids/ids.ts'
import { accountsOf, isBetweenAccounts, isOfPrivateChannel, type KnownEvent } from '../visibility/known-event.ts'

type CircleParts = Pick<SessionSnapshot, 'account' | 'relationships' | 'privateChannels' | 'position'>

/** The accounts that an account follows, as of a snapshot. */
export function followedIn(snapshot: CircleParts): ReadonlySet<AccountId> {
  return snapshot.account.bot ? nobody : followedBy(circleOf(snapshot), snapshot.account.id)
}

/** The accounts that an account follows automatically. */
interface Circle {
  /** Events up to here are included. */
  position: Position
  readonly friends: Set<AccountId>
  readonly groups: Map<ChannelId, readonly AccountId[]>
  followed: ReadonlySet<AccountId>
}

const nobody: ReadonlySet<AccountId> = new Set()

/**
 * The accounts that people with sessions here follow without asking: their friends, and other recipients of their
 * groups (rules/gateway#presences). Bots follow nobody this way. Its size follows the friends and groups of accounts
 * with sessions here.
 */
export class Acquaintances {
  readonly #circles = new Map<AccountId, Circle>()
  readonly #followers = new Map<AccountId, Set<AccountId>>()

  followersOf(account: AccountId): ReadonlySet<AccountId> {
    return this.#followers.get(account) ?? nobody
  }

  followedBy(account: AccountId): ReadonlySet<AccountId> {
    return this.#circles.get(account)?.followed ?? nobody
  }

  /** Adds an account when a session of it begins, with the events since its snapshot. */
  admit(snapshot: CircleParts, missed: readonly KnownEvent[]): void {
    const { account, position } = snapshot
    if (account.bot) return
    const known = this.#circles.get(account.id)
    const circle = known && known.position >= position ? known : circleOf(snapshot)
    this.#circles.set(account.id, circle)
    for (const event of missed) evolve(circle, account.id, event)
    this.#follow(account.id, circle, known?.followed ?? nobody)
  }

  /** Forgets the accounts that an account follows. */
  forget(account: AccountId): void {
    for (const followed of this.followedBy(account)) this.#unfollow(account, followed)
    this.#circles.delete(account)
  }

  /** Applies an event. Gives the new pairs of follower and followed. */
  apply(event: KnownEvent): readonly (readonly [follower: AccountId, followed: AccountId])[] {
    if (!isBetweenAccounts(event) && !isOfPrivateChannel(event)) return []
    return accountsOf(event).flatMap((account) => {
      const circle = this.#circles.get(account)
      if (!circle || !evolve(circle, account, event)) return []
      const before = circle.followed
      return this.#follow(account, circle, before).map((followed) => [account, followed] as const)
    })
  }

  /** Gives the accounts that the account did not follow before. */
  #follow(account: AccountId, circle: Circle, before: ReadonlySet<AccountId>): readonly AccountId[] {
    const followed = followedBy(circle, account)
    circle.followed = followed
    for (const other of before) if (!followed.has(other)) this.#unfollow(account, other)
    const added = [...followed].filter((other) => !before.has(other))
    for (const other of added) {
      const followers = this.#followers.get(other) ?? new Set()
      this.#followers.set(other, followers.add(account))
    }
    return added
  }

  #unfollow(account: AccountId, followed: AccountId): void {
    const followers = this.#followers.get(followed)
    followers?.delete(account)
    if (followers?.size === 0) this.#followers.delete(followed)
  }
}

function circleOf({ relationships, privateChannels, position }: CircleParts): Circle {
  const friends = relationships.flatMap(({ type, otherId }) => (type === relationshipTypes.friend ? [otherId] : []))
  const groups = privateChannels.filter(({ kind }) => kind === 'group')
  return {
    position,
    friends: new Set(friends),
    groups: new Map(groups.map(({ id, recipients }) => [id, recipients])),
    followed: nobody,
  }
}

function followedBy({ friends, groups }: Circle, account: AccountId): ReadonlySet<AccountId> {
  const followed = new Set([...friends, ...[...groups.values()].flat()])
  followed.delete(account)
  return followed
}

/** Says whether the circle may have changed. */
function evolve(circle: Circle, account: AccountId, event: KnownEvent): boolean {
  if (event.position <= circle.position) return false
  if (isBetweenAccounts(event)) {
    const { accountId, otherId } = event.data
    if (accountId !== account && otherId !== account) return false
    const other = accountId === account ? otherId : accountId
    if (event.type === 'FriendshipFormed') circle.friends.add(other)
    // Friendship is mutual: blocking a friend ends it.
    else if (event.type === 'AccountBlocked') circle.friends.delete(other)
    else if (event.type === 'RelationshipRemoved' && event.data.removedFrom.includes(account))
      circle.friends.delete(other)
    else return false
  } else if (isOfPrivateChannel(event) && 'recipients' in event.data) {
    const { channelId, recipients } = event.data
    if (recipients.includes(account)) circle.groups.set(channelId, recipients)
    else if (!circle.groups.delete(channelId)) return false
  } else return false
  circle.position = event.position
  return true
}
