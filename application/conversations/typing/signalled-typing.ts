import { z } from 'zod'
import { accountId, channelId, guildId } from '../../../domain/ids/ids.ts'
import type { Signals } from '../../ports/signals.ts'
import type { Typing, TypingStart } from '../../ports/typing.ts'
import { signalledId } from '../../presence/signalled-id.ts'

/** The payload of the signal kind `typing`. */
const typingMessage = z.object({
  accountId: signalledId.transform(accountId),
  place: z.object({
    channelId: signalledId.transform(channelId),
    channelType: z.int(),
    guildId: signalledId.transform(guildId).nullable(),
    parentId: signalledId.transform(channelId).nullable(),
  }),
  at_s: z.int(),
})

/** Connects the processes that handle requests with those that have sessions. */
export interface SignalledTyping extends Typing {
  /** Calls `handle` for each start, until the returned function is called. */
  subscribe(handle: (typing: TypingStart) => void): () => void
}

/** Who is writing, sent as signals. The signals report payloads that cannot be read, and drop them. */
export function signalledTyping(signals: Signals): SignalledTyping {
  return {
    start: (typing) => signals.publish('typing', { ...typing }),
    subscribe: (handle) => signals.subscribe('typing', (payload) => handle(typingMessage.parse(payload))),
  }
}
