import type { ReactionChange } from '../../../application/ports/reactions.ts'
import type { Message } from '../../../application/ports/messages.ts'
import type { Crowd } from './crowd.ts'

/** The subject of a crowd reacts to a message in the hidden channel, or its reactions are removed. */
export function reacts(
  { stage, chat, ids, message }: Crowd,
  kind: ReactionChange['kind'],
  sessionId: string | null = null,
  { id }: Pick<Message, 'id'> = message,
) {
  return stage.messages.reactions.change({
    kind,
    messageId: id,
    audience: chat.audience,
    without: [],
    emoji: { id: null, name: '👍', animated: false },
    accountId: ids.subject,
    sessionId,
    mayBeFirst: true,
    users_max: 10,
    emojis_max: 10,
  })
}
