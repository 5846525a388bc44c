import type { Known } from '../../visibility/known-event.ts'
import { same, type Dispatch } from '../dispatch.ts'
import { telling, type Scene, type Telling } from '../telling.ts'
import { sessionsOfLinks, userSettingsUpdates } from '../accounts/user-settings-update.ts'

/** What a removal leads to. */
const removed = ['GUILD_MEMBER_REMOVE', 'GUILD_DELETE', 'USER_SETTINGS_UPDATE'] as const

/** A member left, or was kicked. */
export function memberLeft(event: Known<'MemberLeft' | 'MemberKicked'>): Telling {
  return telling(removed, (scene) => removal(event, scene))
}

/** An account was banned: the guild is notified of the ban and, if it was a member, of its departure. */
export function memberBanned(event: Known<'MemberBanned'>): Telling {
  const { guildId, accountId, wasMember } = event.data
  const banned: Dispatch<'GUILD_BAN_ADD'> = {
    t: 'GUILD_BAN_ADD',
    guildId,
    audience: { kind: 'guild', except: accountId },
    body: same({ guild_id: guildId, user: { id: accountId } }),
  }
  return telling(['GUILD_BAN_ADD', ...(wasMember ? removed : [])], (scene) =>
    wasMember ? [banned, ...removal(event, scene)] : [banned],
  )
}

/** A ban was lifted. */
export function memberUnbanned({ data: { guildId, accountId } }: Known<'MemberUnbanned'>): Telling {
  const lifted: Dispatch<'GUILD_BAN_REMOVE'> = {
    t: 'GUILD_BAN_REMOVE',
    guildId,
    audience: { kind: 'guild' },
    body: same({ guild_id: guildId, user: { id: accountId } }),
  }
  return telling(['GUILD_BAN_REMOVE'], () => [lifted])
}

/** GUILD_MEMBER_REMOVE to the guild, GUILD_DELETE and USER_SETTINGS_UPDATE to the removed account. */
function removal(
  { data, metadata }: Known<'MemberLeft' | 'MemberKicked' | 'MemberBanned'>,
  scene: Scene,
): readonly Dispatch<(typeof removed)[number]>[] {
  const { guildId, accountId } = data
  const departed = sessionsOfLinks(scene.departed)
  return [
    {
      t: 'GUILD_MEMBER_REMOVE',
      guildId,
      audience: { kind: 'guild', except: accountId },
      body: same({ guild_id: guildId, user: { id: accountId } }),
    },
    {
      t: 'GUILD_DELETE',
      guildId,
      audience: { kind: 'sessions', sessions: departed },
      body: same({ id: guildId }),
    },
    ...userSettingsUpdates(departed, scene, metadata.at),
  ]
}
