import { z } from 'zod'
import {
  scheduleMessageDeletion,
  withdrawMessageDeletion,
} from '../../../../../application/identity/own-account/message-deletion.js'
import { perUser } from '../../../bucket.js'
import { accounts } from '../../../callers.js'
import { none, operation, type Operation } from '../../../operation.js'
import { alwaysSudo } from '../../../sudo.js'

/** Shared by both (reference stores 5.2). */
const bucket = perUser('user:messages:bulk_delete', { requests: 6, seconds: 60 })

const scheduleOperation = operation({
  name: "Schedule deletion of current user's messages",
  route: 'POST /v1/users/@me/messages/delete',
  callers: accounts(),
  bucket,
  params: none,
  query: none,
  body: none,
  sudo: alwaysSudo,
  replies: { 204: none },
  useCase: scheduleMessageDeletion,
  handle: ({ caller }, run) => run(caller),
})

const withdrawOperation = operation({
  name: "Cancel deletion of current user's messages",
  route: 'DELETE /v1/users/@me/messages/delete',
  callers: accounts(),
  bucket,
  params: none,
  query: none,
  body: none,
  replies: { 200: z.object({ success: z.literal(true) }) },
  useCase: withdrawMessageDeletion,
  handle: ({ caller }, run) => run(caller),
})

/** The deletion of all own messages, a day later. */
export const messageDeletionOperations: readonly Operation[] = [scheduleOperation, withdrawOperation]
