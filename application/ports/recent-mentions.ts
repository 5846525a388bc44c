import type { AccountId, GuildId, MessageId, RoleId } from '../../domain/ids/ids.ts'
import type { MessageReference } from './messages.ts'
import type { Stay } from './read-states.ts'

/** Whose mentions an account is shown. */
export interface MentionWishes {
  readonly account: AccountId
  readonly stays: readonly Stay[]
  /** The account's guilds in which everyone counts. */
  readonly everyoneIn: readonly GuildId[]
  /** The account's roles that count. */
  readonly roles: readonly RoleId[]
  /** Messages that also mention one of these are left out. */
  readonly without: readonly (GuildId | RoleId)[]
  /** Messages of these accounts are left out. */
  readonly notBy: readonly AccountId[]
}

export interface MentionPage {
  /** Only older messages. */
  readonly before: MessageId | undefined
  /** 1-100. */
  readonly limit: number
}

/** A message in a guild that mentions an account. */
export type MentionPlace = Pick<MessageReference, 'channelId' | 'messageId'> & { readonly guildId: GuildId }

/**
 * The messages in guilds that mention an account: directly, by a role, or with everyone, since it joined. Its own are none of them. They
 * go with their message. Rejects with a subclass of Unavailable if Postgres can't be reached.
 */
export interface RecentMentions {
  /** A page of those that it has not put aside, the newest first. */
  page(wishes: MentionWishes, page: MentionPage): Promise<readonly MentionPlace[]>
  /** Puts messages aside, at most 100, and notifies the sessions of the account of each that was there and was not put aside. */
  dismiss(account: AccountId, stays: readonly Stay[], messages: readonly MessageId[]): Promise<void>
  /** Forgets what an account has put aside. Safe to repeat. */
  removeAllOf(account: AccountId): Promise<void>
}
