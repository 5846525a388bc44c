import { LRUCache } from 'lru-cache'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import { growsTo } from '../../domain/kernel/grows-to.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { heldRoles } from '../../domain/permissions/held-roles.ts'
import { memberObject } from '../../application/wire-objects/communities/member-objects.ts'
import type { Lookups } from '../visibility/lookups.ts'
import type { Room } from '../visibility/room.ts'
import type { SeenPresences } from '../visibility/seen-presences.ts'

export interface ItemTextsSettings {
  readonly lookups: Lookups
  readonly presences: SeenPresences
  readonly now: () => Timestamp
  readonly texts_max: number
}

type Key = `${GuildId} ${AccountId}`

const keyOf = (guild: GuildId, account: AccountId): Key => `${guild} ${account}`

/** The rows of members as JSON. They are made from what is looked up, and kept until the member or its account changes. */
export class ItemTexts {
  readonly #settings: ItemTextsSettings
  readonly #texts: LRUCache<Key, string>
  /** Rows being looked up. One whose member changes meanwhile is taken out. */
  readonly #asked = new Set<Set<Key>>()

  constructor(settings: ItemTextsSettings) {
    this.#settings = settings
    this.#texts = new LRUCache(growsTo(settings.texts_max))
  }

  of(guild: GuildId, account: AccountId): string | undefined {
    return this.#texts.get(keyOf(guild, account))
  }

  forget(guild: GuildId, account: AccountId): void {
    const key = keyOf(guild, account)
    this.#texts.delete(key)
    for (const asked of this.#asked) asked.delete(key)
  }

  /** Forgets all rows: a role is gone that they may name. */
  clear(): void {
    this.#texts.clear()
    for (const asked of this.#asked) asked.clear()
  }

  /** Looks up the rows of some members, at most 1000. Gives those who are none. Rejects with `LookupFailed`. */
  async lookUp(room: Room, accounts: readonly AccountId[]): Promise<readonly AccountId[]> {
    const { lookups, presences, now } = this.#settings
    const guild = room.id
    const asked = new Set(accounts.map((account) => keyOf(guild, account)))
    this.#asked.add(asked)
    try {
      const members = await lookups.ask((sources) => sources.members.among(guild, accounts))
      const records = await lookups.accountsOf(members.map(({ accountId }) => accountId))
      const seen = await presences.lookUp([...records.values()])
      for (const member of members) {
        const { accountId } = member
        const [account, presence] = [records.get(accountId), seen(accountId)]
        if (!account || !presence || !asked.has(keyOf(guild, accountId))) continue
        const { status, mobile, afk, custom_status } = presence
        const shown = {
          ...memberObject(heldRoles(room.guild, member), account, now()),
          presence: { status, mobile, afk, custom_status },
        }
        this.#texts.set(keyOf(guild, accountId), JSON.stringify({ member: shown }))
      }
      const found = new Set(members.map(({ accountId }) => accountId))
      return accounts.filter((account) => !found.has(account))
    } finally {
      this.#asked.delete(asked)
    }
  }
}
