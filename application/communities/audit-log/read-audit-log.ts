import { auditActions, type AuditActionType } from '../../../domain/audit/audit-actions.ts'
import type { GuildAuditEntry } from '../../../domain/audit/audit-entry.ts'
import { threadActions } from '../../../domain/audit/without-threads.ts'
import {
  accountId,
  channelId,
  entryId,
  webhookId,
  type AccountId,
  type EntryId,
  type GuildId,
} from '../../../domain/ids/ids.ts'
import { composeSnowflake, snowflake } from '../../../domain/ids/snowflake.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { msOf } from '../../../domain/kernel/timestamp.ts'
import { requireGuild, requirePermission } from '../../access/guild-access.ts'
import { viewerOf, type Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { auditLogEntryObject } from '../../wire-objects/communities/audit-log-objects.ts'
import { auditWebhookObject } from '../../wire-objects/communities/webhook-objects.ts'
import { partialUserObject } from '../../wire-objects/identity/user-objects.ts'
import type { AuditLogPage } from '../../ports/queries/audit-log-queries.ts'
import type { Ports } from '../../ports.ts'
import { threadViews } from '../../conversations/threads/thread-views.ts'
import { foldMessageDeletions, holdsRun } from '../../conversations/messages/fold-message-deletions.ts'

/** Entries older than this are no longer shown. */
export const auditEntryLife_days = 45

const day_ms = 86_400_000
/** Each folding of deletions makes room on the page, where older entries may need folding too. */
const folds_max = 3

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

const overwriteActions: readonly AuditActionType[] = [
  auditActions.CHANNEL_OVERWRITE_CREATE,
  auditActions.CHANNEL_OVERWRITE_UPDATE,
  auditActions.CHANNEL_OVERWRITE_DELETE,
]
/** The type of a member's overwrite. */
const ofMember = 1

const nothing: readonly never[] = []

const webhookActions: readonly AuditActionType[] = [
  auditActions.WEBHOOK_CREATE,
  auditActions.WEBHOOK_UPDATE,
  auditActions.WEBHOOK_DELETE,
]

/** Not built; clients of the field go through these lists without looking whether they are there. */
const notBuilt = {
  integrations: nothing,
  application_commands: nothing,
  auto_moderation_rules: nothing,
  guild_scheduled_events: nothing,
} as const

type Needs = Pick<Ports, 'aggregates' | 'messages' | 'queries' | 'readModels'>

/** What a read of a guild's audit log asks for. */
export type AuditLogWish = Omit<AuditLogPage, 'targetId' | 'withoutThreads' | 'withoutPersonal'>

/**
 * A page of a guild's audit log, newest first, with the accounts in it, and with its threads for callers with thread
 * access. A read without a filter folds runs of deletions. Refuses with UNKNOWN_GUILD, MISSING_ACCESS,
 * MISSING_PERMISSIONS, and INVALID_FORM_BODY for thread actions without thread access. See rules/guilds#audit-log.
 */
export function readAuditLog(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, wish: AuditLogWish) => {
    const viewer = viewerOf(caller)
    if (!viewer.threadAccess && wish.actionType !== undefined && threadActions.includes(wish.actionType)) {
      reject('INVALID_FORM_BODY', field('action_type', 'INVALID_FORMAT'))
    }
    requirePermission(await requireGuild(ports, caller, guildId), 'VIEW_AUDIT_LOG')
    const entries = await entriesOf(ports, caller, guildId, { ...wish, withoutThreads: !viewer.threadAccess })
    const accounts = await ports.queries.accounts.findMany(accountsIn(entries))
    return {
      audit_log_entries: entries.map((entry) => auditLogEntryObject(entry, viewer)),
      users: accounts.map(partialUserObject),
      webhooks: await webhooksIn(ports, entries),
      ...notBuilt,
      ...(viewer.threadAccess ? { threads: await threadsIn(ports, caller, entries) } : {}),
    }
  }
}

async function entriesOf(
  ports: Needs,
  { context }: Caller,
  guildId: GuildId,
  page: AuditLogPage,
): Promise<readonly GuildAuditEntry[]> {
  const oldest = entryId(composeSnowflake(msOf(context.now) - auditEntryLife_days * day_ms, 0))
  const isFiltered = page.actorId !== undefined || page.actionType !== undefined
  // One more entry shows whether a run continues beyond the page.
  const wanted = isFiltered ? page : { ...page, limit: page.limit + 1 }
  const read = (): Promise<readonly GuildAuditEntry[]> => ports.queries.auditLog.page(guildId, wanted, oldest)
  let entries = await read()
  for (let folds = 0; folds < folds_max && !isFiltered && holdsRun(entries); folds += 1) {
    if (!(await foldMessageDeletions(ports, context, guildId, { page: cursorOf(page), oldest }))) break
    entries = await read()
  }
  return page.after === undefined ? entries.slice(0, page.limit) : entries.slice(-page.limit)
}

function cursorOf({ before, after }: AuditLogPage): { readonly before?: EntryId; readonly after?: EntryId } {
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }
}

/** The actors, the target accounts and the creators of invites, each once. */
function accountsIn(entries: readonly GuildAuditEntry[]): readonly AccountId[] {
  const named = entries.flatMap((entry) => [
    entry.userId,
    hasAccountAsTarget(entry) ? entry.targetId : null,
    entry.options.inviter_id ?? null,
  ])
  return [...new Set(named.filter((id) => id !== null))].map((id) => accountId(snowflake(id)))
}

function hasAccountAsTarget({ actionType, options }: GuildAuditEntry): boolean {
  return accountActions.includes(actionType) || (overwriteActions.includes(actionType) && options.type === ofMember)
}

/** The webhooks that entries are about, if they still exist. */
async function webhooksIn({ queries }: Needs, entries: readonly GuildAuditEntry[]) {
  const targets = entries.flatMap(({ actionType, targetId }) =>
    webhookActions.includes(actionType) && targetId !== null ? [webhookId(snowflake(targetId))] : [],
  )
  if (targets.length === 0) return nothing
  return (await queries.webhooks.findMany([...new Set(targets)])).map(auditWebhookObject)
}

/** The threads that entries are about, if they still exist. */
async function threadsIn(ports: Needs, caller: Caller, entries: readonly GuildAuditEntry[]) {
  const targets = entries.flatMap(({ actionType, targetId }) =>
    threadActions.includes(actionType) && targetId !== null ? [channelId(snowflake(targetId))] : [],
  )
  if (targets.length === 0) return nothing
  return threadViews(ports, caller, await ports.queries.threads.findMany([...new Set(targets)]))
}
