import { queueRewind } from '../../../../application/administration/rewinds/queue-rewind.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { guildRewind, queuedRewind } from '../../schemas/administration/guild-rewinds.ts'
import { adminBulk } from './buckets.ts'
import { guildParams, ofGuild } from './of-guilds.ts'

const rewindGuildOperation = operation({
  name: 'Rewind guild',
  description:
    'Says what brings a guild back to a moment: its settings, roles, channels with their overwrites, bans and invites, and what does not come back. Queues a job for it unless it is a dry run. Members and messages stay.',
  route: 'POST /v1/admin/guilds/:guild_id/rewind',
  callers: admin({ acls: ['guild:update:settings'] }),
  bucket: adminBulk,
  params: guildParams,
  body: guildRewind,
  exampleBody: { to: '2026-12-10T00:00:00.000Z', dry_run: true },
  replies: { 200: queuedRewind },
  adminAudit: {
    action: {
      anyOf: ['rewind_guild_dry_run', 'rewind_guild'],
      of: ({ body }) => (body.dryRun ? 'rewind_guild_dry_run' : 'rewind_guild'),
    },
    ...ofGuild,
    metadata: ({ body }, { job_id: jobId }) => ({ to: body.to, ...(jobId !== null && { job_id: jobId }) }),
  },
  refuses: ['UNKNOWN_GUILD'],
  useCase: queueRewind,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, body),
})

/** Bringing guilds back. */
export const guildRewindOperations: readonly Operation[] = [rewindGuildOperation]
