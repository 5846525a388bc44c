import type { TypingStart } from '../../../application/ports/typing.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'

/** When accounts type. */
export const typedAt_s = 1_700_000_000

/** The signals of accounts that write messages. */
export class Typists {
  #hear: ((typing: TypingStart) => void) | undefined

  subscribe(handle: (typing: TypingStart) => void): () => void {
    this.#hear = handle
    return () => {
      this.#hear = undefined
    }
  }

  /** An account writes in a channel or thread of a guild, or in a private channel. */
  type(accountId: AccountId, place: Partial<TypingStart['place']> & Pick<TypingStart['place'], 'channelId'>): void {
    const plain = { channelType: 0, guildId: null, parentId: null }
    this.#hear?.({ accountId, place: { ...plain, ...place }, at_s: typedAt_s })
  }
}
