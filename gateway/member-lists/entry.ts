import type { AccountId, RoleId } from '../../domain/ids/ids.ts'
import { compareSnowflakes } from '../../domain/ids/snowflake.ts'

/** The roles that some members hold, in one object for all who hold the same. */
export interface RoleSet {
  readonly roles: readonly RoleId[]
  /** Which of them the member stands under while it is online; undefined for none. */
  hoisted: RoleId | undefined
}

/** What a list of members knows of one: what it needs to find its row. */
export interface Entry {
  readonly accountId: AccountId
  nick: string | null
  /** What the account is called without a nickname; undefined until it was looked up. Till then the member is in no list. */
  accountName: string | undefined
  /** What the member is ordered by: the name that is shown, in small letters. */
  sortName: string
  roles: RoleSet
  isOnline: boolean
}

/** The part of an account that a member without a nickname is shown by. */
export interface NamedAccount {
  readonly username: string
  readonly profile: { readonly globalName: string | null }
}

export function nameOf({ profile, username }: NamedAccount): string {
  return profile.globalName ?? username
}

export function sortNameOf({ nick, accountName }: Pick<Entry, 'nick' | 'accountName'>): string {
  return (nick ?? accountName ?? '').toLowerCase()
}

/** By name, then by id. */
export function compareEntries(one: Entry, other: Entry): number {
  if (one.sortName !== other.sortName) return one.sortName < other.sortName ? -1 : 1
  return compareSnowflakes(one.accountId, other.accountId)
}
