import { memberObject } from '../../../application/wire-objects/communities/member-objects.ts'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.ts'
import type { Known } from '../../visibility/known-event.ts'
import { memberAtFirst } from '../../../domain/membership/membership.ts'
import type { ActiveThread } from '../../../application/ports/thread-lookups.ts'
import { messageChannels } from '../../visibility/newest-messages.ts'
import { same, type Dispatch } from '../dispatch.ts'
import { preparing, type Preparation, type Scene, type Telling } from '../telling.ts'
import { guildCreates } from '../guilds/guild-create.ts'
import { sessionsOfLinks, userGuildSettingsUpdate, userSettingsUpdates } from '../accounts/user-settings-update.ts'

/**
 * A member joined (rules/members#after-a-join): GUILD_MEMBER_ADD to the guild's other sessions, then GUILD_CREATE and
 * USER_SETTINGS_UPDATE to the joiner's own. They also get USER_GUILD_SETTINGS_UPDATE if the joiner chose settings for
 * the guild before: these stay stored when an account leaves, but no READY contained them meanwhile.
 */
export function memberJoined(event: Known<'MemberJoined'>): Telling {
  const { guildId, accountId } = event.data
  return preparing(['GUILD_MEMBER_ADD', 'GUILD_CREATE', 'USER_SETTINGS_UPDATE', 'USER_GUILD_SETTINGS_UPDATE'], {
    accounts: [accountId],
    prepare: async ({ lookups, newest, world, opening, account }) => {
      const chosen = await lookups.ask(({ userSettings }) => userSettings.findForGuild(accountId, guildId))
      const threads = await threadsForBot(event, { lookups, world })
      await newest.learn(messageChannels(opening?.guild ?? world.room(guildId)?.guild))
      return (scene) => {
        for (const link of scene.arrived) for (const active of threads) link.threads.set(active.thread.threadId, active)
        const arrived = sessionsOfLinks(scene.arrived)
        return [
          added(event, account(accountId), scene),
          ...guildCreates(scene.arrived, scene),
          ...userSettingsUpdates(arrived, scene, event.metadata.at),
          ...(chosen ? [userGuildSettingsUpdate(arrived, guildId, chosen)] : []),
        ]
      }
    },
  })
}

/** The threads shown to a bot that joins a guild; a user has joined none there yet. */
async function threadsForBot(
  { data: { accountId, guildId } }: Known<'MemberJoined'>,
  { lookups, world }: Pick<Preparation, 'lookups' | 'world'>,
): Promise<readonly ActiveThread[]> {
  const isBot = world.sessionsOf(accountId).some(({ account }) => account.bot)
  const active = isBot ? await lookups.ask(({ threads }) => threads.activeFor(accountId, true)) : []
  return active.filter(({ thread }) => thread.guildId === guildId)
}

function added({ data }: Known<'MemberJoined'>, joiner: AccountRecord, { now }: Scene): Dispatch<'GUILD_MEMBER_ADD'> {
  return {
    t: 'GUILD_MEMBER_ADD',
    guildId: data.guildId,
    audience: { kind: 'guild', except: data.accountId },
    body: same({ ...memberObject(memberAtFirst(data), joiner, now), guild_id: data.guildId }),
  }
}
