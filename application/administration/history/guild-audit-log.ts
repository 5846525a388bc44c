import { auditActions, type AuditAction } from '../../../domain/audit/audit-actions.ts'
import type { GuildAuditEntry } from '../../../domain/audit/audit-entry.ts'
import { reasonShownTo, shownTo, type ShownTo } from '../../../domain/admin/personal-members.ts'
import { entryId, type AccountId, type EntryId, type GuildId } from '../../../domain/ids/ids.ts'
import { composeSnowflake, snowflakeEpochMs } from '../../../domain/ids/snowflake.ts'
import { msOf, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import type { AuditLogPage } from '../../ports/queries/audit-log-queries.ts'
import {
  historyAuditEntryObject,
  type HistoryAuditEntryObject,
} from '../../wire-objects/administration/history-audit-objects.ts'
import type { Revealed } from './masked-event.ts'
import { revealedTo } from './read-stream.ts'

type Needs = Pick<Ports, 'queries'>

/** Which entries of a guild's audit log are wanted. What is left out bounds nothing. */
export interface GuildAuditSearch {
  readonly actor?: AccountId | undefined
  /** An id, or the code of an invite. */
  readonly target?: string | undefined
  readonly action?: AuditAction | undefined
  /** At this time or later. */
  readonly since?: Timestamp | undefined
  /** Before this time. */
  readonly until?: Timestamp | undefined
  /** Exclusive; at most one of the two is given. */
  readonly before?: EntryId | undefined
  readonly after?: EntryId | undefined
  /** 1-1000. */
  readonly limit: number
}

/** A page of a guild's audit log, for administrators (rules/administration#history). */
export function listGuildAuditLog(needs: Needs) {
  return (caller: Caller, guildId: GuildId, search: GuildAuditSearch, reveal: boolean) =>
    guildAuditLog(needs, revealedTo(caller, reveal), guildId, search)
}

/**
 * A page of a guild's audit log, newest first, as old as it is kept. Nothing is folded: reading changes nothing. Empty for a guild
 * that is deleted, whose log is gone with it, and for one that never was.
 */
export async function guildAuditLog(
  { queries: { auditLog } }: Needs,
  revealed: Revealed,
  guildId: GuildId,
  search: GuildAuditSearch,
): Promise<readonly HistoryAuditEntryObject[]> {
  const page = pageOf(search)
  const oldest = firstEntryAt(search.since)
  const [whole, impersonal] = await Promise.all([
    auditLog.page(guildId, page, oldest),
    auditLog.page(guildId, { ...page, withoutPersonal: true }, oldest),
  ])
  const plain = new Map(impersonal.map((entry) => [entry.id, entry]))
  return whole.flatMap((entry) => {
    const impersonalPart = plain.get(entry.id)
    return impersonalPart ? [shownEntry(entry, impersonalPart, revealed)] : []
  })
}

/** The least id of an entry that is made at a time or later: ids are those of instants. */
function firstEntryAt(time: Timestamp | undefined): EntryId {
  return entryId(composeSnowflake(Math.max(time === undefined ? 0 : msOf(time), snowflakeEpochMs), 0))
}

function pageOf({ actor, target, action, until, before, after, limit }: GuildAuditSearch): AuditLogPage {
  const bounds = [...(before === undefined ? [] : [before]), ...(until === undefined ? [] : [firstEntryAt(until)])]
  const [end] = bounds.toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1))
  return {
    ...(end !== undefined && { before: end }),
    ...(after !== undefined && { after }),
    ...(actor !== undefined && { actorId: actor }),
    ...(target !== undefined && { targetId: target }),
    ...(action !== undefined && { actionType: auditActions[action] }),
    limit,
  }
}

/** An entry without what is personal and not revealed: what it has beyond the part that outlives the account. */
function shownEntry(whole: GuildAuditEntry, impersonal: GuildAuditEntry, revealed: Revealed): HistoryAuditEntryObject {
  const isShown = (to: ShownTo): boolean => to !== 'nobody' && revealed(to)
  const kept = new Set(impersonal.changes.map(({ key }) => key))
  const hidden = whole.changes.flatMap(({ key }) => (kept.has(key) || isShown(changeShownTo(key)) ? [] : [key]))
  const hidesReason = whole.reason !== impersonal.reason && !isShown(reasonShownTo)
  return historyAuditEntryObject(
    {
      ...whole,
      reason: hidesReason ? null : whole.reason,
      changes: whole.changes.filter(({ key }) => !hidden.includes(key)),
    },
    [...(hidesReason ? ['/reason'] : []), ...hidden.map((key) => `/changes/${key}`)],
  )
}

/** Bans record a reason and an address; whatever else is personal are texts of a member. */
function changeShownTo(key: string): ShownTo {
  return shownTo('membership', key === 'reason' || key === 'ip' ? key : 'textsAfter')
}
