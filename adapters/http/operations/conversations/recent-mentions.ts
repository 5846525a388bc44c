import { z } from 'zod'
import { dismissMentions } from '../../../../application/conversations/recent-mentions/dismiss-mentions.ts'
import { listMentions } from '../../../../application/conversations/recent-mentions/list-mentions.ts'
import { perUser } from '../../bucket.ts'
import { accounts } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { messageList } from '../../schemas/conversations/messages.ts'
import { queryInteger, queryTrueUnlessGiven } from '../../schemas/query-inputs.ts'
import { messageIdInput } from '../../schemas/scalars.ts'

const dismissed_max = 100
const bucketOfDismissing = perUser('user:mentions:delete', { requests: 60, seconds: 10 })

const listMentionsOperation = operation({
  name: 'List recent mentions',
  description: 'A page of the messages in guilds that mention the caller, the newest first.',
  route: 'GET /v1/users/@me/mentions',
  callers: accounts(),
  bucket: perUser('user:mentions:read', { requests: 40, seconds: 10 }),
  query: z.object({
    limit: queryInteger({ min: 1, max: 100 }, 25),
    roles: queryTrueUnlessGiven.describe('Whether messages that mention a role of the caller are in it.'),
    everyone: queryTrueUnlessGiven.describe('Whether messages that mention everyone are in it.'),
    guilds: queryTrueUnlessGiven.describe('Whether messages in guilds are in it: all are.'),
    before: messageIdInput.optional(),
  }),
  replies: { 200: messageList },
  refuses: [],
  useCase: listMentions,
  handle: ({ caller, query }, run) => run(caller, { ...query, before: query.before }),
})

const dismissMentionsOperation = operation({
  name: 'Delete recent mentions',
  description: "Takes messages out of the caller's recent mentions.",
  route: 'POST /v1/users/@me/mentions/read',
  callers: accounts(),
  bucket: bucketOfDismissing,
  body: z.object({ message_ids: z.array(messageIdInput).min(1).max(dismissed_max) }),
  keepsNoText: true,
  exampleBody: { message_ids: ['1'] },
  replies: { 204: none },
  refuses: [],
  useCase: dismissMentions,
  handle: ({ caller, body }, run) => run(caller, body.message_ids),
})

const dismissMentionOperation = operation({
  name: 'Delete recent mention',
  description: "Takes a message out of the caller's recent mentions.",
  route: 'DELETE /v1/users/@me/mentions/:message_id',
  callers: accounts(),
  bucket: bucketOfDismissing,
  params: z.object({ message_id: messageIdInput }),
  replies: { 204: none },
  refuses: [],
  useCase: dismissMentions,
  handle: ({ caller, params }, run) => run(caller, [params.message_id]),
})

/** Messages that mention the caller. */
export const recentMentionOperations: readonly Operation[] = [
  listMentionsOperation,
  dismissMentionsOperation,
  dismissMentionOperation,
]
