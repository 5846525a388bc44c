import { reportGuild } from '../../../../application/communities/reports/report-guild.ts'
import { reportMessage } from '../../../../application/communities/reports/report-message.ts'
import { reportUser } from '../../../../application/communities/reports/report-user.ts'
import type { ReportReasons } from '../../../../application/communities/reports/file-report.ts'
import { perUser } from '../../bucket.ts'
import { accounts } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { filedReport, guildReport, messageReport, userReport } from '../../schemas/communities/reports.ts'

// The content filter skips reports: they are for administrators alone, and have to quote what it forbids.

/** Besides the hourly allowances, which only reports that are filed take from. */
const filing = perUser('report:create', { requests: 20, seconds: 60 })

const ofReporters = [
  'REPORT_BANNED',
  'REPORT_EMAIL_VERIFICATION_REQUIRED',
  'UNCLAIMED_ACCOUNT_CANNOT_SUBMIT_REPORTS',
] as const

const reasonsIn = (body: {
  readonly category: ReportReasons['category']
  readonly additional_info: string | null
}): ReportReasons => ({ category: body.category, additionalInfo: body.additional_info })

const reportMessageOperation = operation({
  name: 'Report message',
  description: 'Reports a message that the caller can read.',
  route: 'POST /v1/reports/message',
  callers: accounts(),
  bucket: filing,
  body: messageReport,
  keepsNoText: true,
  replies: { 200: filedReport },
  refuses: [
    ...ofReporters,
    'CANNOT_REPORT_OWN_MESSAGE',
    'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL',
    'MISSING_ACCESS',
    'MISSING_PERMISSIONS',
    'NSFW_CONTENT_AGE_RESTRICTED',
    'UNKNOWN_CHANNEL',
    'UNKNOWN_MESSAGE',
  ],
  useCase: reportMessage,
  handle: ({ caller, body }, run) => run(caller, body.channel_id, body.message_id, reasonsIn(body)),
})

const reportUserOperation = operation({
  name: 'Report user',
  description: 'Reports an account, with its profile as it is now.',
  route: 'POST /v1/reports/user',
  callers: accounts(),
  bucket: filing,
  body: userReport,
  keepsNoText: true,
  replies: { 200: filedReport },
  refuses: [
    ...ofReporters,
    'CANNOT_REPORT_YOURSELF',
    'MISSING_ACCESS',
    'MISSING_PERMISSIONS',
    'UNKNOWN_GUILD',
    'UNKNOWN_USER',
  ],
  useCase: reportUser,
  handle: ({ caller, body }, run) => run(caller, body.user_id, body.guild_id, reasonsIn(body)),
})

const reportGuildOperation = operation({
  name: 'Report guild',
  description: 'Reports a guild, or the invite that leads to it.',
  route: 'POST /v1/reports/guild',
  callers: accounts(),
  bucket: filing,
  body: guildReport,
  keepsNoText: true,
  replies: { 200: filedReport },
  refuses: [...ofReporters, 'CANNOT_REPORT_GUILD', 'CANNOT_REPORT_OWN_GUILD', 'UNKNOWN_GUILD', 'UNKNOWN_INVITE'],
  useCase: reportGuild,
  handle: ({ caller, body }, run) => run(caller, body.guild_id, body.invite_code, reasonsIn(body)),
})

/** Reports by users. */
export const reportOperations: readonly Operation[] = [
  reportMessageOperation,
  reportUserOperation,
  reportGuildOperation,
]
