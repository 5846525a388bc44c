import { z } from 'zod'
import {
  deleteFilteredMessages,
  scheduleMessageDeletion,
  withdrawMessageDeletion,
} from '../../../../../application/identity/own-account/message-deletion.ts'
import { perUser } from '../../../bucket.ts'
import { accounts } from '../../../callers.ts'
import { none, operation, type Operation } from '../../../operation.ts'
import { messageFilter } from '../../../schemas/message-filter.ts'
import { alwaysSudo } from '../../../sudo.ts'

/** Shared by scheduling and withdrawing. */
const bucket = perUser('user:messages:bulk_delete', { requests: 6, seconds: 60 })

const scheduleOperation = operation({
  name: "Schedule deletion of current user's messages",
  description: 'Schedules the deletion of all messages of the caller, in place of an earlier schedule.',
  route: 'POST /v1/users/@me/messages/delete',
  callers: accounts(),
  bucket,
  sudo: alwaysSudo,
  replies: { 204: none },
  useCase: scheduleMessageDeletion,
  handle: ({ caller }, run) => run(caller),
})

const withdrawOperation = operation({
  name: "Cancel deletion of current user's messages",
  description: "Cancels the scheduled deletion of the caller's messages; does nothing where none is scheduled.",
  route: 'DELETE /v1/users/@me/messages/delete',
  callers: accounts(),
  bucket,
  replies: { 200: z.object({ success: z.literal(true) }) },
  useCase: withdrawMessageDeletion,
  handle: ({ caller }, run) => run(caller),
})

const deleteFilteredOperation = operation({
  name: "Bulk delete current user's messages",
  description: "Begins to delete those of the caller's messages that the filter wants, at once.",
  route: 'POST /v1/users/@me/messages/bulk-delete-mine',
  callers: accounts(),
  bucket: perUser('user:messages:bulk_delete_mine_filtered', { requests: 5, seconds: 1800 }),
  body: messageFilter,
  keepsNoText: true,
  sudo: alwaysSudo,
  replies: { 202: none },
  useCase: deleteFilteredMessages,
  handle: ({ caller, body }, run) => run(caller, body),
})

/** The deletion of own messages: all of them a day later, or some of them at once. */
export const messageDeletionOperations: readonly Operation[] = [
  scheduleOperation,
  withdrawOperation,
  deleteFilteredOperation,
]
