import fc from 'fast-check'
import { attachmentId, channelId, messageId, reportId } from '../../ids/ids.ts'
import { snowflake } from '../../ids/snowflake.ts'
import type { ReportCommand } from '../../report/commands.ts'
import { resolutionCauses, type Reported, type ReportEvidenceKept } from '../../report/events.ts'
import { instants, oneOf, record } from '../drawing.ts'
import { ada, code, grace, home, linus, moderator } from '../people.ts'

export const someReport = reportId(snowflake('900001'))
const message = messageId(snowflake('700001'))

const guild = { id: home, name: 'Home', icon: null, nsfw: false }
const nothing = {
  accountId: null,
  guild: null,
  channel: null,
  messageId: null,
  guildContextId: null,
  inviteCode: null,
} as const

export const reportedMessage: Reported = {
  ...nothing,
  kind: 'message',
  accountId: grace,
  guild,
  channel: { id: channelId(snowflake('300001')), name: 'general', nsfw: false },
  messageId: message,
  guildContextId: home,
}
export const reportedUser: Reported = { ...nothing, kind: 'user', accountId: grace }
export const reportedGuild: Reported = { ...nothing, kind: 'guild', guild, inviteCode: code }

const profile = {
  username: 'grace',
  discriminator: 1,
  globalName: null,
  avatar: null,
  banner: null,
  bio: null,
  pronouns: null,
}
export const evidenceOfGrace: Omit<ReportEvidenceKept, 'reportId'> = {
  evidenceOf: grace,
  profile,
  messages: [
    {
      id: message,
      type: 0,
      flags: 0,
      content: 'Cheap watches',
      editedAt: null,
      repliesTo: null,
      embeds: [{ title: 'Watches', color: 0 }],
      attachments: [
        {
          id: attachmentId(snowflake('710001')),
          filename: 'watch.png',
          title: null,
          description: null,
          contentType: 'image/png',
          contentHash: '00ff',
          size_bytes: 24_310,
          flags: 0,
          width: 640,
          height: 480,
        },
      ],
    },
  ],
}

export const reportCommands: fc.Arbitrary<ReportCommand> = fc.oneof(
  record({
    type: oneOf('FileReport'),
    filed: record({
      reportId: oneOf(someReport),
      reporterId: oneOf(ada),
      category: oneOf('spam', 'other'),
      reported: oneOf(reportedMessage, reportedUser, reportedGuild),
      additionalInfo: oneOf(null, 'Look at this'),
      reportedAt: instants,
    }),
    evidence: oneOf(null, evidenceOfGrace),
  }),
  record({ type: oneOf('ClaimReport'), adminId: oneOf(linus, moderator), now: instants }),
  record({ type: oneOf('ReleaseReport'), adminId: oneOf(linus, moderator), now: instants }),
  record({
    type: oneOf('ResolveReport'),
    adminId: oneOf(linus, moderator),
    cause: oneOf(...resolutionCauses),
    publicComment: oneOf(null, 'Removed'),
    now: instants,
  }),
)
