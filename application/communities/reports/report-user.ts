import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import { requireGuild } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import {
  fileReport,
  requireMayReport,
  type FiledReportObject,
  type ReportNeeds,
  type ReportReasons,
} from './file-report.ts'

/**
 * Reports an account, with its profile as it is now. Refuses as `requireMayReport`, with CANNOT_REPORT_YOURSELF and
 * UNKNOWN_USER, as `requireGuild` for the guild where the caller met it, and beyond the allowance with RATE_LIMITED.
 * See rules/reports#report-a-user.
 */
export function reportUser(ports: ReportNeeds) {
  return async (
    caller: Caller,
    userId: AccountId,
    guildId: GuildId | null,
    reasons: ReportReasons,
  ): Promise<FiledReportObject> => {
    requireMayReport(caller)
    if (userId === caller.account.id) reject('CANNOT_REPORT_YOURSELF')
    const account = await ports.queries.accounts.find(userId)
    if (!account || account.isErased) return reject('UNKNOWN_USER')
    if (guildId !== null) await requireGuild(ports, caller, guildId)
    const things = { guild: null, channel: null, messageId: null, guildContextId: guildId, inviteCode: null }
    return fileReport(ports, caller, { ...reasons, reported: { kind: 'user', accountId: userId, ...things }, account })
  }
}
