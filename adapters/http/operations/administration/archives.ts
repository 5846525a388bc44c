import type { z } from 'zod'
import { getArchive, linkArchive, listArchives } from '../../../../application/administration/archives/read-archives.ts'
import {
  triggerGuildArchive,
  triggerUserArchive,
} from '../../../../application/administration/archives/trigger-archives.ts'
import { archiveSubject } from '../../../../application/identity/archives/archive-subject.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import {
  archive,
  archiveLink,
  archiveList,
  archiveParams,
  archivesQuery,
  archiveWish,
  oneArchive,
} from '../../schemas/archives.ts'
import { adminLookup } from './buckets.ts'
import { guildParams, ofGuild } from './discovery.ts'
import { ofUser, userParams } from './of-users.ts'

/** Either trigger reads the archives of its own subjects. */
const reading = admin({ acls: [], anyOf: ['archive:view_all', 'archive:trigger:user', 'archive:trigger:guild'] })

const triggered = (
  { body }: { readonly body: z.output<typeof archiveWish> },
  { archive_id: id }: { readonly archive_id: string },
) => ({ archive_id: id, include_attachments: String(body.include_attachments) })

const triggerUserArchiveOperation = operation({
  name: 'Trigger user archive',
  description: 'Begins an archive of an account.',
  route: 'POST /v1/admin/users/:user_id/archives',
  callers: admin({ acls: ['archive:trigger:user'] }),
  bucket: adminLookup,
  params: userParams,
  body: archiveWish,
  replies: { 200: archive },
  adminAudit: {
    action: 'trigger_user_archive',
    ...ofUser,
    metadata: triggered,
  },
  refuses: ['UNKNOWN_USER'],
  useCase: triggerUserArchive,
  handle: ({ caller, params, body }, run) => run(caller, params.user_id, body.include_attachments),
})

const triggerGuildArchiveOperation = operation({
  name: 'Trigger guild archive',
  description: 'Begins an archive of a guild.',
  route: 'POST /v1/admin/guilds/:guild_id/archives',
  callers: admin({ acls: ['archive:trigger:guild'] }),
  bucket: adminLookup,
  params: guildParams,
  body: archiveWish,
  replies: { 200: archive },
  adminAudit: { action: 'trigger_guild_archive', ...ofGuild, metadata: triggered },
  refuses: ['UNKNOWN_GUILD'],
  useCase: triggerGuildArchive,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, body.include_attachments),
})

const listArchivesOperation = operation({
  name: 'List archives',
  description: 'The archives that administrators have asked for, newest first.',
  route: 'GET /v1/admin/archives',
  callers: reading,
  bucket: adminLookup,
  query: archivesQuery,
  replies: { 200: archiveList },
  adminAudit: {
    action: 'list_archives',
    target: 'archive',
    metadata: ({ query }, { archives }) => ({
      subject_type: query.type,
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
  subject: archiveSubject(params.subject_type, params.subject_id),
  archiveId: params.archive_id,
})

const ofArchive = {
  target: 'archive',
  targetId: ({ params }: Params): string => params.archive_id,
}

const subjectMetadata = ({ params }: Params) => ({ subject_type: params.subject_type, subject_id: params.subject_id })

const getArchiveOperation = operation({
  name: 'Get archive',
  description: 'Gives one archive.',
  route: 'GET /v1/admin/archives/:subject_type/:subject_id/:archive_id',
  callers: reading,
  bucket: adminLookup,
  params: archiveParams,
  replies: { 200: oneArchive },
  adminAudit: {
    action: 'get_archive',
    ...ofArchive,
    metadata: (request, reply) => ({ ...subjectMetadata(request), found: String(reply.archive !== null) }),
  },
  useCase: getArchive,
  handle: async ({ caller, params }, run) => ({ archive: await run(caller, named({ params })) }),
})

const getArchiveLinkOperation = operation({
  name: 'Get archive download link',
  description: 'A link to the archive.',
  route: 'GET /v1/admin/archives/:subject_type/:subject_id/:archive_id/download',
  callers: reading,
  bucket: adminLookup,
  params: archiveParams,
  replies: { 200: archiveLink },
  adminAudit: { action: 'get_archive_download_url', ...ofArchive, metadata: subjectMetadata },
  refuses: ['HARVEST_EXPIRED', 'HARVEST_FAILED', 'HARVEST_NOT_READY', 'UNKNOWN_HARVEST'],
  useCase: linkArchive,
  handle: ({ caller, params }, run) => run(caller, named({ params })),
})

/** Archives of accounts and guilds, for administrators. */
export const archiveOperations: readonly Operation[] = [
  triggerUserArchiveOperation,
  triggerGuildArchiveOperation,
  listArchivesOperation,
  getArchiveOperation,
  getArchiveLinkOperation,
]
