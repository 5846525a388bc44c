import type { Guild } from '../../../domain/guild/state.ts'
import type { GuildId, InviteCode } from '../../../domain/ids/ids.ts'
import type { ReportedGuild } from '../../../domain/report/events.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { findInvite } from '../invites/find-invite.ts'
import { findWithinGuesses } from '../invites/invite-guesses.ts'
import {
  fileReport,
  requireMayReport,
  type FiledReportObject,
  type ReportNeeds,
  type ReportReasons,
} from './file-report.ts'

/**
 * Reports a guild, or the invite that leads to it. Who is not a member can report a discoverable guild, and every other
 * one with an invite. Refuses as `requireMayReport`, with UNKNOWN_GUILD, CANNOT_REPORT_OWN_GUILD, UNKNOWN_INVITE,
 * CANNOT_REPORT_GUILD if an invite is missing or leads elsewhere, and with RATE_LIMITED beyond the allowance or after
 * too many unknown codes. See rules/reports#report-a-guild.
 */
export function reportGuild(ports: ReportNeeds) {
  return async (
    caller: Caller,
    guildId: GuildId,
    code: InviteCode | null,
    reasons: ReportReasons,
  ): Promise<FiledReportObject> => {
    requireMayReport(caller)
    const found = await ports.queries.guilds.findFor(guildId, caller.account.id)
    if (!found) return reject('UNKNOWN_GUILD')
    const { guild, member } = found
    if (guild.ownerId === caller.account.id) reject('CANNOT_REPORT_OWN_GUILD')
    const isInSight = member !== undefined || guild.features.includes('DISCOVERABLE')
    const inviteCode = code === null ? null : await requireInviteTo(ports, caller, guild, code)
    if (!isInSight && inviteCode === null) reject('CANNOT_REPORT_GUILD')
    const things = { accountId: null, channel: null, messageId: null, guildContextId: null, inviteCode }
    return fileReport(ports, caller, {
      ...reasons,
      reported: { kind: 'guild', guild: reportedGuild(guild), ...things },
    })
  }
}

/** The code of an invite to the guild, as it is stored. */
async function requireInviteTo(
  ports: ReportNeeds,
  caller: Caller,
  guild: Guild,
  code: InviteCode,
): Promise<InviteCode> {
  const found = await findWithinGuesses(ports, caller, code, () => findInvite(ports, code, caller.context))
  if (!found) return reject('UNKNOWN_INVITE')
  if (found.kind === 'group' || found.guildId !== guild.id) return reject('CANNOT_REPORT_GUILD')
  return found.invite.code
}

/** A guild as it is now. */
export function reportedGuild({ id, name, settings }: Guild): ReportedGuild {
  return { id, name, icon: settings.icon, nsfw: settings.nsfw }
}
