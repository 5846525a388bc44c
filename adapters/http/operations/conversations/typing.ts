import { z } from 'zod'
import { startTyping } from '../../../../application/conversations/typing/start-typing.ts'
import { accounts } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { channelIdInput } from '../../schemas/scalars.ts'

const startTypingOperation = operation({
  name: 'Start typing',
  description: 'Tells those who see a channel that the caller is writing there: TYPING_START. Nothing is stored.',
  route: 'POST /v1/channels/:channel_id/typing',
  callers: accounts({ bots: true }),
  bucket: perUser('channel:typing', { requests: 20, seconds: 10 }),
  params: z.object({ channel_id: channelIdInput }),
  replies: { 204: none },
  refuses: [
    'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL',
    'COMMUNICATION_DISABLED',
    'DIRECT_MESSAGES_DISABLED',
    'MISSING_ACCESS',
    'MISSING_PERMISSIONS',
    'THREAD_ARCHIVED',
    'THREAD_LOCKED',
    'UNKNOWN_CHANNEL',
  ],
  useCase: startTyping,
  handle: ({ caller, params }, run) => run(caller, params.channel_id),
})

/** Who is writing. */
export const typingOperations: readonly Operation[] = [startTypingOperation]
