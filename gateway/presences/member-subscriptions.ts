import type { AccountId } from '../../domain/ids/ids.ts'
import type { Link } from '../visibility/room.ts'

const nobody: ReadonlySet<AccountId> = new Set()
const noLinks: ReadonlySet<Link> = new Set()

/**
 * The members that people's sessions follow in their guilds by Lazy Request: at most 1000 per guild. Whether they may
 * see a member is checked for each update.
 */
export class MemberSubscriptions {
  readonly #followed = new Map<Link, ReadonlySet<AccountId>>()
  /** Those that are told of when they end. */
  readonly #noted = new WeakSet<Link>()
  readonly #followers = new Map<AccountId, Set<Link>>()

  /** The sessions that follow an account, in any guild. */
  followersOf(account: AccountId): ReadonlySet<Link> {
    return this.#followers.get(account) ?? noLinks
  }

  followedBy(link: Link): ReadonlySet<AccountId> {
    return this.#followed.get(link) ?? nobody
  }

  /** Makes a session follow exactly these members of the guild. Gives those that it did not follow before. */
  replace(link: Link, accounts: readonly AccountId[]): readonly AccountId[] {
    const before = this.followedBy(link)
    const followed = new Set(accounts)
    for (const account of before) if (!followed.has(account)) this.#unfollow(link, account)
    const added = [...followed].filter((account) => !before.has(account))
    for (const account of added) {
      const followers = this.#followers.get(account) ?? new Set()
      this.#followers.set(account, followers.add(link))
    }
    if (followed.size > 0) this.#followed.set(link, followed)
    else this.#followed.delete(link)
    if (!this.#noted.has(link)) {
      this.#noted.add(link)
      link.ended ??= new Set()
      link.ended.add(() => {
        this.replace(link, [])
      })
    }
    return added
  }

  #unfollow(link: Link, account: AccountId): void {
    link.told.delete(account)
    const followers = this.#followers.get(account)
    followers?.delete(link)
    if (followers?.size === 0) this.#followers.delete(account)
  }
}
