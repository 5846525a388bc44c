import { z } from 'zod'
import { explainHistory } from '../../../../application/administration/history/explain.ts'
import { followEvents } from '../../../../application/administration/history/follow-events.ts'
import { listSubjectStreams } from '../../../../application/administration/history/list-subject-streams.ts'
import { listGuildAuditLog } from '../../../../application/administration/history/guild-audit-log.ts'
import { readGuildChanges } from '../../../../application/administration/history/guild-differences.ts'
import { readGuild } from '../../../../application/administration/history/read-guild.ts'
import { listStreamEvents, readStream } from '../../../../application/administration/history/read-stream.ts'
import { searchEvents } from '../../../../application/administration/history/search-events.ts'
import { historyEventSchema } from '../../../../application/wire-objects/administration/history-objects.ts'
import type { ActionByRequest, AuditedRequest } from '../../admin-audit-rule.ts'
import { admin } from '../../callers.ts'
import { liveItems, LiveReply } from '../../live-reply.ts'
import { none, operation, type Operation } from '../../operation.ts'
import {
  guildAuditReply,
  guildAuditSearch,
  guildChangesReply,
  guildHistoryReply,
  guildQuestion,
  guildSpan,
} from '../../schemas/administration/guild-history.ts'
import {
  eventSearch,
  followQuestion,
  streamEventsPage,
  streamEventsReply,
  streamName,
  streamQuestion,
  streamReply,
  subjectName,
  subjectStreamsPage,
  subjectStreamsReply,
} from '../../schemas/administration/history.ts'
import { explainedId, explanationQuestion, explanationReply } from '../../schemas/administration/history-explanation.ts'
import { guildIdInput } from '../../schemas/scalars.ts'
import { adminAuditLog } from './buckets.ts'

/** Who may read history, but for what is personal in it. */
export const historyReaders = admin({ acls: ['audit_log:view'] })

/** Reading history leaves no entry; seeing what is personal in it does. */
export const ofRevealing: ActionByRequest<AuditedRequest> = {
  anyOf: ['get_personal_history'],
  of: ({ query }) => ((query as { readonly reveal: boolean }).reveal ? 'get_personal_history' : null),
}

const getStreamOperation = operation({
  name: 'Get history stream',
  description:
    'The state of an aggregate at a moment, as its own events make it, or what changed between two moments, each with the event that changed it.',
  route: 'GET /v1/admin/history/streams/:stream',
  callers: historyReaders,
  bucket: adminAuditLog,
  params: z.object({ stream: streamName }),
  query: streamQuestion,
  body: none,
  replies: { 200: streamReply },
  adminAudit: { action: ofRevealing, target: 'history_stream', targetId: ({ params }) => params.stream },
  refuses: ['NOT_FOUND'],
  useCase: readStream,
  handle: ({ caller, params, query }, run) => run(caller, params.stream, query),
})

const listStreamEventsOperation = operation({
  name: 'List history stream events',
  description: 'The events of a stream after a revision, oldest first.',
  route: 'GET /v1/admin/history/streams/:stream/events',
  callers: historyReaders,
  bucket: adminAuditLog,
  params: z.object({ stream: streamName }),
  query: streamEventsPage,
  body: none,
  replies: { 200: streamEventsReply },
  adminAudit: { action: ofRevealing, target: 'history_stream', targetId: ({ params }) => params.stream },
  refuses: ['NOT_FOUND'],
  useCase: listStreamEvents,
  handle: ({ caller, params, query }, run) => run(caller, params.stream, query),
})

const listSubjectStreamsOperation = operation({
  name: 'List history subject streams',
  description:
    'The streams that concern what an id or a code names: an account, a guild, a channel, an invite, a purchase. Each with its first and its newest event.',
  route: 'GET /v1/admin/history/subjects/:subject',
  callers: historyReaders,
  bucket: adminAuditLog,
  params: z.object({ subject: subjectName }),
  query: subjectStreamsPage,
  body: none,
  replies: { 200: subjectStreamsReply },
  adminAudit: none,
  useCase: listSubjectStreams,
  handle: ({ caller, params, query }, run) => run(caller, params.subject, query),
})

