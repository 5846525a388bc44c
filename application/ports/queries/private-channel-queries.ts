import type { AccountId, ChannelId } from '../../../domain/ids/ids.ts'

/** A direct message, a group direct message, or an account's personal notes: on the wire the types 1, 3 and 999. */
export interface PrivateChannel {
  readonly id: ChannelId
  readonly kind: 'direct' | 'group' | 'notes'
  /** All current recipients, in ascending order of ids: two for a direct message, one for notes. */
  readonly recipients: readonly AccountId[]
  /** For a direct message: the recipients who do not have it in their channel list. A new message opens it for them first. */
  readonly closedFor: readonly AccountId[]
  /** Null unless it is a group. */
  readonly ownerId: AccountId | null
  /** 1-100 characters; null for no name. */
  readonly name: string | null
  /** The hash of an image; null for none. */
  readonly icon: string | null
  /** The recipients' nicknames in a group. */
  readonly nicks: Readonly<Record<string, string>>
}

/** A page of direct messages, by the ids of the channels. At most one cursor. */
export interface DirectChannelPage {
  readonly before?: ChannelId
  readonly after?: ChannelId
  /** 1-200. */
  readonly limit: number
}

/** Existing private channels, except personal notes, which everybody has. */
export interface PrivateChannelQueries {
  find(channel: ChannelId): Promise<PrivateChannel | undefined>
  /** Those that exist, in no order. */
  findMany(channels: readonly ChannelId[]): Promise<readonly PrivateChannel[]>
  /** The direct message between two accounts, whether or not they have it open. */
  between(one: AccountId, other: AccountId): Promise<PrivateChannel | undefined>
  /** The open channels of an account, newest first: its groups, and the direct messages that it has not closed. */
  openFor(account: AccountId): Promise<readonly PrivateChannel[]>
  /**
   * The direct messages of an account, closed ones too: newest first, or oldest first after a cursor. The last one is the next
   * cursor either way.
   */
  directOf(account: AccountId, page: DirectChannelPage): Promise<readonly PrivateChannel[]>
  /** How many open channels an account has. */
  openCountOf(account: AccountId): Promise<number>
  /** Whether two accounts share a group. */
  shareGroup(one: AccountId, other: AccountId): Promise<boolean>
  /** How many groups an account is in. */
  groupCountOf(account: AccountId): Promise<number>
}
