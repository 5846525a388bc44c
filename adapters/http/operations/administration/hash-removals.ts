import { removeFileHashes } from '../../../../application/administration/blocklists/many-file-hashes.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { goneFileHashes, queuedJob } from '../../schemas/administration/blocklists.ts'
import { adminBan } from './buckets.ts'

/** No server serves this operation: it is declared for what takes the adding of many hashes back. */
const removeFileHashesOperation = operation({
  name: 'Remove file-sha blocklist entries',
  description: 'Queues a job that removes many hashes from the file-sha blocklist.',
  route: 'DELETE /v1/admin/blocklists/file-sha/entries',
  callers: admin({ acls: ['ban:file_sha:remove'] }),
  bucket: adminBan,
  body: goneFileHashes,
  replies: { 200: queuedJob },
  adminAudit: {
    action: 'unban_file_sha',
    target: 'job',
    targetId: (_, { job_id: id }) => id,
    metadata: ({ body }) => ({ value_count: String(body.values.length) }),
  },
  useCase: removeFileHashes,
  handle: ({ caller, body }, run) => run(caller, body.values),
})

export const hashRemovals: readonly Operation[] = [removeFileHashesOperation]
