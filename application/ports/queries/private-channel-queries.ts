import type { AccountId, ChannelId } from '../../../domain/ids/ids.js'

/** A direct message, a group direct message, or somebody's personal notes (reference gateway 3.4, types 1, 3 and 999). */
export interface PrivateChannel {
  readonly id: ChannelId
  readonly kind: 'direct' | 'group' | 'notes'
  /** Every account that takes part now, in ascending order of their ids: the two of a direct message, the one of notes. */
  readonly recipients: readonly AccountId[]
  /** Of a direct message, those who do not have it among their channels: who writes in it shows it to them first. */
  readonly closedFor: readonly AccountId[]
  /** Null but for a group. */
  readonly ownerId: AccountId | null
  /** 1-100 characters; null for one without a name. */
  readonly name: string | null
  /** The hash of an image; null for none. */
  readonly icon: string | null
  /** What recipients are called in a group. */
  readonly nicks: Readonly<Record<string, string>>
}

/** Private channels that exist, but for personal notes, which everybody has. */
export interface PrivateChannelQueries {
  find(channel: ChannelId): Promise<PrivateChannel | undefined>
  /** Those that there are, in no order. */
  findMany(channels: readonly ChannelId[]): Promise<readonly PrivateChannel[]>
  /** The direct message of two accounts, open for them or not. */
  between(one: AccountId, other: AccountId): Promise<PrivateChannel | undefined>
  /** Those that are open for an account: the direct messages that it has not closed, and its groups, the newest first. */
  openFor(account: AccountId): Promise<readonly PrivateChannel[]>
  /** How many those are. */
  openCountOf(account: AccountId): Promise<number>
  /** Whether two accounts take part in one and the same group. */
  shareGroup(one: AccountId, other: AccountId): Promise<boolean>
  /** How many groups an account takes part in. */
  groupCountOf(account: AccountId): Promise<number>
}