const searchEventsOperation = operation({
  name: 'Search history events',
  description:
    'Events by type, actor, category of stream, request and time. The newest first, or from `after` on the oldest first.',
  route: 'GET /v1/admin/history/events',
  callers: historyReaders,
  bucket: adminAuditLog,
  query: eventSearch,
  replies: { 200: streamEventsReply },
  adminAudit: { action: ofRevealing, target: 'history_events' },
  useCase: searchEvents,
  handle: ({ caller, query: { search, page, reveal } }, run) => run(caller, search, page, reveal),
})

const explainOperation = operation({
  name: 'Explain history',
  description:
    'Everything that followed from one request: its events in all streams, each with its cause, who finished it, and the read models that take it. By an entry of the admin audit log, an event, or the request; several requests if a client gave them one id.',
  route: 'GET /v1/admin/history/explain/:id',
  callers: historyReaders,
  bucket: adminAuditLog,
  params: z.object({ id: explainedId }),
  query: explanationQuestion,
  body: none,
  replies: { 200: explanationReply },
  adminAudit: { action: ofRevealing, target: 'history_chain', targetId: ({ params }) => params.id },
  refuses: ['NOT_FOUND'],
  useCase: explainHistory,
  handle: ({ caller, params, query }, run) => run(caller, params.id, query.reveal),
})

const guildParams = z.object({ guild_id: guildIdInput })
/** Of a guild's history only what reveals is recorded. */
const ofGuild = {
  action: ofRevealing,
  target: 'history_guild',
  targetId: ({ params }: { readonly params: z.output<typeof guildParams> }) => params.guild_id,
} as const

const listGuildChangesOperation = operation({
  name: 'List history guild changes',
  description:
    'What differs in a guild between two times, each difference in words and with the event that made it. What was changed and changed back is none.',
  route: 'GET /v1/admin/history/guilds/:guild_id/changes',
  callers: historyReaders,
  bucket: adminAuditLog,
  params: guildParams,
  query: guildSpan,
  replies: { 200: guildChangesReply },
  adminAudit: ofGuild,
  refuses: ['NOT_FOUND'],
  useCase: readGuildChanges,
  handle: ({ caller, params, query }, run) => run(caller, params.guild_id, query),
})

const getGuildOperation = operation({
  name: 'Get history guild',
  description:
    'A guild as it was at a moment, folded from its events: settings, roles, channels, a page of its members, bans, invites and its directory listing.',
  route: 'GET /v1/admin/history/guilds/:guild_id',
  callers: historyReaders,
  bucket: adminAuditLog,
  params: guildParams,
  query: guildQuestion,
  body: none,
  replies: { 200: guildHistoryReply },
  adminAudit: ofGuild,
  refuses: ['NOT_FOUND'],
  useCase: readGuild,
  handle: ({ caller, params, query }, run) => run(caller, params.guild_id, query),
})

const listGuildAuditLogOperation = operation({
  name: 'List history guild audit log entries',
  description:
    "A page of a guild's audit log, newest first, by actor, target, action and time. Reading folds nothing, and entries are shown as long as they are kept.",
  route: 'GET /v1/admin/history/guilds/:guild_id/audit-logs',
  callers: admin({ acls: [], anyOf: ['audit_log:view', 'guild:audit_log:view'] }),
  bucket: adminAuditLog,
  params: guildParams,
  query: guildAuditSearch,
  replies: { 200: guildAuditReply },
  adminAudit: ofGuild,
  useCase: listGuildAuditLog,
  handle: ({ caller, params, query: { search, reveal } }, run) => run(caller, params.guild_id, search, reveal),
})

const followEventsOperation = operation({
  name: 'Follow history events',
  description:
    'Events as they are written, as server-sent events whose ids are their positions. Ends after five minutes; whoever goes on asks again after the last id.',
  route: 'GET /v1/admin/history/events/stream',
  callers: historyReaders,
  bucket: adminAuditLog,
  query: followQuestion,
  replies: { 200: liveItems(historyEventSchema) },
  adminAudit: { action: ofRevealing, target: 'history_events' },
  useCase: followEvents,
  handle: async ({ caller, query: { search, after, reveal } }, run) =>
    new LiveReply(await run(caller, search, { after, reveal })),
})

/** Reading history. */
export const historyOperations: readonly Operation[] = [
  getGuildOperation,
  listGuildChangesOperation,
  listGuildAuditLogOperation,
  getStreamOperation,
  listStreamEventsOperation,
  listSubjectStreamsOperation,
  searchEventsOperation,
  explainOperation,
  followEventsOperation,
]
