import { z } from 'zod'
import { cancelMessageDeletion } from '../../../../application/administration/messages/cancel-message-deletion.ts'
import { deleteAllMessages } from '../../../../application/administration/messages/delete-all-messages.ts'
import { messageShredJob } from '../../../../application/administration/messages/message-shred-job.ts'
import { shredMessages } from '../../../../application/administration/messages/shred-messages.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { adminUserReply } from '../../schemas/administration/admin-users.ts'
import {
  allMessagesDeletion,
  dryRunQuery,
  messageShredJob as shredJobReply,
  queuedShredding,
  shredEntries,
} from '../../schemas/administration/user-messages.ts'
import { backgroundJobIdInput } from '../../schemas/scalars.ts'
import { adminMessages, adminUserModify } from './buckets.ts'
import { ofUser, userParams } from './of-users.ts'

/** The entry that every queued shred job leaves. */
const queued = { action: 'queue_message_shred', target: 'message_shred' } as const

interface OfUser {
  readonly params: z.output<typeof userParams>
}

const queuedMetadata = ({ params }: OfUser, jobId: string, requested: number) => ({
  user_id: params.user_id,
  job_id: jobId,
  requested_entries: String(requested),
})

const deleteAllUserMessagesOperation = operation({
  name: 'Delete all user messages',
  description: 'Counts every message of an account; unless it is a dry run, starts a job that deletes them.',
  route: 'DELETE /v1/admin/users/:user_id/messages',
  callers: admin({ acls: ['message:delete_all'] }),
  bucket: adminMessages,
  params: userParams,
  query: dryRunQuery,
  replies: { 200: allMessagesDeletion },
  adminAudit: {
    action: {
      anyOf: ['delete_all_user_messages_dry_run', 'delete_all_user_messages'],
      of: ({ query }) => (query.dry_run ? 'delete_all_user_messages_dry_run' : 'delete_all_user_messages'),
    },
    target: 'message_deletion',
    targetId: ({ params }) => params.user_id,
    metadata: ({ params }, { channel_count, message_count, dry_run }) => ({
      user_id: params.user_id,
      channel_count: String(channel_count),
      message_count: String(message_count),
      dry_run: String(dry_run),
    }),
    also: queued,
  },
  useCase: deleteAllMessages,
  handle: async ({ caller, params, query, noteSecondEntry }, run) => {
    const reply = await run(caller, params.user_id, query.dry_run)
    if (reply.job_id !== undefined) noteSecondEntry(queuedMetadata({ params }, reply.job_id, reply.message_count))
    return reply
  },
})

const shredUserMessagesOperation = operation({
  name: 'Shred user messages',
  description: 'Starts a job that deletes the named messages of an account.',
  route: 'POST /v1/admin/users/:user_id/message-shreds',
  callers: admin({ acls: ['message:shred'] }),
  bucket: adminMessages,
  params: userParams,
  body: shredEntries,
  replies: { 200: queuedShredding },
  adminAudit: {
    ...queued,
    targetId: ({ params }) => params.user_id,
    metadata: (request, { job_id: jobId, requested }) => queuedMetadata(request, jobId, requested),
  },
  useCase: shredMessages,
  handle: ({ caller, params, body }, run) =>
    run(
      caller,
      params.user_id,
      body.entries.map(({ channel_id: channelId, message_id: messageId }) => ({ channelId, messageId })),
    ),
})

const getMessageShredJobOperation = operation({
  name: 'Get message shred job',
  description: "The progress of a job that deletes an account's messages.",
  route: 'GET /v1/admin/messages/shreds/:job_id',
  callers: admin({ acls: ['message:shred'] }),
  bucket: adminMessages,
  params: z.object({ job_id: backgroundJobIdInput }),
  replies: { 200: shredJobReply },
  adminAudit: {
    action: 'get_message_shred_status',
    target: 'message_shred',
    metadata: ({ params }, { status }) => ({ job_id: params.job_id, status }),
  },
  useCase: messageShredJob,
  handle: ({ caller, params }, run) => run(params.job_id, caller.context.now),
})

const cancelScheduledMessageDeletionOperation = operation({
  name: 'Cancel scheduled message deletion',
  description:
    'Cancels the deletion of all messages that the holder of an account scheduled, and answers with the account.',
  route: 'DELETE /v1/admin/users/:user_id/message-deletion',
  callers: admin({ acls: ['user:cancel:bulk_message_deletion'] }),
  bucket: adminUserModify,
  params: userParams,
  replies: { 200: adminUserReply },
  adminAudit: { action: 'cancel_bulk_message_deletion', ...ofUser },
  refuses: ['UNKNOWN_USER'],
  useCase: cancelMessageDeletion,
  handle: async ({ caller, params }, run) => ({ user: await run(caller, params.user_id) }),
})

/** The deletion of accounts' messages by administrators. */
export const userMessageOperations: readonly Operation[] = [
  deleteAllUserMessagesOperation,
  shredUserMessagesOperation,
  getMessageShredJobOperation,
  cancelScheduledMessageDeletionOperation,
]
