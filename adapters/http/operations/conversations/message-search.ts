import { searchMessages } from '../../../../application/conversations/search/search-messages.ts'
import { accounts } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { operation, type Operation } from '../../operation.ts'
import { messageSearchInput, messageSearchOutput } from '../../schemas/conversations/message-search.ts'

const searchMessagesOperation = operation({
  name: 'Search messages',
  description: 'Finds messages that the caller may read by their words, authors, mentions, files, links and more.',
  route: 'POST /v1/search/messages',
  callers: accounts({ bots: true }),
  bucket: perUser('search:messages', { requests: 20, seconds: 10 }),
  body: messageSearchInput,
  exampleBody: { context_channel_id: '1500000000000000000', content: 'hello' },
  keepsNoAnswer: true,
  replies: { 200: messageSearchOutput },
  refuses: [
    'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL',
    'MISSING_ACCESS',
    'MISSING_PERMISSIONS',
    'NSFW_CONTENT_AGE_RESTRICTED',
    'UNKNOWN_CHANNEL',
    'UNKNOWN_GUILD',
  ],
  useCase: searchMessages,
  handle: ({ caller, body }, run) => run(caller, body),
})

/** Messages by what they say. */
export const messageSearchOperations: readonly Operation[] = [searchMessagesOperation]
