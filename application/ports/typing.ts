import type { AccountId } from '../../domain/ids/ids.ts'
import type { MessageAudience } from './messages.ts'

/** Somebody began to write a message. */
export interface TypingStart {
  readonly accountId: AccountId
  /** Without recipients: Gateways look them up. */
  readonly place: Pick<MessageAudience, 'channelId' | 'channelType' | 'guildId' | 'parentId'>
  /** In seconds since the Unix epoch. */
  readonly at_s: number
}

/** Tells the sessions that see a place who is writing there. Nothing is stored; told at most once, like every signal. */
export interface Typing {
  start(typing: TypingStart): void
}
