import { z } from 'zod'
import {
  auditActionNames,
  historyAuditEntrySchema,
} from '../../../../application/wire-objects/administration/history-audit-objects.ts'
import { historyEventSchema } from '../../../../application/wire-objects/administration/history-objects.ts'
import { secrets, snowflakeOutput, timestampOutput } from '../../../../application/wire-objects/scalars.ts'
import { queryBoolean, queryInteger } from '../query-inputs.ts'
import { accountIdInput, entryIdInput, issue, textInput } from '../scalars.ts'
import { refuseBackwardsRange, timestampInput } from '../timestamps.ts'
import { positionInput } from './history.ts'

/** A moment, now where nothing is said, and pages of the members, bans and invites that the guild had then. */
export const guildQuestion = z
  .object({
    at: timestampInput.optional(),
    members_after: accountIdInput.optional(),
    bans_after: accountIdInput.optional(),
    invites_after: textInput({ min: 1, max: 64 }).meta({ description: 'A code.' }).optional(),
    limit: queryInteger({ min: 1, max: 1000 }, 100),
    reveal: queryBoolean,
  })
  .transform(({ members_after, bans_after, invites_after, ...question }) => ({
    ...question,
    membersAfter: members_after,
    bansAfter: bans_after,
    invitesAfter: invites_after,
  }))

/** Two times, from the founding on and until now where nothing is said, and a page of the changes. */
export const guildSpan = z.object({
  from: timestampInput.optional(),
  to: timestampInput.optional(),
  after: positionInput.optional(),
  limit: queryInteger({ min: 1, max: 1000 }, 100),
  reveal: queryBoolean,
})

/** Entries that match all of it: by the actor, about the target, of the action, from `since` on and before `until`. */
export const guildAuditSearch = z
  .object({
    actor: accountIdInput.optional(),
    target: textInput({ min: 1, max: 64 }).optional(),
    action: z.enum(auditActionNames).optional(),
    since: timestampInput.optional(),
    until: timestampInput.optional(),
    before: entryIdInput.optional(),
    after: entryIdInput.optional(),
    limit: queryInteger({ min: 1, max: 100 }, 50),
    reveal: queryBoolean,
  })
  .superRefine(refuseBackwardsRange)
  .transform(({ reveal, ...search }, context) => {
    const isTwice = search.before !== undefined && search.after !== undefined
    return isTwice ? issue(context, 'CANNOT_SPECIFY_BOTH_BEFORE_AND_AFTER') : { search, reveal }
  })

export const guildAuditReply = z.array(historyAuditEntrySchema).readonly()

export const guildChangesReply = z
  .object({
    changes: z
      .array(
        z
          .object({
            text: z.string().describe('The change as a sentence, with the names of roles, channels and permissions.'),
            stream: z.string(),
            path: z.string().describe('A JSON pointer into the state of the stream, with ids for indexes.'),
            before: z.unknown(),
            after: z.unknown(),
            left_out: z.boolean().describe('Whether a part of the values is left out, as it is personal.'),
            by: historyEventSchema,
          })
          .meta({ id: 'HistoryGuildChange' }),
      )
      .readonly(),
    truncated: z.boolean().describe('Whether more follow, after the position of the last one’s event.'),
  })
  .meta({ id: 'HistoryGuildChanges' })

const memberAt = z
  .object({
    account_id: snowflakeOutput,
    nick: z.string().nullable(),
    roles: z.array(snowflakeOutput).readonly(),
    joined_at: timestampOutput,
  })
  .meta({ id: 'HistoryGuildMember' })

const banAt = z
  .object({
    account_id: snowflakeOutput,
    moderator_id: snowflakeOutput,
    reason: z.string().nullable(),
    banned_at: timestampOutput,
    expires_at: timestampOutput.nullable(),
  })
  .meta({ id: 'HistoryGuildBan' })

export const guildHistoryReply = z
  .object({
    guild_id: snowflakeOutput,
    status: z.enum(['absent', 'active', 'deleted']),
    name: z.string().nullable().describe('Null once the guild is deleted.'),
    owner_id: snowflakeOutput.nullable(),
    created_at: timestampOutput.nullable(),
    features: z.array(z.string()).readonly(),
    settings: z.unknown().describe('As the state of the guild has them; null once it is deleted.'),
    roles: z.array(z.unknown()).readonly().describe('As the state of the guild has them.'),
    channels: z.array(z.unknown()).readonly().describe('As the state of the guild has them, with their overwrites.'),
    member_count: z.int().describe('Of all members, whatever page is given.'),
    members: z.array(memberAt).readonly().describe('The page of the members, by account id.'),
    ban_count: z.int().describe('Of all recorded bans, whatever page is given.'),
    bans: z
      .array(banAt)
      .readonly()
      .describe('The page of the recorded bans, whether or not they had ended, by account id.'),
    invites: z
      .array(
        z
          .object({ code: z.string(), state: z.unknown().register(secrets, { isSecret: true }) })
          .meta({ id: 'HistoryGuildInvite' }),
      )
      .readonly()
      .describe(
        'The page of the invites that were not deleted, whether or not they still admitted, and the custom code, by code.',
      ),
    directory: z.unknown().describe('The state of the application to the directory; null if there had been none.'),
    left_out: z.array(z.string()).readonly().describe('JSON pointers to what is personal, with ids for indexes.'),
  })
  .meta({ id: 'HistoryGuild' })
