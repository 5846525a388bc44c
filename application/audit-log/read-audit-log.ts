import { auditActions, type AuditActionType } from '../../domain/audit/audit-actions.js'
import type { GuildAuditEntry } from '../../domain/audit/guild-audit-entry.js'
import { accountId, entryId, type AccountId, type GuildId } from '../../domain/ids/ids.js'
import { composeSnowflake, snowflake } from '../../domain/ids/snowflake.js'
import { field } from '../../domain/kernel/refusal.js'
import { msOf } from '../../domain/kernel/timestamp.js'
import { requireGuild, requirePermission } from '../access/guild-access.js'
import { viewerOf, type Caller } from '../caller.js'
import { reject } from '../commands/refused.js'
import { auditLogEntryObject } from '../objects/audit-log-objects.js'
import { partialUserObject } from '../objects/user-objects.js'
import { auditEntryLife_days, type AuditLogPage } from '../ports/queries/audit-log-queries.js'
import type { Ports } from '../ports.js'

const day_ms = 86_400_000

const threadActions: readonly number[] = [
  auditActions.THREAD_CREATE,
  auditActions.THREAD_UPDATE,
  auditActions.THREAD_DELETE,
]

/** The actions whose target is an account. */
const accountActions: readonly AuditActionType[] = [
  auditActions.MEMBER_KICK,
  auditActions.MEMBER_BAN_ADD,
  auditActions.MEMBER_BAN_REMOVE,
  auditActions.MEMBER_UPDATE,
  auditActions.MEMBER_ROLE_UPDATE,
  auditActions.MEMBER_MOVE,
  auditActions.MEMBER_DISCONNECT,
  auditActions.BOT_ADD,
]

/** Webhooks and threads are not built. */
const nothing: readonly never[] = []

type Needs = Pick<Ports, 'queries'>

/**
 * A page of a guild's audit log, newest first, with the accounts that it speaks of. Refuses with UNKNOWN_GUILD,
 * MISSING_ACCESS, MISSING_PERMISSIONS, and INVALID_FORM_BODY for thread actions where the caller has no thread access.
 * Reference gateway 5.6.
 */
export function readAuditLog({ queries }: Needs) {
  return async (caller: Caller, guildId: GuildId, page: AuditLogPage) => {
    const { threadAccess } = viewerOf(caller)
    if (!threadAccess && page.actionType !== undefined && threadActions.includes(page.actionType)) {
      reject('INVALID_FORM_BODY', field('action_type', 'INVALID_FORMAT'))
    }
    requirePermission(await requireGuild({ queries }, caller, guildId), 'VIEW_AUDIT_LOG')
    const oldest_ms = msOf(caller.context.now) - auditEntryLife_days * day_ms
    const entries = await queries.auditLog.page(guildId, page, entryId(composeSnowflake(oldest_ms, 0)))
    const accounts = await queries.accounts.findMany(accountsIn(entries))
    return {
      audit_log_entries: entries.map(auditLogEntryObject),
      users: accounts.map(partialUserObject),
      webhooks: nothing,
      ...(threadAccess ? { threads: nothing } : {}),
    }
  }
}

/** Those who acted, those who were acted on, and the creators of invites; each once. */
function accountsIn(entries: readonly GuildAuditEntry[]): readonly AccountId[] {
  const named = entries.flatMap(({ userId, targetId, actionType, options }) => [
    userId,
    accountActions.includes(actionType) ? targetId : null,
    options.inviter_id ?? null,
  ])
  return [...new Set(named.filter((id) => id !== null))].map((id) => accountId(snowflake(id)))
}
