import { listAdminAuditLog } from '../../application/administration/audit/read-admin-audit-log.ts'
import { guildAuditLog } from '../../application/administration/history/guild-audit-log.ts'
import { nothingRevealed } from '../../application/administration/history/masked-event.ts'
import type { AdminAuditEntryObject } from '../../application/wire-objects/administration/admin-audit-objects.ts'
import {
  auditActionNames,
  type HistoryAuditEntryObject,
} from '../../application/wire-objects/administration/history-audit-objects.ts'
import type { AuditAction } from '../../domain/audit/audit-actions.ts'
import { accountId, entryId, type AccountId, type EntryId } from '../../domain/ids/ids.ts'
import { parseSnowflake, type Snowflake } from '../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import { openQueries } from '../../projections/read-models.ts'
import { besideServer } from './beside.ts'
import { guildIn } from './guild-named.ts'
import { instantIn } from './instant-named.ts'
import type { Print } from './printed-events.ts'

export interface AuditOptions {
  readonly actor?: string
  readonly target?: string
  readonly action?: string
  readonly since?: string
  readonly until?: string
  /** The entry before which they end: the oldest one of an earlier page. */
  readonly before?: string
  /** How many of the newest. */
  readonly last: string
  readonly json?: boolean
}

const last_max = 200

/**
 * Prints the newest entries of the admin audit log that match everything which is asked, oldest first. Leaves out what is personal:
 * what goes with the erasure of an account.
 */
export async function adminAudit({ target, action, json, ...options }: AuditOptions, print: Print): Promise<void> {
  const { actor, since, until, before, limit } = pageIn(options)
  const { targetType, targetId } = targetIn(target)
  await besideServer(async (store) => {
    await refuseWithoutReadModels(store)
    const { logs } = await listAdminAuditLog({ queries: openQueries(store.database) })({
      text: null,
      adminId: actor ?? null,
      targetType,
      targetId,
      action: action ?? null,
      access: null,
      since: since ?? null,
      until: until ?? null,
      before: before ?? null,
      withoutPersonal: true,
      order: { by: 'created_at', direction: 'desc' },
      limit,
      offset: 0,
    })
    printEntries(logs, json === true ? JSON.stringify : adminEntryText, print)
  })
}

/** The same of the audit log of a guild, as old as it is kept. Folds nothing. */
export async function guildAudit(
  text: string,
  { target, action, json, ...options }: AuditOptions,
  print: Print,
): Promise<void> {
  const id = guildIn(text)
  const search = { ...pageIn(options), target, action: action === undefined ? undefined : actionIn(action) }
  await besideServer(async (store) => {
    await refuseWithoutReadModels(store)
    const entries = await guildAuditLog({ queries: openQueries(store.database) }, nothingRevealed, id, search)
    printEntries(entries, json === true ? JSON.stringify : guildEntryText, print)
  })
}

function printEntries<Entry>(newestFirst: readonly Entry[], textOf: (entry: Entry) => string, print: Print): void {
  for (const entry of newestFirst.toReversed()) print(textOf(entry))
  if (newestFirst.length === 0 && textOf !== JSON.stringify) print('No entry matches.')
}

function adminEntryText(entry: AdminAuditEntryObject): string {
  const { log_id: id, created_at: at, action, admin_user_id: admin, target_type: type, target_id: target } = entry
  const { audit_log_reason: reason, metadata } = entry
  const by =
    admin === '0'
      ? `the operator${metadata['operator'] === undefined ? '' : ` ${metadata['operator']}`}`
      : `account ${admin}`
  return [
    `${at}  ${action} on ${type} ${target}`,
    `       by ${by}, entry ${id}${reason === null ? '' : `, reason: ${reason}`}`,
    ...(Object.keys(metadata).length === 0 ? [] : [`       ${JSON.stringify(metadata)}`]),
  ].join('\n')
}

function guildEntryText({
  id,
  at,
  action,
  actor_id: actor,
  target_id: target,
  ...entry
}: HistoryAuditEntryObject): string {
  const { reason, options, changes, left_out: leftOut } = entry
  return [
    `${at}  ${action}${target === null ? '' : ` on ${target}`}`,
    `       by ${actor === null ? 'no account' : `account ${actor}`}, entry ${id}${reason === null ? '' : `, reason: ${reason}`}`,
    ...(Object.keys(options).length === 0 ? [] : [`       ${JSON.stringify(options)}`]),
    ...changes.map(({ key, old_value: before, new_value: after }) => {
      return `       ${key}: ${valueText(before)} → ${valueText(after)}`
    }),
    ...(leftOut.length === 0 ? [] : [`       left out, as personal: ${leftOut.join(', ')}`]),
  ].join('\n')
}

const valueText = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))

interface Page {
  readonly actor: AccountId | undefined
  readonly since: Timestamp | undefined
  readonly until: Timestamp | undefined
  readonly before: EntryId | undefined
  readonly limit: number
}

function pageIn({ actor, since, until, before, last }: AuditOptions): Page {
  const limit = /^\d{1,3}$/.test(last) ? Number(last) : 0
  if (limit < 1 || limit > last_max) throw new Error(`--last takes a number from 1 to ${last_max}`)
  return {
    actor: actor === undefined ? undefined : accountId(idIn(actor, '--actor', 'an account')),
    since: instantIn(since, '--since'),
    until: instantIn(until, '--until'),
    before: before === undefined ? undefined : entryId(idIn(before, '--before', 'an entry')),
    limit,
  }
}

/** A target of the admin audit log: its kind, its id, or both. Ids may hold colons: networks do. */
function targetIn(text: string | undefined): { readonly targetType: string | null; readonly targetId: string | null } {
  if (text === undefined || /^\d+$/.test(text)) return { targetType: null, targetId: text ?? null }
  const colon = text.indexOf(':')
  if (colon === -1) return { targetType: text, targetId: null }
  return { targetType: text.slice(0, colon), targetId: text.slice(colon + 1) }
}

function actionIn(text: string): AuditAction {
  const action = auditActionNames.find((name) => name === text.toUpperCase())
  if (action === undefined) throw new Error(`${text} is not an action: these are ${auditActionNames.join(', ')}`)
  return action
}

function idIn(text: string, option: string, what: string): Snowflake {
  const parsed = parseSnowflake(text)
  if (!parsed.ok) throw new Error(`${option} takes the id of ${what}, not ${text}`)
  return parsed.id
}
