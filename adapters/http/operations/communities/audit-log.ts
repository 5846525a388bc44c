import { z } from 'zod'
import { readAuditLog } from '../../../../application/communities/audit-log/read-audit-log.ts'
import { accounts } from '../../callers.ts'
import { perUserAnd } from '../../bucket.ts'
import { operation, type Operation } from '../../operation.ts'
import { auditLog, auditLogPage } from '../../schemas/communities/audit-log.ts'
import { guildIdInput } from '../../schemas/scalars.ts'
import { ofGuild } from '../refusals-of-access.ts'

const guildParams = z.object({ guild_id: guildIdInput })

const readAuditLogOperation = operation({
  name: 'List guild audit log entries',
  description:
    "A page of a guild's audit log, newest first, with the accounts in it, and with its threads for callers with thread access.",
  route: 'GET /v1/guilds/:guild_id/audit-logs',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:audit_logs::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: guildParams,
  query: auditLogPage,
  replies: { 200: auditLog },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  useCase: readAuditLog,
  handle: ({ caller, params, query }, run) => run(caller, params.guild_id, query),
})

/** The audit log of a guild. */
export const auditLogOperations: readonly Operation[] = [readAuditLogOperation]
