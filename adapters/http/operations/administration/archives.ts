import {
  getArchive,
  linkArchive,
  listArchives,
  triggerUserArchive,
} from '../../../../application/administration/archives/user-archives.js'
import { admin } from '../../callers.js'
import { none, operation, type Operation } from '../../operation.js'
import {
  archive,
  archiveLink,
  archiveList,
  archiveParams,
  archivesQuery,
  archiveWish,
  oneArchive,
} from '../../schemas/archives.js'
import { adminLookup } from './buckets.js'
import { ofUser, userParams } from './of-users.js'

/** Either trigger reads the archives of its own subjects (reference stores 4.8). */
const reading = admin({ acls: [], anyOf: ['archive:view_all', 'archive:trigger:user', 'archive:trigger:guild'] })

const triggerUserArchiveOperation = operation({
  name: 'Trigger user archive',
  route: 'POST /v1/admin/users/:user_id/archives',
  callers: admin({ acls: ['archive:trigger:user'] }),
  bucket: adminLookup,
  params: userParams,
  query: none,
  body: archiveWish,
  replies: { 200: archive },
  adminAudit: {
    action: 'trigger_user_archive',
    ...ofUser,
    metadata: ({ body }, { archive_id: id }) => ({
      archive_id: id,
      include_attachments: String(body.include_attachments),
    }),
  },
  refuses: ['UNKNOWN_USER'],
  useCase: triggerUserArchive,
  handle: ({ caller, params, body }, run) => run(caller, params.user_id, body.include_attachments),
})

const listArchivesOperation = operation({
  name: 'List archives',
  route: 'GET /v1/admin/archives',
  callers: reading,
  bucket: adminLookup,
  params: none,
  query: archivesQuery,
  body: none,
  replies: { 200: archiveList },
  adminAudit: {
    action: 'list_archives',
    target: 'archive',
    metadata: ({ query }, { archives }) => ({
      subject_type: query.subject,
      ...(query.subjectId === null ? {} : { subject_id: query.subjectId }),
      ...(query.requestedBy === null ? {} : { requested_by: query.requestedBy }),
      limit: String(query.limit),
      include_expired: String(query.includesExpired),
      archive_count: String(archives.length),
    }),
  },
  useCase: listArchives,
  handle: async ({ caller, query }, run) => ({ archives: await run(caller, query) }),
})

type Params = { readonly params: ReturnType<typeof archiveParams.parse> }

/** The archive of the path. */
const named = ({ params }: Params) => ({
  subject: params.subject_type,
  subjectId: params.subject_id,
  archiveId: params.archive_id,
})

const ofArchive = {
  target: 'archive',
  targetId: ({ params }: Params): string => params.archive_id,
}

const subjectOf = ({ params }: Params) => ({ subject_type: params.subject_type, subject_id: params.subject_id })

const getArchiveOperation = operation({
  name: 'Get archive',
  route: 'GET /v1/admin/archives/:subject_type/:subject_id/:archive_id',
  callers: reading,
  bucket: adminLookup,
  params: archiveParams,
  query: none,
  body: none,
  replies: { 200: oneArchive },
  adminAudit: {
    action: 'get_archive',
    ...ofArchive,
    metadata: (request, reply) => ({ ...subjectOf(request), found: String(reply.archive !== null) }),
  },
  useCase: getArchive,
  handle: async ({ caller, params }, run) => ({ archive: await run(caller, named({ params })) }),
})

const getArchiveLinkOperation = operation({
  name: 'Get archive download link',
  route: 'GET /v1/admin/archives/:subject_type/:subject_id/:archive_id/download',
  callers: reading,
  bucket: adminLookup,
  params: archiveParams,
  query: none,
  body: none,
  replies: { 200: archiveLink },
  adminAudit: { action: 'get_archive_download_url', ...ofArchive, metadata: subjectOf },
  refuses: ['HARVEST_EXPIRED', 'HARVEST_FAILED', 'HARVEST_NOT_READY', 'UNKNOWN_HARVEST'],
  useCase: linkArchive,
  handle: ({ caller, params }, run) => run(caller, named({ params })),
})

/** Archives of accounts, for administrators. */
export const archiveOperations: readonly Operation[] = [
  triggerUserArchiveOperation,
  listArchivesOperation,
  getArchiveOperation,
  getArchiveLinkOperation,
]
